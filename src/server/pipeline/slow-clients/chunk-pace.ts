import { IncomingMessage } from "node:http";
import { BoundedMap } from "../../../system/caching.ts";
import type { Clock } from "../../../system/clock.ts";

/**
 * Chunks a second that are read from one address (RFC 9112 §7.1). Each costs about two microseconds however short it
 * is, so a body in chunks of a byte would take all the time there is. Usual chunks have kilobytes, lines dozens of bytes.
 */
const CHUNKS_PER_SECOND = 50_000;
/** Chunks that are counted together. A body of fewer is not slowed down. */
const STEP = 500;
const MAX_ADDRESSES = 10_000;

/** Has a request with a body in chunks read no faster than its address may send them. */
export type PaceChunks = (req: IncomingMessage) => void;

export function createChunkPace(
  clock: Pick<Clock, "monotonic" | "sleep">,
  perSecond = CHUNKS_PER_SECOND,
): PaceChunks {
  /** By address, the time until which it has read its share. */
  const readUntil = new BoundedMap<string, number>(MAX_ADDRESSES);

  /** Returns the time until which the connection that has read a step must pause: connections take turns. */
  function take(address: string): number {
    const until = Math.max(clock.monotonic(), readUntil.get(address) ?? 0) + (STEP * 1000) / perSecond;
    readUntil.set(address, until);
    return until;
  }

  return (req) => {
    const { push, _read } = IncomingMessage.prototype;
    const address = req.socket.remoteAddress ?? "";
    let count = 0;
    let until = 0;
    let isPaused = false;
    let isAsked = false;
    const closed = new AbortController();
    req.once("close", () => closed.abort());

    // Node stops reading from the connection when `push` returns false, and goes on when `_read` is called. Chunks that
    // it has read by then still come.
    req.push = (chunk, encoding) => {
      const hasRoom = push.call(req, chunk, encoding);
      if (chunk !== null && ++count % STEP === 0) {
        until = take(address);
        if (!isPaused) void pause();
      }
      return hasRoom && !isPaused;
    };
    req._read = (size) => {
      if (isPaused) isAsked = true;
      else _read.call(req, size);
    };

    async function pause(): Promise<void> {
      isPaused = true;
      for (let ms = until - clock.monotonic(); ms > 0; ms = until - clock.monotonic()) {
        await clock.sleep(ms, closed.signal).catch(() => {});
        if (closed.signal.aborted) return;
      }
      isPaused = false;
      if (isAsked) _read.call(req, 0);
      isAsked = false;
    }
  };
}
