import type { Socket } from "node:net";
import type { Clock } from "../../../system/clock.ts";
import { heapLimitBytes } from "../../../system/processes/heap.ts";
import type { Exchange } from "../exchange.ts";
import { senderOf } from "../request-body.ts";

const MiB = 1024 * 1024;
/**
 * What all unread answers may hold together, with what those in parts are made from: of a small heap still the longest
 * answer, of any other a sixteenth.
 */
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
  /** Looks after a request, as after all others. Returns its slot, to be freed once its response is closed. */
  follow(exchange: Exchange): number;
  free(slot: number): void;
}

export function createUnreadAnswers(
  clock: Pick<Clock, "monotonic" | "every">,
  maxBytes = MAX_BYTES,
): UnreadAnswers {
  /** Slots are used again: a Set of the open requests would keep those of its outgrown tables from being collected. */
  const open: (Exchange | undefined)[] = [];
  const freed: number[] = [];
  let stopLooking: (() => void) | undefined;

  /** Cuts off those who leave most unread, if all together or one of them leaves too much. */
  function look(): void {
    if (freed.length === open.length) {
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
      stopLooking ??= clock.every(LOOK_EVERY_MS, look);
      const slot = freed.pop() ?? open.length;
      open[slot] = exchange;
      return slot;
    },
    free(slot) {
      open[slot] = undefined;
      freed.push(slot);
    },
  };
}

interface Unread {
  bytes: number;
  connections: Map<Socket, number>;
  /** Answers in parts of which the next part has no room yet, oldest first. */
  waiting: Exchange[];
}

/** By sender, since one that opens many connections is to be cut off before one with a long answer on its way. */
function unreadBySender(open: readonly (Exchange | undefined)[]): Unread[] {
  const senders = new Map<string, Unread>();
  const unread = open.filter(
    (exchange): exchange is Exchange => exchange !== undefined && bytesOf(exchange) > 0,
  );
  for (const exchange of unread.sort((one, other) => one.startedAt - other.startedAt)) {
    const { req, res } = exchange;
    const bytes = bytesOf(exchange);
    const sender = senderOf(exchange);
    const ofSender: Unread = senders.get(sender) ?? { bytes: 0, connections: new Map(), waiting: [] };
    senders.set(sender, ofSender);
    ofSender.bytes += bytes;
    ofSender.connections.set(req.socket, (ofSender.connections.get(req.socket) ?? 0) + bytes);
    if (res.writableLength > 0 && !res.writableEnded) ofSender.waiting.push(exchange);
  }
  return [...senders.values()];
}

/** Returns about how much memory an answer takes that is not read. */
function bytesOf({ res, holds = 0 }: Exchange): number {
  return res.writableLength + holds;
}
