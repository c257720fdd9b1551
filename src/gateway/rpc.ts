import type { MessageId } from "./message.ts";

/** Error codes of JSON-RPC 2.0 §5.1 and of the Model Context Protocol. */
export const RPC = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  sessionNotFound: -32001,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The first revision without sessions, whose results state their type. */
export const LATEST_VERSION = "2026-07-28";

/** Revisions of the protocol that a client may use over HTTP. */
export const VERSIONS: readonly string[] = [
  LATEST_VERSION,
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];

/** Names in `_meta`, the protocol's own and Toolplane's. */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  relatedTask: "io.modelcontextprotocol/related-task",
  /** The signed identity, for a program, which gets no headers. */
  identity: "toolplane/identity",
} as const;

/** Whether a client speaks a revision without sessions, by its `MCP-Protocol-Version`. */
export function isStateless(version: string | undefined): boolean {
  return version !== undefined && version >= LATEST_VERSION;
}

export interface RpcError {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

export function errorText(id: MessageId | undefined, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error });
}

export function resultText(id: MessageId | undefined, result: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, result });
}

/** Returns a tool result with an error that the model reads and may react to. */
export function toolError(
  text: string,
  { stateless, about }: { stateless: boolean; about?: Record<string, unknown> },
): Record<string, unknown> {
  return {
    ...(stateless && { resultType: "complete" }),
    content: [{ type: "text", text }],
    isError: true,
    ...(about && { _meta: about }),
  };
}
