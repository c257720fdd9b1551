import type { IncomingMessage } from "node:http";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { createTurns } from "../../system/turns.ts";
import { type Unpack, unpackerOf } from "../pipeline/inflate.ts";
import { tooLarge } from "../pipeline/request-body.ts";

const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** A sender that takes longer keeps others from their turn. */
const MAX_UNPACKING_MS = 10_000;
/** Packed; nearly all that real programs send. It is there as a whole before it takes a turn. */
const SHORT_BYTES = 64 * 1024;

export interface BodyOptions {
  /** Of the body as it arrives. */
  maxBytes: number;
  /** Whose turn it takes. */
  sender: string;
}

/**
 * Reads the body of a report while it arrives and is unpacked, so that none of it is held but what `read` keeps.
 * Packed ones take turns, fair to their senders: an unpacker can have 16 MiB, and makes much work of few bytes.
 */
export type ReadBody = <T>(
  req: IncomingMessage,
  options: BodyOptions,
  read: (body: AsyncIterable<Buffer>) => Promise<T>,
) => Promise<T>;

export function createReportBodies(clock: Clock): ReadBody {
  // Each holds 64 KiB, and costs nothing else, however slowly it comes.
  const arrivals = createTurns({ maxRunning: 256, maxOfOne: 16, maxWaiting: 256, refusal: overloaded });
  const shortTurns = createTurns({ maxRunning: 4, maxOfOne: 2, maxWaiting: 64, refusal: overloaded });
  // Who sends more has a turn for as long as it takes to arrive: that holds up others who send as much.
  const longTurns = createTurns({ maxRunning: 4, maxOfOne: 1, maxWaiting: 32, refusal: overloaded });

  async function unpackInTurn<T>(
    body: AsyncGenerator<Buffer>,
    unpack: Unpack,
    sender: string,
    read: (body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    const { head, isWhole } = await arrivals.run(sender, () => inTime(headOf(body)));
    const turns = isWhole ? shortTurns : longTurns;
    return turns.run(sender, () => inTime(read(unpack(following(head, body)))));
  }

  async function inTime<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const late = clock.sleep(MAX_UNPACKING_MS, over.signal).then((): never => {
      throw tooSlow();
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      over.abort();
    }
  }

  return async (req, { maxBytes, sender }, read) => {
    if (Number(req.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
    const unpack = unpackerOf(req.headers["content-encoding"], MAX_UNPACKED_BYTES);
    const body = arriving(req, maxBytes);
    try {
      return await (unpack ? unpackInTurn(body, unpack, sender, read) : read(body));
    } finally {
      // What was not read is let pass, so that the connection can go on, or end with the answer.
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

/** What a short body has, or the beginning of a long one. */
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

function overloaded(): Problem {
  return new Problem("overloaded", "Too many packed reports arrive at once. Send this one again.", {
    headers: { "Retry-After": "5" },
  });
}

function tooSlow(): Problem {
  const seconds = MAX_UNPACKING_MS / 1000;
  return new Problem("request_timeout", `A packed report must arrive within ${seconds} s.`, {
    headers: { Connection: "close" },
  });
}
