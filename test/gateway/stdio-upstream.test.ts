import { describe, expect, it, onTestFinished } from "vitest";
import { readMessage } from "../../src/gateway/message.ts";
import { stdioUpstream } from "../../src/gateway/upstreams/stdio-upstream.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";

/** Answers calls of `long` with 17 MiB, and others once that was written. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const waiting = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (params?.name === "short") waiting.push(id);
  else if (params?.name === "long") {
    say({ id, result: { text: "x".repeat(17 * 1024 * 1024) } });
    for (const each of waiting) say({ id: each, result: { pid: process.pid } });
  }
});`;

describe("a program behind the gateway", () => {
  it("goes on for all others where one has it answer at a length that is not passed on", async () => {
    const upstream = stdioUpstream({
      name: "notes",
      title: "Notes",
      command: [process.execPath, "-e", PROGRAM],
      env: {},
      timeoutMs: 60_000,
      clock: systemClock,
      log: createLog("silent"),
    });
    onTestFinished(() => upstream.close());
    const gone = new AbortController();
    const call = async (name: string, owner: string) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } };
      const { body } = await upstream.send({
        method: "POST",
        headers: {},
        owner,
        message: readMessage(message, JSON.stringify(message)),
        signal: gone.signal,
      });
      let text = "";
      for await (const piece of body) text += piece;
      return JSON.parse(text);
    };
    const short = call("short", "key_1");
    const long = call("long", "key_2");
    await expect(short).resolves.toMatchObject({ id: 1, result: { pid: expect.any(Number) } });
    gone.abort(new Error("the client went away"));
    await expect(long).rejects.toThrow("the client went away");
  });
});
