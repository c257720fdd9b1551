import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { wholeLines } from "./whole-lines.ts";

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = {
  code: -32700,
  message: "Parse error: each line is to be one JSON-RPC 2.0 message",
};
const INVALID_REQUEST = {
  code: -32600,
  message: "Invalid request: each line is to be one JSON-RPC 2.0 message, no batch",
};

/**
 * A transport with one message per line. The SDK's own silently drops invalid lines; this one answers them with an
 * error and continues.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves at the end of the input. */
  readonly ended: Promise<void>;
  readonly #lines: Readable;
  readonly #output: Writable;
  #isClosed = false;

  /** @param mostBytes longest line in bytes */
  constructor(input: Readable, output: Writable, mostBytes: number) {
    this.#lines = input.pipe(wholeLines(mostBytes));
    this.#output = output;
    this.ended = new Promise((resolve) => {
      for (const end of ["end", "close", "error"]) this.#lines.once(end, resolve);
    });
  }

  async start(): Promise<void> {
    this.#lines.on("data", (lines: Buffer) => this.#hear(lines));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      // A full buffer is waited for by the write's own end, since "drain" never comes after an error.
      if (this.#output.write(serializeMessage(message), () => resolve())) resolve();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.removeAllListeners("data").pause();
    this.onclose?.();
  }

  #hear(lines: Buffer): void {
    for (const each of lines.toString("utf8").split("\n")) {
      // With the line end of Windows, and the byte order mark that programs there write first.
      const line = each.trim();
      if (line === "") continue;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        this.#refuse(line, PARSE_ERROR);
        continue;
      }
      try {
        this.onmessage?.(parseJSONRPCMessage(value));
      } catch {
        this.#refuse(line, INVALID_REQUEST, idOf(value));
      }
    }
  }

  /** MCP omits the id if there is none. */
  #refuse(line: string, error: typeof PARSE_ERROR, id?: string | number): void {
    // The validator's own message is a page of JSON about every shape that a message may have.
    this.onerror?.(new Error(`${error.message}; this one begins ${JSON.stringify(line.slice(0, 60))}`));
    void this.send({ jsonrpc: "2.0", ...(id !== undefined && { id }), error } as JSONRPCMessage);
  }
}

/** Returns the id of a request, whose sender waits for an answer to it. */
function idOf(value: unknown): string | number | undefined {
  const { id, method } = (value ?? {}) as { id?: unknown; method?: unknown };
  if (typeof method !== "string") return undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : undefined;
}
