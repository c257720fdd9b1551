import type { Readable, Writable } from "node:stream";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { wholeLines } from "./whole-lines.ts";

/** JSON-RPC 2.0 §5.1; MCP leaves the id out where there is none. */
const PARSE_ERROR = {
  jsonrpc: "2.0" as const,
  error: { code: -32700, message: "Parse error: each line is to be one JSON-RPC 2.0 message" },
};

/**
 * A line is a message. The SDK's own transport drops lines that are no JSON and says nothing; here their
 * sender is told, and goes on.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves once there is nothing more to read. */
  readonly ended: Promise<void>;
  readonly #lines: Readable;
  readonly #output: Writable;
  #isClosed = false;

  /** @param mostBytes that a line may have. */
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
    if (this.#output.write(serializeMessage(message))) return;
    await new Promise((resolve) => this.#output.once("drain", resolve).once("close", resolve));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lines.removeAllListeners("data").pause();
    this.onclose?.();
  }

  #hear(lines: Buffer): void {
    for (const line of lines.toString("utf8").split("\n")) {
      if (line.trim() === "") continue;
      try {
        this.onmessage?.(deserializeMessage(line));
      } catch (error) {
        this.onerror?.(error as Error);
        void this.send(PARSE_ERROR as JSONRPCMessage);
      }
    }
  }
}
