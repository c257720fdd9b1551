import type { IncomingMessage } from "node:http";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { createTurns } from "../../system/turns.ts";
import { unpackerOf } from "../pipeline/inflate.ts";
import { tooLarge } from "../pipeline/request-body.ts";

const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;
/** A sender that takes longer keeps others from their turn. */
const MAX_UNPACKING_MS = 10_000;

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
  const turns = createTurns({ maxRunning: 4, maxOfOne: 2, maxWaiting: 64, refusal: overloaded });

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
      return await (unpack ? turns.run(sender, () => inTime(read(unpack(body)))) : read(body));
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
