import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cancelled } from "../../src/gateway/calls/running-requests.ts";
import { startProgram, textOf } from "./program.ts";

/** Answers `before` and `behind` with 17 MiB, with the id in that place, and then waiting calls of `short`. */
const PROGRAM = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const waiting = [];
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (params?.name === "short") waiting.push(id);
  else if (params?.name === "eager") {
    say({ method: "notifications/progress", params: { progressToken: id, progress: 1 } });
    say({ id, result: { content: [] } });
  }
  else if (params) {
    const result = { text: "x".repeat(17 * 1024 * 1024), method: "none", id: 99 };
    const answer = params.name === "before" ? { jsonrpc: "2.0", id, result } : { result, jsonrpc: "2.0", id };
    process.stdout.write(JSON.stringify(answer) + "\\n");
    for (const each of waiting) say({ id: each, result: { pid: process.pid } });
  }
});`;

/** Ends at whatever comes before `initialize`, as servers of the Rust SDK do. */
const STRICT = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let isReady = false;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") isReady = true;
  else if (!isReady) process.exit(1);
  if (id !== undefined) say({ id, result: { protocolVersion: "2025-11-25", capabilities: {}, tools: [] } });
});`;

/** Goes on at the end of its input, as servers do that hold a timer or a connection. Tells its process and its parent. */
const STAYING = `
setInterval(() => {}, 1000);
const result = { protocolVersion: "2025-11-25", capabilities: {}, pids: [process.pid, process.ppid] };
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});`;

/** Runs a command as npx does: as a process of its own, which signals to the shell do not reach. */
const SHELL = ["sh", "-c", '"$@"; true', "sh"];

