import type { ServerResponse } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it, onTestFinished } from "vitest";
import { OWNER_KEY } from "../../support/app.ts";
import {
  type Behaviour,
  calling,
  counted,
  LIST,
  post,
  startBefore,
  startUpstream,
  tools,
} from "../../support/services/upstream.ts";

const METHODS = { "tools/list": { tools: [] }, "tools/call": { content: [{ type: "text", text: "done" }] } };

/**
 * Answers with a stream that `leave` ends after an event with an id, and sends the answer on the stream that asks for
 * what follows it.
 */
function leaving(leave: (res: ServerResponse) => void): Behaviour {
  const missed = new Map<string, object>();
  const other = tools([]);
  return (received, res, req) => {
    const { method, headers, message } = received;
    const result = METHODS[message?.method as keyof typeof METHODS];
    if (result) {
      missed.set("1", { jsonrpc: "2.0", id: message.id, result });
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.write("id: 1\nretry: 1\ndata:\n\n", () => leave(res));
    } else if (method === "GET" && headers["last-event-id"] === "1") {
      res.writeHead(200, { "Content-Type": "text/event-stream" });
      res.end(`id: 2\ndata: ${JSON.stringify(missed.get("1"))}\n\n`);
    } else if (method === "GET") res.writeHead(405).end();
    else other(received, res, req);
  };
}

const breaksOff = (res: ServerResponse) => void res.destroy();

it.each([
  ["ends", (res: ServerResponse) => void res.end()],
  ["breaks off", breaksOff],
])(
  "a client fetches the answer of a call and a list whose stream %s after an event with an id",
  async (_, leave) => {
    const upstream = await startUpstream(leaving(leave));
    const app = await startBefore(upstream.url);
    const client = new Client({ name: "test", version: "1" });
    const headers = { Authorization: `Bearer ${OWNER_KEY}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/up`), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ text: "done" }] });
    expect(await counted(app)).toBe(1);
  },
);

it("a client of 2026-07-28, which cannot fetch the rest, is told that its stream broke off", async () => {
  const upstream = await startUpstream(leaving(breaksOff));
  const app = await startBefore(upstream.url);
  const headers = {
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "echo",
  };
  const { text } = await post(app, calling("echo"), { headers });
  expect(text).toContain('"isError":true');
  expect(await counted(app)).toBe(0);
});

it("an upstream of 2026-07-28, which knows no resumption, gets no Last-Event-ID", async () => {
  const upstream = await startUpstream();
  const app = await startBefore(upstream.url);
  await post(app, LIST, {
    headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", "Last-Event-ID": "1" },
  });
  await post(app, LIST, { headers: { "Last-Event-ID": "1" } });
  const seen = upstream.received.map(({ headers }) => headers["last-event-id"]);
  expect(seen).toEqual([undefined, "1"]);
});
