import { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";

/** Streams that last as long as their clients, or as an upstream has something to say. */
export interface OpenStreams {
  /** Returns a signal that aborts with the client's, when the server stops, or when the credential becomes invalid. */
  begin(isValid: () => Promise<boolean>, signal: AbortSignal): AbortSignal;
  /** Calls `onInvalid` once the credential has become invalid, unless the signal aborts before. */
  watch(isValid: () => Promise<boolean>, signal: AbortSignal, onInvalid: () => void): void;
  /** Ends all streams that were begun. */
  end(): void;
}

const CHECK_MS = 5_000;

export function createOpenStreams(clock: Pick<Clock, "every">): OpenStreams {
  const open = new Set<AbortController>();

  function watch(isValid: () => Promise<boolean>, signal: AbortSignal, onInvalid: () => void): void {
    const stop = clock.every(CHECK_MS, () => {
      // If the store is unavailable, the validity is unknown and the stream stays open.
      isValid().then(
        (holds) => holds || signal.aborted || onInvalid(),
        () => {},
      );
    });
    onAbort(signal, stop);
  }

  return {
    watch,
    begin(isValid, signal) {
      const over = new AbortController();
      open.add(over);
      watch(isValid, over.signal, () => over.abort(ended()));
      onAbort(over.signal, () => open.delete(over));
      onAbort(signal, () => over.abort(signal.reason));
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

/** Returns why an answer ends that comes as a stream, and whose credential was revoked, suspended or narrowed meanwhile. */
export function revoked(): Problem {
  return new Problem("invalid_token", "The credential of this request is no longer valid.");
}
