import { rounded, toldValue } from "./buckets.ts";
import type { CohortDocument } from "./documents.ts";

/** Each step of a percentile holds as many projects, but in the smallest cohorts. */
const MIN_IN_STEP = 5;
const STEPS = [1, 2, 5, 10, 20, 25];

/**
 * What may be said of a cohort. Values are told in steps that keep their order, so whatever is read here,
 * however often and about whichever value, was the same if every project had measured a told value.
 */
export class Cohort {
  readonly projects: number;
  readonly #hidden: number;
  /** Told values with their numbers of projects, ascending. */
  readonly #steps: [value: number, projects: number][] = [];

  constructor({ projects, accounts, largest, buckets }: CohortDocument) {
    this.projects = projects;
    this.#hidden = accounts === 1 ? projects : projects - largest + 1;
    const counts = new Map<number, number>();
    for (const [bucket, count] of Object.entries(buckets)) {
      const value = toldValue(Number(bucket), this.#hidden);
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    this.#steps = [...counts].sort(([left], [right]) => left - right);
  }

  /** Between the two values next to it (Hyndman and Fan's type 7, as R and NumPy have it). */
  quantile(share: number): number {
    const position = share * (this.projects - 1);
    const below = Math.floor(position);
    const lower = this.#valueAt(below);
    return rounded(
      lower + (position - below) * (this.#valueAt(Math.min(below + 1, this.projects - 1)) - lower),
    );
  }

  /**
   * Shares of the projects below a bucket's told value and above it; those that have it count half.
   *
   * @param instead of this one, which is told of the same project
   */
  shares(bucket: number, instead = bucket): { below: number; above: number } {
    const [own, before] = [toldValue(bucket, this.#hidden), toldValue(instead, this.#hidden)];
    let [below, equal] = before < own ? [-1, 1] : before > own ? [0, 1] : [0, 0];
    for (const [value, projects] of this.#steps) {
      if (value < own) below += projects;
      else if (value === own) equal += projects;
    }
    const lower = (below + equal / 2) / this.projects;
    return { below: lower, above: 1 - lower };
  }

  /**
   * Shares of the others: with a lower told value, with the same, with a higher one. Values that are told the
   * same are no reason to place one before the other: the worst of a cohort is better than nobody.
   *
   * @param told the bucket that the cohort counts of this project; absent where it is not counted yet
   */
  others(bucket: number, told?: number): { lower: number; same: number; higher: number } {
    const own = toldValue(bucket, this.#hidden);
    const before = told === undefined ? undefined : toldValue(told, this.#hidden);
    let [lower, same] = [before !== undefined && before < own ? -1 : 0, before === own ? -1 : 0];
    for (const [value, projects] of this.#steps) {
      if (value < own) lower += projects;
      else if (value === own) same += projects;
    }
    const count = this.projects - (told === undefined ? 0 : 1);
    return { lower: lower / count, same: same / count, higher: (count - lower - same) / count };
  }

  /** A share in percent, in steps that five projects fill where there are twenty. */
  percent(share: number): number {
    const step = STEPS.find((each) => each * this.#hidden >= 100 * MIN_IN_STEP) ?? 25;
    return Math.round((100 * share) / step) * step;
  }

  #valueAt(rank: number): number {
    let left = rank;
    for (const [value, projects] of this.#steps) {
      if (left < projects) return value;
      left -= projects;
    }
    return 0;
  }
}
