import type { Pace } from "../../contract/compute.ts";

export interface Queued {
  account: string;
  pace: Pace;
}

/**
 * Who is next where accounts share threads: of those who wait, whoever runs least at the moment, then
 * whoever has used least lately. Each account's own jobs keep their order, short and long ones apart.
 */
export class FairQueue<J extends Queued> {
  /** By account; never an empty one. */
  readonly #waiting = new Map<string, J[]>();
  readonly #runningOf: (account: string) => number;
  readonly #usedBy: (account: string) => number;

  /**
   * @param runningOf how many jobs of an account run.
   * @param usedBy how much an account has used lately, in any unit.
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

  /** Takes the next job of one of the paces. */
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

  /** Takes a job out before its turn; false where it is not there. */
  remove(job: J): boolean {
    const jobs = this.#waiting.get(job.account);
    const at = jobs?.indexOf(job) ?? -1;
    if (!jobs || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#waiting.delete(job.account);
    return true;
  }

  /** Those that wait, account by account. */
  waiting(): J[] {
    return [...this.#waiting.values()].flat();
  }

  /** Takes them all out. */
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
