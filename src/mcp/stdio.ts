import type { Readable, Writable } from "node:stream";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { untilAborted } from "../system/abort.ts";
import { othersFirst } from "../system/others-first.ts";
import { LineTransport } from "./line-transport.ts";
import { createMcpServer, type McpServer, type McpServerPorts } from "./server.ts";

export interface StdioPorts extends Omit<McpServerPorts, "toolsChange"> {
  input: Readable;
  output: Writable;
  /** Ends the session at once. */
  interrupted: AbortSignal;
  /** Called with a description of invalid input. */
  onFault: (message: string) => void;
}

export interface StdioSession {
  /** Notifies the client that the list of tools has changed. */
  toolsChanged(): void;
  /** Resolves when the client has closed its end and every request was answered. */
  ended: Promise<void>;
}

/** The server's longest body, and room for the call around it. */
const MAX_MESSAGE_BYTES = (64 << 20) + (64 << 10);
/** The only client subscribes to one kind of change. */
const MAX_SUBSCRIPTIONS = 16;

/** Serves the Model Context Protocol over two streams, in the revision that the client starts with. */
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
    await Promise.race([transport.ended, untilAborted(interrupted)]);
    // Messages just read are dispatched in the next turn of the event loop.
    await othersFirst();
    await Promise.race([current?.idle(), untilAborted(interrupted)]);
    await othersFirst();
    await session.close();
  }

  return {
    toolsChanged() {
      current?.server.sendToolListChanged().catch((error: Error) => onFault(error.message));
    },
    ended: end(),
  };
}
