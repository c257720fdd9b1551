import * as z from "zod";
import { named } from "../../contract/components.ts";
import { ANYWHERE, WITH_BODY, WITH_CREDENTIAL } from "../../contract/problems-of.ts";
import type { Operation } from "./operation.ts";

const RpcId = z.union([z.string(), z.int()]);
export const JsonRpcMessage = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: RpcId.optional().describe("Left out of notifications"),
    method: z.string().describe("Such as `tools/list` or `tools/call`"),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .describe("One message of the Model Context Protocol");
export const JsonRpcResponse = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: RpcId.nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .describe("Either `result` or `error`");

named({ JsonRpcMessage, JsonRpcResponse });

export const MCP_OPERATION: Operation = {
  id: "mcp",
  summary: "Speak the Model Context Protocol (streamable HTTP, without sessions)",
  tag: "mcp",
  scope: "read",
  parameters: [
    {
      in: "query",
      name: "tools",
      required: false,
      description: "Tools or areas with commas between, `default` or `all`",
      schema: { type: "string" },
    },
    { $ref: "#/components/parameters/projectId" },
    { $ref: "#/components/parameters/idempotencyKey" },
  ],
  body: {
    required: true,
    content: { "application/json": JsonRpcMessage },
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  },
  answers: {
    200: {
      description:
        "The answer; as server-sent events where something is said before it, and for `subscriptions/listen`.",
      content: { "application/json": JsonRpcResponse, "text/event-stream": undefined },
    },
    202: { description: "A notification was taken." },
    404: { description: "There is no such method.", content: { "application/json": JsonRpcResponse } },
  },
  problems: [],
  rpcProblems: [...ANYWHERE, ...WITH_CREDENTIAL, ...WITH_BODY],
};
