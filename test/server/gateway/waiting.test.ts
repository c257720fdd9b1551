import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { adjustableClock } from "../../../src/testing/adjustable-clock.ts";
import { calling, post, startBefore } from "../../support/services/upstream.ts";
import { temporaryDirectory } from "../../support/store.ts";

/** Answers calls one after the other, the first once there is a file of the name that it gives. Counts them. */
const PROGRAM = `
const { existsSync } = require("node:fs");
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let calls = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (method === "tools/call") {
    const nth = ++calls;
    while (nth === 1 && !existsSync(params.arguments.file)) await new Promise((go) => setTimeout(go, 10));
    say({ id, result: { content: [{ type: "text", text: "call " + nth }] } });
  }
});`;

it("a call whose key was revoked while it waited for a program is refused, and never sent", async () => {
  const clock = adjustableClock();
  const command = [process.execPath, "-e", PROGRAM];
  const app = await startBefore(undefined, { command, parallel: 1 }, { clock });
  const file = join(temporaryDirectory(), "go");
  const { key, secret } = (
    await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["read"] } })
  ).body;
  const first = post(app, calling("work", { file }, 1));
  const waiting = post(app, calling("work", { file }, 2), { key: secret });
  const used = async () => {
    const { items } = (await app.request("GET", "/api/v1/keys")).body;
    return items.find(({ id }: { id: string }) => id === key.id).lastUsedAt;
  };
  await expect.poll(used).toBeTruthy();
  await app.request("DELETE", `/api/v1/keys/${key.id}`);
  clock.advance(10_000);
  writeFileSync(file, "");
  expect((await first).text).toContain("call 1");
  const { status, text } = await waiting;
  expect([status, text]).toEqual([401, expect.stringContaining("of this request is no longer valid")]);
  expect((await post(app, calling("work", { file }, 3))).text).toContain("call 2");
});
