import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import bundled from "../../../src/metering/catalogue.json" with { type: "json" };
import { startApp, type TestApp } from "../app.ts";
import { temporaryDirectory } from "../store.ts";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages without their types
  message: any;
}

/** Answers a request as an upstream. */
export type Behaviour = (received: Received, res: ServerResponse, req: IncomingMessage) => void;

/** Starts an MCP server that behaves as told and records the requests it receives. It is stopped after the test. */
export async function startUpstream(behaviour: Behaviour = tools([{ name: "echo" }])) {
  const received: Received[] = [];
  let act = behaviour;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers } = req;
      const one = { method, path, headers, text, message: text === "" ? undefined : JSON.parse(text) };
      received.push(one);
      act(one, res, req);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    stop,
    become(next: Behaviour) {
      act = next;
    },
  };
}

/** Returns a behaviour that answers in JSON: `tools/list` with `listed`, and `tools/call` with the result of `call`. */
export function tools(
  listed: object[],
  call: (name: string, message: Received["message"]) => object = (name) => ({
    content: [{ type: "text", text: name }],
  }),
): Behaviour {
  return ({ message }, res) => {
    if (message?.id === undefined) return void res.writeHead(202).end();
    const { id, method, params } = message;
    const results: Record<string, () => object> = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "upstream", version: "1" },
      }),
      "tools/list": () => ({ tools: listed }),
      "tools/call": () => call(params.name, message),
    };
    const result = results[method]?.() ?? {};
    json(res, { jsonrpc: "2.0", id, result });
  };
}

export function json(res: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  res
    .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) })
    .end(text);
}

export function events(res: ServerResponse, ...messages: unknown[]): void {
  res.writeHead(200, { "Content-Type": "text/event-stream" });
  for (const message of messages) res.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/** Starts a server on the plan `enterprise` with one upstream, `up`, at `url` or as its rules say. */
export async function startBefore(
  url: string | undefined,
  rules: object = {},
  options: Parameters<typeof startApp>[0] & { catalogue?: object } = {},
): Promise<TestApp> {
  const { catalogue, ...rest } = options;
  const plansFile = join(temporaryDirectory(), "plans.json");
  const upstreams = [{ name: "up", url, ...rules }];
  writeFileSync(plansFile, JSON.stringify({ ...bundled, ...catalogue, upstreams }));
  return startApp({ plansFile, ...rest });
}

export const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

export function calling(name: string, given: object = {}, id: number | string = 2) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } };
}

const HEADERS = {
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2025-11-25",
};

/** Sends a message to the upstream `up` of a server. */
export function post(app: TestApp, body: unknown, options: Parameters<TestApp["request"]>[2] = {}) {
  return app.request("POST", "/mcp/up", { body, ...options, headers: { ...HEADERS, ...options.headers } });
}

export async function counted(app: TestApp, key?: string): Promise<number> {
  const { body } = await app.request("GET", "/api/v1/usage", key === undefined ? {} : { key });
  return body.totals.mcp_calls;
}
