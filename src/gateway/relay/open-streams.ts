import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";

/** Streams that last as long as their clients do. */
export interface OpenStreams {
  /** The signal of one: aborts with the client's, once the server stops, or once the credential is over. */
  begin(isValid: () => Promise<boolean>, signal: AbortSignal): AbortSignal;
  /** Ends all that are open. */
  end(): void;
}

const CHECK_MS = 5_000;

export function createOpenStreams(clock: Pick<Clock, "every">): OpenStreams {
  const open = new Set<AbortController>();
  return {
    begin(isValid, signal) {
      const over = new AbortController();
      const stop = clock.every(CHECK_MS, () => {
        // While the store is away nobody knows, and nobody is sent away.
        isValid().then(
          (holds) => holds || over.abort(ended()),
          () => {},
        );
      });
      const end = () => {
        stop();
        open.delete(over);
        over.abort(signal.reason);
      };
      open.add(over);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
      return over.signal;
    },
    end() {
      for (const over of open) over.abort(ended());
    },
  };
}

function ended(): Problem {
  return new Problem("overloaded", "The stream is over. Open it again.", { headers: { "Retry-After": "1" } });
}
