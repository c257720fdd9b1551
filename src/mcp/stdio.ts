import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { LineTransport } from "./line-transport.ts";
import { createMcpServer, type McpServer, type McpServerPorts } from "./server.ts";

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
/** One client listens, for one kind of change. */
const MAX_SUBSCRIPTIONS = 16;

/** Speaks the Model Context Protocol over two streams, in the revision that the client begins with. */
export function openStdio(ports: StdioPorts): StdioSession {
  const { input, output, interrupted, onFault } = ports;
  const transport = new LineTransport(input, output, MAX_MESSAGE_BYTES);
  let current: McpServer | undefined;
  const session = serveStdio(
    () => {
      current = createMcpServer({ ...ports, toolsChange: true });
      return current.server;
    },
    {
      transport,
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: ({ message }) => onFault(`A message was not understood: ${message.slice(0, 200)}`),
    },
  );

  async function end(): Promise<void> {
    await Promise.race([transport.ended, aborted(interrupted)]);
    // What was read last begins in the next turn.
    await new Promise(setImmediate);
    await Promise.race([current?.idle(), aborted(interrupted)]);
    await new Promise(setImmediate);
    await session.close();
  }

  return {
    toolsChanged() {
      current?.server.sendToolListChanged().catch((error: Error) => onFault(error.message));
    },
    ended: end(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
