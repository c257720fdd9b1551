import { type Kind, kindOf } from "../kind.ts";
import { createAftermath } from "./aftermath.ts";
import { createEnsemble, LONG } from "./ensemble.ts";
import { deviation, type Expectation, expectationOf, isOneStepBeyond } from "./expectation.ts";
import type { Memory } from "./memory.ts";
import { createPauses, type Pause } from "./pauses.ts";
import { createRecent } from "./recent.ts";
import { createRecurrences } from "./recurrences.ts";
import { createSmallestStep } from "./smallest-step.ts";
import { createStillnessWatch, type Stillness } from "./stillness.ts";
import { createWeek, type Departure } from "./week.ts";

/** On fewer points nothing is said. */
export const MIN_POINTS = 10;
/** One event is reported once: what follows within so many points must be stranger still. */
const REFRACTORY = 70;
/** Less is not worth a report at any sensitivity. */
const MIN_STRANGENESS = 0.5;
/** While everything is new, a point must also be so many usual deviations from the median … */
const MIN_DEVIATION = 4;
/** … and the more, the fewer points tell what is usual: by so many over their number, since that scatters widely. */
const FEW_POINTS = 8;
/** How strange it is to be beyond a threshold that was set. */
const BEYOND_THRESHOLD = 4;

/** How strange it is that a metric stands still. */
const STILL = 2;

/** What a project has said about a metric. */
export interface Settings {
  /** Where values go below or above, that is always reported. */
  low?: number;
  high?: number;
  /** Pauses are missing data from here on, instead of by what is usual. */
  maxGapMs?: number;
}

export interface Finding {
  kind: Kind;
  /** 1 is worth a report at medium sensitivity. */
  strangeness: number;
  expected: Expectation;
  /** Beyond a threshold that was set. */
  threshold?: number;
  /** The pause before it. */
  pause?: Pause;
  /** The like was reported before, and is known but for that. */
  again?: true;
  /** How the last hour was, and those of the weeks before. */
  departure?: Departure;
  /** For how long it has not changed. */
  stillness?: Stillness;
  /** How many points it was judged on. */
  before: number;
}

export interface Detector {
  /** Points from here on are another session's: the pause between is no missing data. */
  begin(): void;
  /** What there is to say about the next point, by the points before it alone. */
  judge(value: number, at: number, settings: Settings): readonly Finding[];
  seen(): number;
  /** Of what comes next; undefined as long as too little is known. */
  expectation(): Expectation | undefined;
}

const NOTHING: readonly Finding[] = [];

export function createDetector(memory: Memory): Detector {
  const ensemble = createEnsemble(memory);
  const { recent } = ensemble;
  const scores = createRecent(memory, REFRACTORY);
  const pauses = createPauses(memory);
  const aftermath = createAftermath(memory, recent, REFRACTORY);
  const smallestStep = createSmallestStep(memory);
  const recurrences = createRecurrences(memory, smallestStep);
  const watch = createStillnessWatch(memory);
  const week = createWeek(memory);
  let wasBeyond = false;

  /** Beyond what comes by chance: far off while everything is new, and by more than one of what is counted. */
  function isNotable(value: number, held: Float64Array, isNew: boolean): boolean {
    const least = MIN_DEVIATION * (1 + FEW_POINTS / held.length);
    if (isNew && deviation(value, held) < least) return false;
    return !isOneStepBeyond(value, expectationOf(held), smallestStep.get());
  }

  /** Among the last scores, the new one left out. */
  function isStrangestOfLate(score: number): boolean {
    for (let back = 0; back < scores.count(); back++) if (scores.back(back) >= score) return false;
    return true;
  }

  /** What the last hours were, unless a point of late was reported already. */
  function departureBefore(value: number, at: number): Departure | undefined {
    const departure = week.next(value, at);
    return departure && isStrangestOfLate(1) ? departure : undefined;
  }

  /** The threshold that values pass with this one. */
  function passed(value: number, { low, high }: Settings): number | undefined {
    const limit =
      high !== undefined && value > high ? high : low !== undefined && value < low ? low : undefined;
    const again = wasBeyond;
    wasBeyond = limit !== undefined;
    return again ? undefined : limit;
  }

  return {
    begin() {
      pauses.begin();
      wasBeyond = false;
    },
    seen: () => recent.seen(),
    expectation: () => (recent.seen() < MIN_POINTS ? undefined : expectationOf(recent.values())),
    judge(value, at, settings) {
      const seen = recent.seen();
      const leaving = recent.count() === LONG ? [recent.back(LONG - 1)] : [];
      const isNew = ensemble.isNewAt(at);
      const novelty = ensemble.score(value, at);
      const before = () => Float64Array.from([...leaving, ...recent.values().subarray(0, -1)]);
      const again = recurrences.strangeness(value, before);
      const score = Math.max(novelty, again);
      const strange = seen >= MIN_POINTS && score >= MIN_STRANGENESS && isNotable(value, before(), isNew);
      if (seen > 0) smallestStep.learn(value, recent.back(1));
      const novel = strange && isStrangestOfLate(score);
      scores.push(strange ? score : 0);
      const threshold = passed(value, settings);
      const pause = pauses.before(at, settings.maxGapMs);
      const departure = departureBefore(value, at);
      const stillness = watch.next(value);
      const outcome = aftermath.next(value);
      const isTelling = novel || threshold !== undefined || pause || outcome || departure || stillness;
      if (seen < MIN_POINTS || !isTelling) return NOTHING;

      const held = before();
      const about = { expected: expectationOf(held), before: held.length };
      const found: Finding[] = [];
      if (threshold !== undefined) {
        const kind = value > threshold ? "spike" : "drop";
        found.push({ kind, strangeness: Math.max(score, BEYOND_THRESHOLD), threshold, ...about });
      } else if (departure && !outcome && !(novel && score >= departure.strangeness)) {
        const kind = departure.mean > departure.usual ? "spike" : "drop";
        found.push({ kind, strangeness: departure.strangeness, departure, ...about });
      } else if (novel && !outcome) {
        const isAgain = again > novelty ? { again: true as const } : {};
        found.push({ kind: kindOf(value, held), strangeness: score, ...isAgain, ...about });
      }
      if (outcome) found.push(outcome);
      else if (novel) aftermath.begin(score, about);
      if (novel && score >= 1) recurrences.report(value, score, about.expected);
      if (stillness && outcome?.kind !== "variance") {
        found.push({ kind: "variance", strangeness: STILL, stillness, ...about });
      }
      if (pause) found.push({ kind: "missing_data", strangeness: pause.strangeness, pause, ...about });
      return found;
    },
  };
}
