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
}

export const UNTRIED: Tally = { successes: 0, failures: 0, recorded: 0, succeeded: 0 };

/**
 * Decay of a recorded outcome with each later one. Providers change models under the same name, so that after
 * a hundred others an outcome counts an eighth.
 */
const FADING = 0.98;

export function afterOutcome(tally: Tally, success: boolean, latencyMs: number | undefined): Tally {
  const timed = FADING * (tally.timed ?? 0) + 1;
  return {
    ...tally,
    successes: FADING * tally.successes + Number(success),
    failures: FADING * tally.failures + Number(!success),
    recorded: tally.recorded + 1,
    succeeded: tally.succeeded + Number(success),
    ...(latencyMs !== undefined && {
      timed,
      latencyMs: (tally.latencyMs ?? 0) + (latencyMs - (tally.latencyMs ?? 0)) / timed,
    }),
  };
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
export function recordOf(byKind: Readonly<{ [kind: string]: Tally }>, kind: string): OutcomeRecord {
  const sum = { successes: 0, failures: 0 };
  const recorded = Object.values(byKind).reduce((count, tally) => count + tally.recorded, 0);
  if (recorded < ENOUGH) return sum;
  for (const [of, tally] of Object.entries(byKind)) {
    const weight = of === kind ? 1 : OTHER_KINDS;
    sum.successes += weight * tally.successes;
    sum.failures += weight * tally.failures;
  }
  return sum;
}
