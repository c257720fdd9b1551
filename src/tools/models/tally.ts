/** What was recorded of a model for one kind of task, the newest counting most. */
export interface Tally {
  successes: number;
  failures: number;
  /** How often in all, and how often with success: for people, unweighed. */
  recorded: number;
  succeeded: number;
  /** Mean of those that were timed. */
  latencyMs?: number;
  timed?: number;
}

export const UNTRIED: Tally = { successes: 0, failures: 0, recorded: 0, succeeded: 0 };

/** Providers change models under their names: what was recorded a hundred times ago counts an eighth. */
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

/** Outcomes of other kinds of task tell a quarter as much. */
const OTHER_KINDS = 0.25;

export interface Record {
  successes: number;
  failures: number;
}

/** One outcome alone may be chance: a model's record counts from the second on. */
const ENOUGH = 2;

/** Of one kind, with what the others tell of it. */
export function recordOf(byKind: Readonly<{ [kind: string]: Tally }>, kind: string): Record {
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
