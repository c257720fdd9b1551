import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { OWNER_KEY } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

const LIBRARY = pathToFileURL("dist/index.js").href;

/** Node gives the continuations of promises ids of their own only while something tracks them (its docs of async_hooks). */
const PROGRAM = `
import { executionAsyncId } from "node:async_hooks";
import { createServer } from ${JSON.stringify(LIBRARY)};
const [key, store] = process.argv.slice(-2);
const server = await createServer({ store, owner: { email: "owner@example.test", apiKey: key }, log: "error" });
const { url } = await server.listen({ port: 0 });
const asked = await fetch(url + "/api/v1/track", {
  method: "POST",
  headers: { Authorization: "Bearer " + key, "Content-Type": "application/json", "Idempotency-Key": "one" },
  body: '{"type":"api_calls"}',
});
await null;
const before = executionAsyncId();
await null;
process.stdout.write(JSON.stringify({ status: asked.status, tracked: executionAsyncId() !== before }));
await server.close();
`;

it("no request makes the process track its promises, which would slow down all later ones", async () => {
  const directory = temporaryDirectory();
  const options = ["--input-type=module", "-e", PROGRAM, OWNER_KEY, directory];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(JSON.parse(stdout)).toEqual({ status: 200, tracked: false });
});
