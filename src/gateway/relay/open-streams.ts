import type { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";

/** Streams that last as long as their clients. */
export interface OpenStreams {
  /** Returns a signal that aborts with the client's, when the server stops, or when the credential becomes invalid. */
  begin(isValid: () => Promise<boolean>, signal: AbortSignal): AbortSignal;
  /** Ends all open streams. */
  end(): void;
}

const CHECK_MS = 5_000;

export function createOpenStreams(clock: Pick<Clock, "every">): OpenStreams {
  const open = new Set<AbortController>();
  return {
    begin(isValid, signal) {
      const over = new AbortController();
      const stop = clock.every(CHECK_MS, () => {
        // If the store is unavailable, the validity is unknown and the stream stays open.
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
      onAbort(signal, end);
      return over.signal;
    },
    end() {
      for (const over of open) over.abort(ended());
    },
  };
}

function ended(): Problem {
  return overloaded("The stream is over. Open it again.", 1);
}
