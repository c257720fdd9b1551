import type { Clock } from "../../system/clock.ts";
import { awaited } from "../../system/in-time.ts";

/** Proxies close idle connections, some after 30 s. */
const SILENCE_MS = 15_000;
const COMMENT = Buffer.from(":\n\n");

/** Passes an event stream on, with a comment whenever it is silent between two events (HTML §9.2.7). */
export async function* keptAlive(body: AsyncIterable<Buffer>, clock: Clock): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  let isBetween = true;
  try {
    let next = chunks.next();
    let isThere = awaited(next, clock);
    for (;;) {
      if (!(await isThere(SILENCE_MS))) {
        if (isBetween) yield COMMENT;
        continue;
      }
      const first = await next;
      if (first.done) return;
      isBetween = /\n\r?\n$/.test(first.value.toString("latin1", Math.max(0, first.value.length - 3)));
      yield first.value;
      next = chunks.next();
      isThere = awaited(next, clock);
    }
  } finally {
    await chunks.return?.();
  }
}
