import type { IncomingMessage } from "node:http";
import { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { createTurns } from "../../system/turns.ts";
import { type Unpack, unpackerOf } from "../pipeline/inflate.ts";
import { tooLarge } from "../pipeline/request-body.ts";

const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** A compressed body that takes longer delays other senders. */
const MAX_UNPACKING_MS = 10_000;
/** A compressed body up to this length is received completely before its turn. Nearly all real reports are shorter. */
const SHORT_BYTES = 64 * 1024;

export interface BodyOptions {
  /** Bound of the body as sent, before it is decompressed. */
  maxBytes: number;
  /** Takes turns with the other senders. */
  sender: string;
}

/**
 * Reads the body of a report while it arrives and is decompressed, so that only what `read` keeps is held in memory.
 * Compressed bodies take turns that are fair to their senders: a decompressor can need 16 MiB, and a few bytes can
 * cause much work.
 */
export type ReadBody = <T>(
  req: IncomingMessage,
  options: BodyOptions,
  read: (body: AsyncIterable<Buffer>) => Promise<T>,
) => Promise<T>;

export function createReportBodies(clock: Clock): ReadBody {
  // Each holds 64 KiB and costs nothing else, however slowly it arrives.
  const arrivals = createTurns({ maxRunning: 256, maxOfOne: 16, maxWaiting: 256, refusal: tooMany });
  const shortTurns = createTurns({ maxRunning: 4, maxOfOne: 2, maxWaiting: 64, refusal: tooMany });
  // A longer body occupies its turn for as long as it takes to arrive, which delays only other long ones.
  const longTurns = createTurns({ maxRunning: 4, maxOfOne: 1, maxWaiting: 32, refusal: tooMany });

  async function unpackInTurn<T>(
    body: AsyncGenerator<Buffer>,
    unpack: Unpack,
    sender: string,
    read: (body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    const limit = { clock, ms: MAX_UNPACKING_MS, late: tooSlow };
    const { head, isWhole } = await arrivals.run(sender, () => inTime(headOf(body), limit));
    const turns = isWhole ? shortTurns : longTurns;
    return turns.run(sender, () => inTime(read(unpack(following(head, body))), limit));
  }

  return async (req, { maxBytes, sender }, read) => {
    if (Number(req.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
    const unpack = unpackerOf(req.headers["content-encoding"], MAX_UNPACKED_BYTES);
    const body = arriving(req, maxBytes);
    try {
      return await (unpack ? unpackInTurn(body, unpack, sender, read) : read(body));
    } finally {
      // The unread rest is discarded, so that the connection can be reused or ends with the answer.
      req.resume();
    }
  };
}

async function* arriving(req: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield piece;
    }
  } catch (error) {
    if (error instanceof Problem || !req.destroyed) throw error;
    throw new Problem("invalid_request", "The body ended before its announced length.");
  }
}

/** Reads all of a short body, or the beginning of a long one. */
async function headOf(body: AsyncGenerator<Buffer>): Promise<{ head: Buffer[]; isWhole: boolean }> {
  const head: Buffer[] = [];
  for (let length = 0; length <= SHORT_BYTES; ) {
    const next = await body.next();
    if (next.done) return { head, isWhole: true };
    head.push(next.value);
    length += next.value.length;
  }
  return { head, isWhole: false };
}

async function* following(head: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* head;
  yield* rest;
}

function tooMany(): Problem {
  return overloaded("Too many packed reports arrive at once. Send this one again.", 5);
}

function tooSlow(): never {
  const seconds = MAX_UNPACKING_MS / 1000;
  throw new Problem("request_timeout", `A packed report must arrive within ${seconds} s.`, {
    headers: { Connection: "close" },
  });
}
