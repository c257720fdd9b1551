import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LIST, post, startBefore, startUpstream } from "../../support/services/upstream.ts";
import { temporaryDirectory } from "../../support/store.ts";

it("the operator's headers come from files of secrets, too", async () => {
  const file = join(temporaryDirectory(), "key");
  writeFileSync(file, "from a file\n");
  process.env.TOOL_GATEWAY_TEST_KEY_FILE = file;
  onTestFinished(() => void delete process.env.TOOL_GATEWAY_TEST_KEY_FILE);
  const upstream = await startUpstream();
  const headers = { "X-Api-Key": "env:TOOL_GATEWAY_TEST_KEY" };
  await post(await startBefore(upstream.url, { headers }), LIST);
  expect(upstream.received[0]!.headers["x-api-key"]).toBe("from a file");
  rmSync(file);
  await expect(startBefore(upstream.url, { headers })).rejects.toThrow(
    `TOOL_GATEWAY_TEST_KEY_FILE names ${file}, which cannot be read (ENOENT).`,
  );
});
