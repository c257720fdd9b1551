import { publishedValue, rounded } from "./buckets.ts";
import type { CohortDocument } from "./documents.ts";

/** Minimum number of projects in a step of a percentile, except in the smallest cohorts. */
const MIN_IN_STEP = 5;
/** Steps of percentiles, in percent. */
const STEPS = [1, 2, 5, 10, 20, 25];

/**
 * The figures of a cohort that may be published. Values are rounded to steps that keep their order. All
 * results, however often and with whichever value they are asked for, are the same as if every project had
 * measured such a rounded value.
 */
export class Cohort {
  readonly projects: number;
  readonly #hidden: number;
  /** Published values with their numbers of projects, ascending. */
  readonly #steps: [value: number, projects: number][] = [];

  constructor({ projects, accounts, largest, buckets }: CohortDocument) {
    this.projects = projects;
    this.#hidden = accounts === 1 ? projects : projects - largest + 1;
    const counts = new Map<number, number>();
    for (const [bucket, count] of Object.entries(buckets)) {
      const value = publishedValue(Number(bucket), this.#hidden);
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    this.#steps = [...counts].sort(([left], [right]) => left - right);
  }

  /** Returns a quantile by linear interpolation (Hyndman and Fan's type 7, the default of R and NumPy). */
  quantile(share: number): number {
    const position = share * (this.projects - 1);
    const below = Math.floor(position);
    const lower = this.#valueAt(below);
    return rounded(
      lower + (position - below) * (this.#valueAt(Math.min(below + 1, this.projects - 1)) - lower),
    );
  }

  /**
   * Returns the shares of the projects below and above a bucket's published value. Projects with that value
   * count half.
   *
   * @param instead the bucket that is published of the same project, and that `bucket` replaces
   */
  shares(bucket: number, instead = bucket): { below: number; above: number } {
    const [own, before] = [publishedValue(bucket, this.#hidden), publishedValue(instead, this.#hidden)];
    let [below, equal] = before < own ? [-1, 1] : before > own ? [0, 1] : [0, 0];
    for (const [value, projects] of this.#steps) {
      if (value < own) below += projects;
      else if (value === own) equal += projects;
    }
    const lower = (below + equal / 2) / this.projects;
    return { below: lower, above: 1 - lower };
  }

  /**
   * Returns the shares of the other projects with a lower, the same and a higher published value. Equal
   * values are not ordered: the worst of a cohort is better than nobody.
   *
   * @param told the bucket that the cohort counts of this project; absent if it is not counted yet
   */
  others(bucket: number, told?: number): { lower: number; same: number; higher: number } {
    const own = publishedValue(bucket, this.#hidden);
    const before = told === undefined ? undefined : publishedValue(told, this.#hidden);
    let [lower, same] = [before !== undefined && before < own ? -1 : 0, before === own ? -1 : 0];
    for (const [value, projects] of this.#steps) {
      if (value < own) lower += projects;
      else if (value === own) same += projects;
    }
    const count = this.projects - (told === undefined ? 0 : 1);
    return { lower: lower / count, same: same / count, higher: (count - lower - same) / count };
  }

  /** Rounds a share to percent, in steps that hold at least five projects in cohorts of twenty or more. */
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
