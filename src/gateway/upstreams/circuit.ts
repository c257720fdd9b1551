import type { Clock } from "../../system/clock.ts";

export type CircuitState = "closed" | "open" | "half-open";

/**
 * A circuit breaker (Nygard, Release It!): an upstream that failed some times in succession is left alone for a
 * while; then one request tries it, and the others follow where that goes well.
 */
export interface Circuit {
  /** Milliseconds until the next try, 0 where a request may go now. It then has to be settled. */
  enter(): number;
  /**
   * Whether the upstream did what it should; undefined: nobody waited for it.
   *
   * @param since monotonic milliseconds when it was asked: one that answered others meanwhile has not failed.
   */
  settle(went: boolean | undefined, since: number): void;
  readonly state: CircuitState;
}

const FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** @param onChange hears when it opens after it was closed, and when it closes again. */
export function createCircuit(
  clock: Pick<Clock, "monotonic">,
  onChange: (isUp: boolean) => void = () => {},
): Circuit {
  let failures = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let opensAt: number | undefined;
  /** When the request began that tries it, while that is under way. */
  let tryingSince: number | undefined;
  let wentAt = Number.NEGATIVE_INFINITY;

  return {
    enter() {
      if (opensAt === undefined) return 0;
      const now = clock.monotonic();
      if (opensAt > now) return opensAt - now;
      if (tryingSince !== undefined) return FIRST_PAUSE_MS;
      tryingSince = now;
      return 0;
    },
    settle(went, since) {
      const tried = tryingSince !== undefined && since >= tryingSince;
      if (tried || went) tryingSince = undefined;
      if (went === undefined || (!went && wentAt >= since)) return;
      if (went) {
        wentAt = clock.monotonic();
        failures = 0;
        if (opensAt !== undefined) onChange(true);
        opensAt = undefined;
        pauseMs = FIRST_PAUSE_MS;
        return;
      }
      failures += 1;
      if (failures < FAILURES || (opensAt !== undefined && !tried)) return;
      if (opensAt === undefined) onChange(false);
      opensAt = clock.monotonic() + pauseMs;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    },
    get state() {
      if (opensAt === undefined) return "closed";
      return opensAt > clock.monotonic() ? "open" : "half-open";
    },
  };
}
