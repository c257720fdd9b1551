import { describe, expect, it, onTestFinished } from "vitest";
import { readMessage } from "../../src/gateway/message.ts";
import { stdioUpstream } from "../../src/gateway/upstreams/stdio-upstream.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";

/** Answers calls of `before` and `behind` with 17 MiB, the id where they say, and others once that was written. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const waiting = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (params?.name === "short") waiting.push(id);
  else if (params) {
    const result = { text: "x".repeat(17 * 1024 * 1024), method: "none", id: 99 };
    const answer = params.name === "before" ? { jsonrpc: "2.0", id, result } : { result, jsonrpc: "2.0", id };
    process.stdout.write(JSON.stringify(answer) + "\\n");
    for (const each of waiting) say({ id: each, result: { pid: process.pid } });
  }
});`;

function startUpstream() {
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
  return upstream;
}

describe("a program behind the gateway", () => {
  it.each(["before", "behind"])(
    "fails at once for who has it answer at a length that is not passed on, with the id %s, and goes on for others",
    async (place) => {
      const upstream = startUpstream();
      const call = async (name: string, owner: string) => {
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } };
        const { body } = await upstream.send({
          method: "POST",
          headers: {},
          owner,
          message: readMessage(message, JSON.stringify(message)),
          signal: new AbortController().signal,
        });
        let text = "";
        for await (const piece of body) text += piece;
        return JSON.parse(text);
      };
      const short = call("short", "key_1");
      const long = call(place, "key_2");
      await expect(long).rejects.toMatchObject({ kind: "too_large" });
      await expect(short).resolves.toMatchObject({ id: 1, result: { pid: expect.any(Number) } });
    },
  );

  it("has failed nobody who cancels", async () => {
    const upstream = startUpstream();
    const send = (message: object) =>
      upstream.send({
        method: "POST",
        headers: {},
        owner: "key_1",
        message: readMessage(message, JSON.stringify(message)),
        signal: new AbortController().signal,
      });
    const short = send({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "short" } });
    short.catch(() => {});
    // It is asked once it was greeted.
    await send({ jsonrpc: "2.0", id: 8, method: "ping" });
    await send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await expect(short).rejects.toMatchObject({ kind: "cancelled" });
  });

  it.each([
    ["1999-01-01", 400],
    ["2099-01-01", 400],
    ["x".repeat(100), 400],
    ["2025-06-18", 200],
    [undefined, 200],
  ])("answers who names the revision %s with %i", async (version, expected) => {
    const upstream = startUpstream();
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    const { status, body } = await upstream.send({
      method: "POST",
      headers: version === undefined ? {} : { "mcp-protocol-version": version },
      owner: "key_1",
      message: readMessage(message, JSON.stringify(message)),
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const piece of body) text += piece;
    expect([status, JSON.parse(text).id]).toEqual([expected, 1]);
    if (expected === 400) expect(text).toContain('"supported":["2026-07-28","2025-11-25"');
  });
});
