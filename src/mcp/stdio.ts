import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, type McpServerPorts } from "./server.ts";
import { wholeLines } from "./whole-lines.ts";

export interface StdioPorts extends Omit<McpServerPorts, "toolsChange"> {
  input: Readable;
  output: Writable;
  /** Ends the session at once. */
  interrupted: AbortSignal;
  /** Hears of what is wrong with what came in. */
  onFault: (message: string) => void;
}

export interface StdioSession {
  /** Says that the list of tools is another now. */
  toolsChanged(): void;
  /** Resolves once the client has closed its end and has every answer. */
  ended: Promise<void>;
}

/** What the server takes as a body, and the call around it. */
const MAX_MESSAGE_BYTES = (64 << 20) + (64 << 10);

/** JSON-RPC 2.0 §5.1: of what is no message, not even the id is known. */
const PARSE_ERROR = {
  jsonrpc: "2.0",
  id: null,
  error: { code: -32700, message: "Parse error: each line is to be one JSON-RPC 2.0 message" },
};

/** Speaks the Model Context Protocol over two streams: a line is a message. */
export async function openStdio(ports: StdioPorts): Promise<StdioSession> {
  const { input, output, interrupted, onFault } = ports;
  const { server, idle } = createMcpServer({ ...ports, toolsChange: true });
  const lines = input.pipe(wholeLines(MAX_MESSAGE_BYTES));
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  transport.onerror = (error) => {
    onFault(`A message was not understood: ${error.message.slice(0, 200)}`);
    if (isParseError(error)) void transport.send(PARSE_ERROR as unknown as JSONRPCMessage);
  };
  const over = new Promise<void>((resolve) => {
    for (const end of ["end", "close", "error"]) lines.once(end, resolve);
    interrupted.addEventListener("abort", () => resolve(), { once: true });
    server.onclose = resolve;
  });
  await server.connect(transport);

  return {
    toolsChanged() {
      server.sendToolListChanged().catch((error: Error) => onFault(error.message));
    },
    ended: over.then(async () => {
      // What was read last begins in the next turn.
      await new Promise(setImmediate);
      if (!interrupted.aborted) await Promise.race([idle(), aborted(interrupted)]);
      await new Promise(setImmediate);
      await server.close();
    }),
  };
}

/** Not JSON, or JSON that is no message of the protocol; anything else went wrong on our side. */
function isParseError(error: Error): boolean {
  return error instanceof SyntaxError || error.name === "ZodError" || error.name === "$ZodError";
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
