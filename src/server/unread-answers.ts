import type { Socket } from "node:net";
import type { Clock } from "../system/clock.ts";
import { heapLimitBytes } from "../system/processes/heap.ts";
import type { Exchange } from "./pipeline/exchange.ts";
import { senderOf } from "./pipeline/request-body.ts";

const MiB = 1024 * 1024;
/** What all unread answers may hold together: of a small heap still the longest answer, of any other a sixteenth. */
const MAX_BYTES = Math.max(64 * MiB, Math.min(256 * MiB, heapLimitBytes() / 16));
/** Between two looks only so many answers are made. */
const LOOK_EVERY_MS = 100;
/** What answers in parts are made from is held until they are read. A sender may leave so many waiting, and for long. */
const MAX_WAITING = 32;
const MAX_WAITING_LONG = 8;
const LONG_MS = 10_000;

/**
 * Answers that were made and not read. They stay in memory for as long as their clients read a little of them now and
 * then, so requests within every rate limit could fill it.
 */
export interface UnreadAnswers {
  /** Looks after a request, as after all others, until its response is closed. */
  follow(exchange: Exchange): void;
  /** To be called once the response is closed. */
  closed(exchange: Exchange): void;
}

export function createUnreadAnswers(
  clock: Pick<Clock, "monotonic" | "every">,
  maxBytes = MAX_BYTES,
): UnreadAnswers {
  const open = new Set<Exchange>();
  let stopLooking: (() => void) | undefined;

  /** Cuts off those who leave most unread, if all together or one of them leaves too much. */
  function look(): void {
    if (open.size === 0) {
      stopLooking?.();
      stopLooking = undefined;
    }
    const senders = unreadBySender(open);
    const longAgo = clock.monotonic() - LONG_MS;
    for (const { waiting } of senders) {
      const long = waiting.filter(({ startedAt }) => startedAt <= longAgo);
      const tooMany = [...waiting.slice(0, -MAX_WAITING), ...long.slice(0, -MAX_WAITING_LONG)];
      for (const { req } of tooMany) req.socket.destroy();
    }
    let total = senders.reduce((sum, { bytes }) => sum + bytes, 0);
    while (total > maxBytes) {
      const [sender] = senders.sort((one, other) => other.bytes - one.bytes);
      const [most] = [...(sender?.connections ?? [])].sort(([, one], [, other]) => other - one);
      if (!sender || !most) return;
      const [socket, bytes] = most;
      socket.destroy();
      sender.connections.delete(socket);
      sender.bytes -= bytes;
      total -= bytes;
    }
  }

  return {
    follow(exchange) {
      open.add(exchange);
      stopLooking ??= clock.every(LOOK_EVERY_MS, look);
    },
    closed: (exchange) => void open.delete(exchange),
  };
}

interface Unread {
  bytes: number;
  connections: Map<Socket, number>;
  /** Answers in parts of which the next part has no room yet, oldest first. */
  waiting: Exchange[];
}

/** By sender, since one that opens many connections is to be cut off before one with a long answer on its way. */
function unreadBySender(open: Iterable<Exchange>): Unread[] {
  const senders = new Map<string, Unread>();
  for (const exchange of open) {
    const { req, res } = exchange;
    const bytes = res.writableLength;
    if (bytes === 0) continue;
    const sender = senderOf(exchange);
    const unread: Unread = senders.get(sender) ?? { bytes: 0, connections: new Map(), waiting: [] };
    senders.set(sender, unread);
    unread.bytes += bytes;
    unread.connections.set(req.socket, (unread.connections.get(req.socket) ?? 0) + bytes);
    if (!res.writableEnded) unread.waiting.push(exchange);
  }
  return [...senders.values()];
}