/** Says how many calls it has got. */
const COUNTING = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let calls = 0;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (method === "tools/call") say({ id, result: { calls: ++calls } });
});`;

/** Answers `tools/call` with the line that its argument says, in which ID stands for the id of the request, and then properly. */
const ODD = `
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover") say({ id, error: { code: -32601, message: "unknown" } });
  else if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
  else if (params?.arguments) {
    process.stdout.write(eval(params.arguments.line).replaceAll("ID", id) + "\\r\\n");
    say({ id, result: { pid: process.pid } });
  }
});`;

describe("a stdio upstream", () => {
  it.each([
    ["a method that is no text", '\'{"jsonrpc":"2.0","id":1,"method":{"toString":1}}\''],
    ["an id that is no text", '\'{"jsonrpc":"2.0","id":{"a":1},"method":"sampling/createMessage"}\''],
    ["an id of many levels", '\'{"id":\' + "[".repeat(1e5) + "]".repeat(1e5) + \',"method":"ping"}\''],
    [
      "a request id of another kind",
      '\'{"method":"notifications/cancelled","params":{"requestId":{"toString":1}}}\'',
    ],
    [
      "members named as of prototypes",
      '\'{"method":"__proto__","params":{"__proto__":{},"_meta":{"constructor":1}}}\'',
    ],
  ])("survives a program that writes %s, and hears its answer", async (_, line) => {
    const { ask } = startProgram(ODD);
    const answer = await ask("key_1", "tools/call", { name: "odd", arguments: { line } });
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: { pid: expect.any(Number) } });
  });

  it.each([
    ["before", '{"jsonrpc":"2.0","id":ID,"result":{"list":', "}}"],
    ["behind", '{"result":{"list":', '},"jsonrpc":"2.0","id":ID}'],
  ])(
    "passes an answer on unread that costs too much to parse, with the id %s the result",
    async (_, begin, end) => {
      const { send } = startProgram(ODD);
      const parse = vi.spyOn(JSON, "parse");
      const list = '"[" + "[],".repeat(300000) + "0]"';
      const line = `${JSON.stringify(begin)} + ${list} + ${JSON.stringify(end)}`;
      const params = { name: "odd", arguments: { line } };
      const { body } = await send("key_1", { jsonrpc: "2.0", id: "mine", method: "tools/call", params });
      const text = await textOf(body);
      expect(Math.max(...parse.mock.calls.map(([json]) => json.length))).toBeLessThan(10_000);
      parse.mockRestore();
      expect(JSON.parse(text)).toMatchObject({ id: "mine", result: { list: { length: 300_001 } } });
    },
  );

  it("holds no more long answers than its bound, until their clients have read them", async () => {
    const { send } = startProgram(ODD);
    const line = `'{"jsonrpc":"2.0","id":ID,"result":{"text":"' + "x".repeat(15000000) + '"}}'`;
    const call = (signal?: AbortSignal) => {
      const message = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "odd", arguments: { line } },
      };
      return send("key_1", message, {}, signal);
    };
    const readers = Array.from({ length: 8 }, () => new AbortController());
    for (const { signal } of readers) expect((await call(signal)).status).toBe(200);
    await expect(call()).rejects.toMatchObject({ kind: "paused", options: { retryAfterSeconds: 1 } });
    readers[0]?.abort();
    expect((await call()).status).toBe(200);
  });

  it("refuses a list of tasks that costs too much to parse, which may name those of others", async () => {
    const { send } = startProgram(ODD);
    const line = `'{"jsonrpc":"2.0","id":ID,"result":{"tasks":[' + "{},".repeat(300000) + "{}]}}"`;
    const message = { jsonrpc: "2.0", id: 1, method: "tasks/list", params: { arguments: { line } } };
    await expect(send("key_1", message)).rejects.toMatchObject({ kind: "too_large" });
  });

  it("starts a program that ends at the probe with the earlier handshake", async () => {
    const { ask } = startProgram(STRICT);
    const answer = () => ask("key_1", "tools/list");
    await expect
      .poll(() => answer().catch(() => undefined), { timeout: 10_000 })
      .toMatchObject({ result: { tools: [] } });
  });

  it.each(["before", "behind"])(
    "fails an answer that is too long at once, with the id %s the result, and goes on serving others",
    async (place) => {
      const { ask } = startProgram(PROGRAM);
      const short = ask("key_1", "tools/call", { name: "short" });
      const long = ask("key_2", "tools/call", { name: place });
      await expect(long).rejects.toMatchObject({ kind: "too_large" });
      await expect(short).resolves.toMatchObject({ id: 1, result: { pid: expect.any(Number) } });
    },
  );

  it("is not sent what a client has given up while the program started", async () => {
    const { send, ask } = startProgram(COUNTING);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "pay" } };
    const impatient = new AbortController();
    const given = send("key_1", call, {}, impatient.signal);
    impatient.abort();
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
    expect(await ask("key_1", "tools/call", { name: "pay" })).toMatchObject({ result: { calls: 1 } });
  });

  it.each([
    ["2025-11-25", "2024-11-05", "2024-11-05"],
    ["2025-11-25", "2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25", "2025-11-25"],
    ["2025-03-26", "2025-11-25", "2025-03-26"],
    ["2025-11-25", "2025-01-01", "2025-11-25"],
    ["2025-11-25", undefined, "2025-11-25"],
  ])("of a program of %s, a client that asks for %s gets %s", async (own, asked, given) => {
    const { ask } = startProgram(COUNTING.replace("2025-11-25", own));
    const answer = await ask("key_1", "initialize", { protocolVersion: asked });
    expect(answer.result.protocolVersion).toBe(given);
  });

  it("logs once that a program ended at its start", async () => {
    const { logged } = startProgram("process.exit(2)");
    await expect.poll(() => logged.length, { timeout: 20_000 }).toBeGreaterThan(1);
    for (const line of logged) {
      expect(JSON.parse(line)).toMatchObject({
        msg: "a program has ended, and is started again",
        why: "ended with 2",
      });
    }
  });

  it("fails calls to a program that cannot be started, whose path leads through a file", async () => {
    const { ask } = startProgram(COUNTING, [join(process.execPath, "program")]);
    await expect(ask("key_1", "tools/list")).rejects.toMatchObject({ kind: "unreachable" });
  });

  it("sends a program nothing that its client cancelled while it started", async () => {
    const { send, ask } = startProgram(COUNTING);
    const client = new AbortController();
    const call = (id: number, signal?: AbortSignal) =>
      send("key_1", { jsonrpc: "2.0", id, method: "tools/call", params: { name: "pay" } }, {}, signal);
    const withdrawn = expect(call(7, client.signal)).rejects.toMatchObject({ kind: "cancelled" });
    const kept = call(8);
    client.abort(cancelled());
    await withdrawn;
    expect(await textOf((await kept).body)).toContain('{"calls":1}');
    expect(await ask("key_1", "tools/call", { name: "pay" })).toMatchObject({ result: { calls: 2 } });
  });

  it.skipIf(process.platform === "win32").each([
    ["of its own", [], "closed"],
    ["that a shell runs", SHELL, "closed"],
    ["whose shell is killed", SHELL, "killed"],
  ] as const)("leaves no process behind of a program %s", async (_, by, how) => {
    const { ask, close } = startProgram(STAYING, by);
    const { result } = await ask("key_1", "tools/call", { name: "who" });
    const [pid, parent] = result.pids as [number, number];
    if (how === "killed") process.kill(parent, "SIGKILL");
    else await close();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 20_000);
  });

  it("answers a call with its result if the program reports progress that nobody asked for", async () => {
    const { ask } = startProgram(PROGRAM);
    const answer = await ask("key_1", "tools/call", { name: "eager" });
    expect(answer).toEqual({ jsonrpc: "2.0", id: 1, result: { content: [] } });
  });

  it("answers in JSON, of any length, if progress was asked for and none reported", async () => {
    const { send } = startProgram(COUNTING);
    const params = { name: "pay", _meta: { progressToken: 7 } };
    const { headers, body } = await send("key_1", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(await textOf(body))).toMatchObject({ id: 1, result: { calls: 1 } });
  });

  it("ends a cancelled request as cancelled", async () => {
    const { send } = startProgram(PROGRAM);
    const client = new AbortController();
    const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "short" } };
    const short = send("key_1", call, {}, client.signal);
    short.catch(() => {});
    // The answer shows that the program was initialised and has received the call.
    await send("key_1", { jsonrpc: "2.0", id: 8, method: "ping" });
    client.abort(cancelled());
    await expect(short).rejects.toMatchObject({ kind: "cancelled" });
  });

  it.each([
    ["1999-01-01", 400],
    ["2099-01-01", 400],
    ["x".repeat(100), 400],
    ["2025-06-18", 200],
    [undefined, 200],
  ])("answers the MCP-Protocol-Version %s with %i", async (version, expected) => {
    const { send } = startProgram(PROGRAM);
    const headers = version === undefined ? undefined : { "mcp-protocol-version": version };
    const { status, body } = await send("key_1", { jsonrpc: "2.0", id: 1, method: "ping" }, headers);
    const text = await textOf(body);
    expect([status, JSON.parse(text).id]).toEqual([expected, 1]);
    if (expected === 400) expect(text).toContain('"supported":["2026-07-28","2025-11-25"');
  });
});
