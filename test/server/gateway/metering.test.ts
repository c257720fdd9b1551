import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, type TestApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import {
  calling,
  counted,
  events,
  json,
  post,
  startBefore,
  startUpstream,
  tools,
} from "../../support/services/upstream.ts";
import { temporaryDirectory } from "../../support/store.ts";

function call(app: TestApp, id: number, signal: AbortSignal): Promise<Response> {
  const headers = { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" };
  return fetch(`${app.url}/mcp/up`, {
    method: "POST",
    headers,
    body: JSON.stringify(calling("echo", {}, id)),
    signal,
  });
}

describe("a tool call", () => {
  it("counts once if its request is repeated, and again if its id, arguments, tool or key differ", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    for (let time = 0; time < 3; time++) await post(app, calling("echo", { a: 1 }, 7));
    expect(await counted(app)).toBe(1);
    await post(app, calling("echo", { a: 1 }, 8));
    await post(app, calling("echo", { a: 2 }, 7));
    await post(app, calling("other", { a: 1 }, 7));
    await post(app, calling("echo", { a: 1 }, 7), { key: await app.key(["read", "write"]) });
    await post(app, calling("echo", { a: 1 }, "7"));
    expect(await counted(app)).toBe(6);
    expect(upstream.received).toHaveLength(8);
  });

  it("counts again after two minutes, and after four repeats", async () => {
    const clock = fakeClock();
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, {}, { clock });
    for (let time = 0; time < 6; time++) await post(app, calling("echo"));
    expect(await counted(app)).toBe(2);
    await clock.advance(2 * 60_000 + 1);
    await post(app, calling("echo"));
    expect(await counted(app)).toBe(3);
  });

  it("counts by the type and cost in its tool's rule", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url, {
      tools: {
        "*": { cost: 2 },
        "find_*": { usage: "api_calls" },
        free: { usage: false },
        find_far: { cost: 5 },
      },
    });
    for (const name of ["echo", "find_near", "find_far", "free"]) await post(app, calling(name));
    const { totals } = (await app.request("GET", "/api/v1/usage")).body;
    expect([totals.mcp_calls, totals.api_calls]).toEqual([2, 7]);
  });

  it("that the upstream answers with an error counts only if its rule says so", async () => {
    const upstream = await startUpstream(({ message }, res) => {
      const { name, arguments: given } = message.params;
      const error = { code: -32602, message: "no such tool" };
      const answer = given.rpc ? { error } : { result: { content: [], isError: true } };
      if (name.endsWith("_stream")) {
        events(res, { jsonrpc: "2.0", id: message.id, ...answer });
        res.end();
      } else json(res, { jsonrpc: "2.0", id: message.id, ...answer });
    });
    const app = await startBefore(upstream.url, { tools: { "paid*": { countErrors: true } } });
    for (const name of ["echo", "echo_stream"]) {
      for (const rpc of [true, false]) await post(app, calling(name, { rpc }));
    }
    expect(await counted(app)).toBe(0);
    for (const name of ["paid", "paid_stream"]) {
      for (const rpc of [true, false]) await post(app, calling(name, { rpc }));
    }
    expect(await counted(app)).toBe(4);
  });

  it("that asks its client for input counts only with its final round", async () => {
    let result: object = { resultType: "input_required", inputRequests: {} };
    const upstream = await startUpstream(tools([{ name: "echo" }], () => result));
    const app = await startBefore(upstream.url);
    await post(app, calling("echo", {}, 1));
    expect(await counted(app)).toBe(0);
    result = { resultType: "complete", content: [] };
    await post(app, calling("echo", {}, 2));
    expect(await counted(app)).toBe(1);
  });

  it("of a read-only key with an unknown project counts in the default project", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    const key = await app.key(["read"]);
    await post(app, calling("echo"), { key, headers: { "X-Project-Id": "made-up" } });
    expect(await counted(app)).toBe(1);
    const { items } = (await app.request("GET", "/api/v1/projects")).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain("made-up");
  });

  it.each([
    ["its own client", 1, ""],
    ["somebody else", 0, "Request cancelled"],
  ])("that %s cancels and the upstream breaks off counts %i times", async (who, times, answer) => {
    const held: Parameters<typeof json>[0][] = [];
    const upstream = await startUpstream(({ message }, res) => {
      if (message.method === "tools/call") return void held.push(res);
      res.writeHead(202).end();
      // The official SDK for Python answers so.
      const error = { code: 0, message: "Request cancelled" };
      for (const each of held) json(each, { jsonrpc: "2.0", id: 2, error });
    });
    const app = await startBefore(upstream.url);
    const called = post(app, calling("echo"));
    await expect.poll(() => held.length).toBe(1);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    const key = await app.key(["read", "write"]);
    await post(app, cancel, who === "somebody else" ? { key } : {});
    const { status, text } = await called;
    // No response is due to a request that was cancelled (MCP 2025-11-25, Cancellation).
    expect([status, text && JSON.parse(text).error.message]).toEqual([200, answer]);
    expect(await counted(app)).toBe(times);
  });

  it("that its client gave up before the program was there is not charged", async () => {
    const isReady = join(temporaryDirectory(), "ready");
    const program = `
      const { existsSync } = require("node:fs");
      const answers = { initialize: { protocolVersion: "2025-11-25", capabilities: {} }, "tools/call": { content: [] } };
      const say = ({ id, method }) => {
        const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: "unknown" } };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      };
      const soon = (line) =>
        existsSync(${JSON.stringify(isReady)}) ? say(JSON.parse(line)) : setTimeout(soon, 20, line);
      require("node:readline").createInterface({ input: process.stdin }).on("line", soon);`;
    const app = await startBefore(undefined, { command: [process.execPath, "-e", program] });
    const outcomes = async () => (await app.request("GET", "/metrics")).text;
    let id = 0;
    const leave = async () => {
      const signal = AbortSignal.timeout(50);
      const left = call(app, ++id, signal).catch(() => "left");
      expect(await left).toBe("left");
      return outcomes();
    };
    await expect.poll(leave).toContain('toolplane_mcp_calls_total{upstream="up",outcome="cancelled"} 1');
    const kept = post(app, calling("echo", {}, ++id));
    writeFileSync(isReady, "");
    expect((await kept).body.result).toEqual({ content: [] });
    expect(await counted(app)).toBe(1);
  });

  it("whose answer the client must fetch later counts when its stream ends", async () => {
    const upstream = await startUpstream((_, res) => {
      res.writeHead(200, { "Content-Type": "text/event-stream" }).end("id: 1\nretry: 10\ndata:\n\n");
    });
    const app = await startBefore(upstream.url);
    await post(app, calling("echo"));
    expect(await counted(app)).toBe(1);
    upstream.become(
      (_, res) => void res.writeHead(200, { "Content-Type": "text/event-stream" }).end(":\n\n"),
    );
    const { text } = await post(app, calling("echo", {}, 9));
    expect(text).toContain("ended its answer");
    expect(await counted(app)).toBe(1);
  });

  it("with an unlisted name counts like all of these, under no name that a client chose", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(upstream.url);
    await post(app, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (const name of ["echo", "invented/1", "invented2", "invented3"]) await post(app, calling(name));
    const metrics = (await app.request("GET", "/metrics")).text;
    expect(metrics).toContain('toolplane_mcp_calls_total{upstream="up",outcome="ok"} 4');
    const { body: usage } = await app.request("GET", "/api/v1/usage?groupBy=tool&type=mcp_calls");
    expect(usage.groups).toMatchObject([
      { tool: "up/(unlisted)", counts: { mcp_calls: 3 } },
      { tool: "up/echo", counts: { mcp_calls: 1 } },
    ]);
    const { text: shown } = await app.request("GET", "/api/v1/upstreams/up");
    expect(JSON.parse(shown).tools).toHaveLength(2);
    for (const text of [metrics, shown]) expect(text).not.toContain("invented");
  });
});
