import { DAY_MS } from "../../system/durations.ts";

/** The recorded outcomes of a model for one kind of task; newer ones weigh more. */
export interface Tally {
  successes: number;
  failures: number;
  /** Unweighted number of outcomes, for display. */
  recorded: number;
  /** Unweighted number of successes, for display. */
  succeeded: number;
  /** Weighted mean latency of the timed outcomes. */
  latencyMs?: number;
  /** Weighted number of timed outcomes. */
  timed?: number;
  /** When the last one was recorded, in milliseconds since the epoch; absent in stores of earlier versions. */
  at?: number;
}

export const UNTRIED: Tally = { successes: 0, failures: 0, recorded: 0, succeeded: 0 };

/**
 * Decay of a recorded outcome with each later one. Providers change models under the same name, so that after
 * a hundred others an outcome counts an eighth.
 */
const FADING = 0.98;

/**
 * Time after which a recorded outcome counts half. A model that failed is seldom chosen again, so that without this it
 * would never be found to have become better.
 */
const HALF_LIFE_MS = 30 * DAY_MS;

export function afterOutcome(
  tally: Tally,
  success: boolean,
  latencyMs: number | undefined,
  now: number,
): Tally {
  const share = FADING * shareAt(tally, now);
  const timed = share * (tally.timed ?? 0) + 1;
  return {
    ...tally,
    successes: share * tally.successes + Number(success),
    failures: share * tally.failures + Number(!success),
    recorded: tally.recorded + 1,
    succeeded: tally.succeeded + Number(success),
    ...(latencyMs !== undefined && {
      timed,
      latencyMs: (tally.latencyMs ?? 0) + (latencyMs - (tally.latencyMs ?? 0)) / timed,
    }),
    at: now,
  };
}

/** Returns the share of its weights that a tally still has. */
function shareAt({ at = Infinity }: Tally, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

/** Weight of outcomes of other kinds of task. */
const OTHER_KINDS = 0.25;

export interface OutcomeRecord {
  successes: number;
  failures: number;
}

/** Outcomes from which a model's record counts, since a single one may be chance. */
const ENOUGH = 2;

/** Returns the record for one kind of task, including the weighted outcomes of other kinds. */
export function recordOf(
  byKind: Readonly<{ [kind: string]: Tally }>,
  kind: string,
  now: number,
): OutcomeRecord {
  const sum = { successes: 0, failures: 0 };
  const recorded = Object.values(byKind).reduce((count, tally) => count + tally.recorded, 0);
  if (recorded < ENOUGH) return sum;
  for (const [of, tally] of Object.entries(byKind)) {
    const weight = (of === kind ? 1 : OTHER_KINDS) * shareAt(tally, now);
    sum.successes += weight * tally.successes;
    sum.failures += weight * tally.failures;
  }
  return sum;
}
