import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { calling, post, startBefore, startUpstream } from "../../support/services/upstream.ts";

const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
const STATELESS = { "MCP-Protocol-Version": "2026-07-28" };

describe("a request that its client cancels is not answered (MCP 2025-11-25, Cancellation)", () => {
  it.each([
    ["a call", calling("echo")],
    ["another request", { jsonrpc: "2.0", id: 2, method: "prompts/get", params: { name: "greet" } }],
  ])("%s, whose upstream is let go of, and is not taken for one that hangs", async (_, request) => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream(({ message }, res) => {
      // The official SDK for TypeScript leaves the response open.
      if (message.method.startsWith("notifications/")) res.writeHead(202).end();
      else held.push(res);
    });
    const app = await startBefore(upstream.url);
    const asked = post(app, request);
    await expect.poll(() => held.length).toBe(1);
    await post(app, cancel);
    const { status, text, headers } = await asked;
    expect([status, text, headers.get("Content-Type")]).toEqual([200, "", "text/event-stream"]);
    await expect.poll(() => held[0]?.closed).toBe(true);
  });

  it("in the middle of its stream, which ends", async () => {
    const held: ServerResponse[] = [];
    const progress = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n`;
    const upstream = await startUpstream(({ message }, res) => {
      if (message.method !== "tools/call") return void res.writeHead(202).end();
      res.writeHead(200, { "Content-Type": "text/event-stream" }).write(progress);
      held.push(res);
    });
    const app = await startBefore(upstream.url);
    const asked = post(app, calling("echo"));
    await expect.poll(() => held.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await post(app, cancel);
    expect((await asked).text).toBe(progress);
  });

  it("by a program", async () => {
    const program = `
      const answers = { initialize: { protocolVersion: "2025-11-25", capabilities: {} } };
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: "no" } };
        if (id !== undefined && method !== "tools/call") console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      });`;
    const app = await startBefore(undefined, { command: [process.execPath, "-e", program] });
    await post(app, { jsonrpc: "2.0", id: 1, method: "ping" });
    const asked = post(app, calling("echo"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await post(app, cancel);
    const { status, text } = await asked;
    expect([status, text]).toEqual([200, ""]);
  });

  it.each([
    ["another id", { ...cancel, params: { requestId: 3 } }],
    ["an id of another type", { ...cancel, params: { requestId: "2" } }],
  ])("unless it names %s", async (_, notification) => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream(({ message }, res) => {
      if (message.method === "tools/call") return void held.push(res);
      res.writeHead(202).end();
    });
    const app = await startBefore(upstream.url);
    const asked = post(app, calling("echo"));
    await expect.poll(() => held.length).toBe(1);
    await post(app, notification);
    const result = { content: [] };
    held[0]
      ?.writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: 2, result }));
    expect((await asked).body.result).toEqual(result);
  });

  it.each([
    ["a client of 2026-07-28 names its id, where ids are of one client alone", STATELESS, {}],
    ["it is of 2026-07-28 itself, and a client of an earlier revision names its id", {}, STATELESS],
  ])("unless %s", async (_, cancelling, asking) => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream(({ message }, res) => {
      if (message.method === "tools/call") return void held.push(res);
      res.writeHead(202).end();
    });
    const app = await startBefore(upstream.url);
    const named = { "Mcp-Method": "tools/call", "Mcp-Name": "echo" };
    const asked = post(app, calling("echo"), { headers: { ...asking, ...named } });
    await expect.poll(() => held.length).toBe(1);
    expect((await post(app, cancel, { headers: cancelling })).status).toBe(202);
    const result = { resultType: "complete", content: [] };
    held[0]
      ?.writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id: 2, result }));
    expect((await asked).body.result).toEqual(result);
    // The upstream must not take the id for another client's either.
    const told = upstream.received.filter(({ message }) => message.method === cancel.method);
    expect(told.length).toBe(cancelling === STATELESS ? 0 : 1);
  });

  it("unless a client of 2026-07-28 names its id, by a program", async () => {
    const program = `
      const answers = { initialize: { protocolVersion: "2025-11-25", capabilities: {} } };
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        const say = (answer) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
        if (method === "tools/call") setTimeout(say, 700, { result: { content: [] } });
        else if (id !== undefined) say(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: "no" } });
      });`;
    const app = await startBefore(undefined, { command: [process.execPath, "-e", program] });
    await post(app, { jsonrpc: "2.0", id: 1, method: "ping" });
    const asked = post(app, calling("echo"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await post(app, cancel, { headers: STATELESS });
    expect((await asked).body.result).toEqual({ content: [] });
  });
});
