import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import type { Said } from "./pending.ts";

/**
 * How long to wait for the answer to a request with a progress token before it is streamed. A stream is kept alive, and
 * carries the progress, but the official Python client reads no event of more than 1 MiB, and always asks for progress.
 */
const STREAMED_AFTER_MS = 10_000;

/** Returns the answer to a request if it comes soon and before any other message, or else all its messages. */
export async function earlyAnswer(
  messages: AsyncGenerator<Said, void>,
  clock: Pick<Clock, "sleep">,
): Promise<{ answer: Said } | { messages: AsyncGenerator<Said, void> }> {
  const first = messages.next();
  // Nobody may read the messages.
  first.catch(() => {});
  const soon = await inTime(first, { clock, ms: STREAMED_AFTER_MS, late: () => undefined });
  if (!soon?.value || "method" in soon.value) return { messages: all() };
  await messages.return();
  return { answer: soon.value };

  async function* all(): AsyncGenerator<Said, void> {
    try {
      for (let each = await first; !each.done; each = await messages.next()) yield each.value;
    } finally {
      await messages.return();
    }
  }
}
