import { onAbort } from "../../system/abort.ts";
import { isObject } from "../../system/is-object.ts";
import { eventsOf, joined, messageIn } from "./event-stream.ts";
import { MAX_READ_BYTES } from "./readable.ts";

/**
 * The event streams of each session that are being relayed by this instance. Before 2026-07-28 an upstream may ask its
 * client on the session's own stream, as `elicitInput()` of the official SDK does. Nothing says there which request that
 * is about, so that all of them may be silent until the client has answered.
 */
export interface SessionStreams {
  /** Adds the answer to a request, until the signal aborts. */
  add(session: string, waitForClient: () => void, signal: AbortSignal): void;
  /** Relays a session's own stream, and has the answers wait when the upstream asks on it. */
  watch(session: string, body: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
}

export function createSessionStreams(): SessionStreams {
  const streams = new Map<string, Set<() => void>>();
  return {
    add(session, waitForClient, signal) {
      const ofSession = streams.get(session) ?? new Set();
      streams.set(session, ofSession.add(waitForClient));
      onAbort(signal, () => {
        ofSession.delete(waitForClient);
        if (ofSession.size === 0) streams.delete(session);
      });
    },
    async *watch(session, body) {
      for await (const pieces of eventsOf(body, MAX_READ_BYTES)) {
        if (pieces.some(({ bytes, readable }) => readable && isRequest(messageIn(bytes)))) {
          for (const waitForClient of streams.get(session) ?? []) waitForClient();
        }
        yield joined(pieces.map(({ bytes }) => bytes));
      }
    },
  };
}

/** Whether a message of an upstream asks its client for something that may take a while. */
export function isRequest(message: unknown): boolean {
  return isObject(message) && "method" in message && message.method !== "ping" && message.id != null;
}
