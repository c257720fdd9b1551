import type { Pace } from "../../contract/compute.ts";

export interface Queued {
  account: string;
  pace: Pace;
}

/**
 * Decides whose job is next where accounts share workers: among those that wait, the account that runs the fewest jobs,
 * then the one that has used least lately. The jobs of an account stay in order, short and long ones separately.
 */
export class FairQueue<J extends Queued> {
  /** Jobs by account; never an empty list. */
  readonly #waiting = new Map<string, J[]>();
  readonly #runningOf: (account: string) => number;
  readonly #usedBy: (account: string) => number;

  /**
   * @param runningOf returns how many jobs of an account run.
   * @param usedBy returns how much an account has used lately, in any unit.
   */
  constructor(runningOf: (account: string) => number, usedBy: (account: string) => number) {
    this.#runningOf = runningOf;
    this.#usedBy = usedBy;
  }

  push(job: J): void {
    const jobs = this.#waiting.get(job.account);
    if (jobs) jobs.push(job);
    else this.#waiting.set(job.account, [job]);
  }

  /** Takes the next job that has one of the given paces. */
  take(paces: readonly Pace[]): J | undefined {
    let chosen: J | undefined;
    let least: readonly number[] = [];
    for (const [account, jobs] of this.#waiting) {
      const job = jobs.find(({ pace }) => paces.includes(pace));
      if (!job) continue;
      const load = [this.#runningOf(account), this.#usedBy(account)];
      if (chosen && !precedes(load, least)) continue;
      chosen = job;
      least = load;
    }
    if (chosen) this.remove(chosen);
    return chosen;
  }

  has(pace: Pace): boolean {
    for (const jobs of this.#waiting.values()) if (jobs.some((job) => job.pace === pace)) return true;
    return false;
  }

  /** Removes a job before its turn. Returns false if it is not queued. */
  remove(job: J): boolean {
    const jobs = this.#waiting.get(job.account);
    const at = jobs?.indexOf(job) ?? -1;
    if (!jobs || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#waiting.delete(job.account);
    return true;
  }

  /** Returns the waiting jobs, account by account. */
  waiting(): J[] {
    return [...this.#waiting.values()].flat();
  }

  /** Removes and returns all jobs. */
  drain(): J[] {
    const jobs = this.waiting();
    this.#waiting.clear();
    return jobs;
  }
}

function precedes(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at >= 0 && (one[at] as number) < (other[at] as number);
}
