import type { ServerResponse } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";
import { OWNER_KEY } from "../../support/app.ts";
import {
  type Behaviour,
  counted,
  events,
  startBefore,
  startUpstream,
  tools,
} from "../../support/services/upstream.ts";

/** Asks the client of a call for input, and answers once it has that. */
function asking(): Behaviour {
  const other = tools([]);
  let call: { id: number; res: ServerResponse } | undefined;
  return (received, res, req) => {
    const { message } = received;
    if (message?.method === "tools/call") {
      call = { id: message.id, res };
      const params = { message: "Which?", requestedSchema: { type: "object", properties: {} } };
      events(res, { jsonrpc: "2.0", id: "which", method: "elicitation/create", params });
    } else if (message?.id === "which") {
      res.writeHead(202).end();
      const result = { content: [{ type: "text", text: message.result.action }] };
      call?.res.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: call.id, result })}\n\n`);
    } else if (received.method === "GET") res.writeHead(405).end();
    else other(received, res, req);
  };
}

it("a person may take longer to answer what an upstream asks than the upstream itself", async () => {
  const upstream = await startUpstream(asking());
  const app = await startBefore(upstream.url, { timeoutSeconds: 1 });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    return { action: "decline" };
  });
  const headers = { Authorization: `Bearer ${OWNER_KEY}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/up`), { requestInit: { headers } }),
  );
  onTestFinished(() => client.close());
  expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [{ text: "decline" }] });
  expect(await counted(app)).toBe(1);
});
