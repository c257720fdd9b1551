import { type Kind, kindOf } from "../kind.ts";
import { createAftermath } from "./aftermath.ts";
import { createCounterWatch } from "./counter.ts";
import { createEnsemble, LONG } from "./ensemble.ts";
import {
  chanceOf,
  deviation,
  type Expectation,
  expectationOf,
  isOneStepBeyond,
  sideOf,
} from "./expectation.ts";
import type { Memory } from "./memory.ts";
import { createPauses, type Pause } from "./pauses.ts";
import { createRecent } from "./recent.ts";
import { createRecurrences } from "./recurrences.ts";
import { createSmallestStep } from "./smallest-step.ts";
import { createStillnessWatch, type Stillness } from "./stillness.ts";
import { createWeek, type Departure } from "./week.ts";

/** Points that must be known before anything is reported. */
export const MIN_POINTS = 10;
/** Points after a report within which only stranger ones are reported, so that an event is reported once. */
const REFRACTORY = 70;
/** Strangeness below which nothing is reported at any sensitivity. */
const MIN_STRANGENESS = 0.5;
/** While a metric is new, a point must also be this many usual deviations from the median. */
const MIN_DEVIATION = 4;
/** Few points scatter widely: `MIN_DEVIATION` is multiplied by 1 + `FEW_POINTS` / their number. */
const FEW_POINTS = 8;
/** Chance, judged by the outer values before, above which a point of a new metric is no news: once in 10,000 points. */
const MAX_CHANCE = 1e-4;
/** Strangeness of a value beyond a threshold that was set. */
const BEYOND_THRESHOLD = 4;

/** Strangeness of a metric that stands still. */
const STILL = 2;

/** A project's settings for a metric. */
export interface Settings {
  /** Values below it are always reported. */
  low?: number;
  /** Values above it are always reported. */
  high?: number;
  /** Longer pauses are missing data. Undefined means that this depends on the usual pauses. */
  maxGapMs?: number;
}

export interface Finding {
  kind: Kind;
  /** 1 is worth a report at medium sensitivity. */
  strangeness: number;
  expected: Expectation;
  /** The threshold that was set and that the value passed. */
  threshold?: number;
  /** The pause before the point. */
  pause?: Pause;
  /** Whether the point is only reported because a similar one was reported before. */
  again?: true;
  /** The last hour compared with the same hour of earlier weeks. */
  departure?: Departure;
  /** For how long the metric has not changed. */
  stillness?: Stillness;
  /** Number of points that it was judged by. */
  before: number;
}

export interface Detector {
  /** Starts another session. The pause before its first point is not missing data. */
  begin(): void;
  /** Returns the findings for the next point, judged only by the points before it. */
  judge(value: number, at: number, settings: Settings): readonly Finding[];
  seen(): number;
  /** Returns the expectation for the next value; undefined while too little is known. */
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
  const counter = createCounterWatch(memory);
  let wasBeyond = false;

  /** Whether a value is beyond chance: far off while the metric is new, and by more than one step of a count. */
  function isNotable(value: number, held: Float64Array, isNew: boolean): boolean {
    const expected = expectationOf(held);
    if (isNew && isChance(value, held, expected)) return false;
    return !isOneStepBeyond(value, expected, smallestStep.get());
  }

  /** Whether the few values of a new metric let a value be expected. */
  function isChance(value: number, held: Float64Array, expected: Expectation): boolean {
    if (deviation(value, held) < MIN_DEVIATION * (1 + FEW_POINTS / held.length)) return true;
    // Amid the usual values, it is not by its height that a value is strange.
    return sideOf(value, expected, 0) !== 0 && chanceOf(value, held) > MAX_CHANCE;
  }

  /** Whether a new score exceeds all recent ones. */
  function isStrangestOfLate(score: number): boolean {
    for (let back = 0; back < scores.count(); back++) if (scores.back(back) >= score) return false;
    return true;
  }

  /** Returns the departure of the last hours from the usual week, unless a recent point was already reported. */
  function departureBefore(value: number, at: number): Departure | undefined {
    const departure = week.next(value, at);
    return departure && isStrangestOfLate(1) ? departure : undefined;
  }

  function standstillAt(value: number, at: number): Stillness | undefined {
    const still = watch.next(value);
    const stopped = counter.next(value, at);
    return stopped ?? (counter.wasTold() ? undefined : still);
  }

  /** Returns the threshold that this value passes, if the previous value was not beyond one already. */
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
      const stillness = standstillAt(value, at);
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
