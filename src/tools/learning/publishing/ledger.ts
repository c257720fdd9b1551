import { GLOBAL, type Transaction } from "../../../store/store.ts";
import { type CohortDocument, cohorts, type ShareDocument, shares } from "../documents.ts";

const PAGE = 100;

/** The cohorts that a transaction counts in. Each is read once and written at the end. */
export class Ledger {
  readonly #cohorts = new Map<string, CohortDocument>();
  readonly #shares = new Map<string, ShareDocument>();
  readonly #changed = new Set<string>();
  /** Cohorts in which an account with the most projects lost one, so that `largest` must be computed again. */
  readonly #shrunk = new Set<string>();

  constructor(readonly tx: Transaction) {}

  async cohort(key: string): Promise<CohortDocument> {
    const known = this.#cohorts.get(key);
    if (known) return known;
    const found = (await this.tx.get(cohorts, GLOBAL, key)) ?? emptyCohort();
    this.#cohorts.set(key, found);
    return found;
  }

  /** Whether no other account has projects in the cohort. */
  async isOnly(key: string, account: string): Promise<boolean> {
    const { accounts } = await this.cohort(key);
    return accounts === 0 || (accounts === 1 && (await this.#share(`${key}>${account}`)).projects > 0);
  }

  /** Adds a project to a cohort's bucket, or removes it. */
  async count(key: string, account: string, bucket: number, by: 1 | -1): Promise<void> {
    const cohort = await this.cohort(key);
    const share = await this.#share(`${key}>${account}`);
    this.#changed.add(key);
    if (share.projects === 0) cohort.accounts++;
    if (by < 0 && share.projects === cohort.largest) this.#shrunk.add(key);
    share.projects += by;
    if (share.projects === 0) cohort.accounts--;
    cohort.largest = Math.max(cohort.largest, share.projects);
    cohort.projects += by;
    const left = (cohort.buckets[bucket] ?? 0) + by;
    if (left === 0) delete cohort.buckets[bucket];
    else cohort.buckets[bucket] = left;
  }

  async write(): Promise<void> {
    for (const [id, share] of this.#shares) {
      if (share.projects > 0) await this.tx.put(shares, GLOBAL, id, share);
      else await this.tx.delete(shares, GLOBAL, id);
    }
    for (const key of this.#shrunk) {
      const cohort = await this.cohort(key);
      cohort.largest = await this.#largestOf(key, cohort.largest);
    }
    for (const key of this.#changed) {
      const cohort = await this.cohort(key);
      if (cohort.projects > 0) await this.tx.put(cohorts, GLOBAL, key, cohort);
      else await this.tx.delete(cohorts, GLOBAL, key);
    }
  }

  /**
   * Returns the number of projects of the largest account. Stops at the first with `most`: usually another
   * account has as many.
   */
  async #largestOf(key: string, most: number): Promise<number> {
    const prefix = `${key}>`;
    let [largest, after] = [0, prefix];
    for (;;) {
      const page = await this.tx.list(shares, GLOBAL, { prefix, after, limit: PAGE });
      largest = Math.max(largest, ...page.map(({ value }) => value.projects));
      if (largest === most || page.length < PAGE) return largest;
      after = page.at(-1)?.id ?? prefix;
    }
  }

  async #share(id: string): Promise<ShareDocument> {
    const known = this.#shares.get(id);
    if (known) return known;
    const found = (await this.tx.get(shares, GLOBAL, id)) ?? { projects: 0 };
    this.#shares.set(id, found);
    return found;
  }
}

function emptyCohort(): CohortDocument {
  return { projects: 0, accounts: 0, largest: 0, buckets: {} };
}
