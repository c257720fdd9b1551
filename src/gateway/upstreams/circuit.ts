import type { Clock } from "../../system/clock.ts";

export type CircuitState = "closed" | "open" | "half-open";

/**
 * A circuit breaker (Nygard, Release It!). After several failures in a row the upstream gets no requests for a while;
 * then one request probes it, and the others follow if that succeeds.
 */
export interface Circuit {
  /** Returns the milliseconds until the next try, or 0 if a request may be sent now. It must then be settled. */
  enter(): number;
  /**
   * Records whether the upstream answered properly; undefined if nobody waited for it.
   *
   * @param since monotonic milliseconds when it was asked. A failure is ignored if another request succeeded since
   * then.
   */
  settle(succeeded: boolean | undefined, since: number): void;
  readonly state: CircuitState;
}

const FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** @param onChange called when the circuit opens after it was closed, and when it closes again. */
export function createCircuit(
  clock: Pick<Clock, "monotonic">,
  onChange: (isUp: boolean) => void = () => {},
): Circuit {
  let failures = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let retryAt: number | undefined;
  /** Start of the probe while it is running. */
  let tryingSince: number | undefined;
  let lastSuccessAt = Number.NEGATIVE_INFINITY;

  return {
    enter() {
      if (retryAt === undefined) return 0;
      const now = clock.monotonic();
      if (retryAt > now) return retryAt - now;
      if (tryingSince !== undefined) return FIRST_PAUSE_MS;
      tryingSince = now;
      return 0;
    },
    settle(succeeded, since) {
      const tried = tryingSince !== undefined && since >= tryingSince;
      if (tried || succeeded) tryingSince = undefined;
      if (succeeded === undefined || (!succeeded && lastSuccessAt >= since)) return;
      if (succeeded) {
        lastSuccessAt = clock.monotonic();
        failures = 0;
        if (retryAt !== undefined) onChange(true);
        retryAt = undefined;
        pauseMs = FIRST_PAUSE_MS;
        return;
      }
      failures += 1;
      if (failures < FAILURES || (retryAt !== undefined && !tried)) return;
      if (retryAt === undefined) onChange(false);
      retryAt = clock.monotonic() + pauseMs;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    },
    get state() {
      if (retryAt === undefined) return "closed";
      return retryAt > clock.monotonic() ? "open" : "half-open";
    },
  };
}
