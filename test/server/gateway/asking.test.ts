import type { ServerResponse } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
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

type Place = "the call's stream" | "the session's stream";

/** Asks the client of a call for input, as the SDK's `extra.sendRequest` or `elicitInput` do, and answers once it has it. */
function asking(place: Place): Behaviour {
  const other = tools([]);
  let call: { id: number; res: ServerResponse } | undefined;
  let session: ServerResponse | undefined;
  return (received, res, req) => {
    const { message } = received;
    if (received.method === "GET") {
      events(res, { jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      session = res;
    } else if (message?.method === "initialize") {
      res.setHeader("Mcp-Session-Id", "one");
      other(received, res, req);
    } else if (message?.method === "tools/call") {
      call = { id: message.id, res };
      events(res, {
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "info", data: "asking" },
      });
      const params = { message: "Which?", requestedSchema: { type: "object", properties: {} } };
      const question = { jsonrpc: "2.0", id: "which", method: "elicitation/create", params };
      const stream = place === "the call's stream" ? res : session;
      stream?.write(`data: ${JSON.stringify(question)}\n\n`);
    } else if (message?.id === "which") {
      res.writeHead(202).end();
      const result = { content: [{ type: "text", text: message.result.action }] };
      call?.res.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: call.id, result })}\n\n`);
    } else other(received, res, req);
  };
}

it.each<Place>(["the call's stream", "the session's stream"])(
  "a person may take longer to answer what an upstream asks on %s than the upstream itself",
  async (place) => {
    const upstream = await startUpstream(asking(place));
    const app = await startBefore(upstream.url, { timeoutSeconds: 1 });
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async () => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      return { action: "decline" };
    });
    const isOpen = new Promise<void>((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    const headers = { Authorization: `Bearer ${OWNER_KEY}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp/up`), { requestInit: { headers } }),
    );
    onTestFinished(() => client.close());
    await isOpen;
    expect(await client.callTool({ name: "ask" })).toMatchObject({ content: [{ text: "decline" }] });
    expect(await counted(app)).toBe(1);
  },
);
