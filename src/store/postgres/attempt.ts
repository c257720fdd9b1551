import type { Transaction } from "../store.ts";
import { type Patience, silence, type Waiter } from "./connection/patience.ts";
import { assertText } from "./writes.ts";

/**
 * Thrown to run the work again in the way that its footprint now requires. A single instance, since stack traces are
 * costly.
 */
export const AGAIN = new Error("the transaction has to be run again");

/** One run of a transaction's work. It waits for the database while any of its queries is unanswered. */
export class Attempt implements Waiter {
  ticks = 0;
  /** Why it may not succeed, even if its work does. */
  failure: Error | undefined;
  #over = false;
  #abandoned: { error: unknown } | undefined;
  #reject: (error: unknown) => void = () => {};
  #asking = 0;
  #idle = 0;

  constructor(readonly patience: Patience) {}

  async run<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<T> {
    try {
      const value = await new Promise<T>((resolve, reject) => {
        this.#reject = reject;
        started(work, tx).then(resolve, reject);
      });
      if (this.failure) throw this.failure;
      return value;
    } catch (error) {
      throw this.#abandoned ? this.#abandoned.error : (this.failure ?? error);
    } finally {
      this.#over = true;
    }
  }

  get abandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /** Ends the attempt with an error. Its work gets no more answers. */
  abandon(error: unknown): void {
    if (this.#abandoned) return;
    this.#abandoned = { error };
    this.#reject(error);
  }

  /** Ends the attempt to run the work again, since this run can show nothing more. Never resolves. */
  again(): Promise<never> {
    this.abandon(AGAIN);
    return new Promise(() => {});
  }

  giveUp(): void {
    this.abandon(silence());
  }

  /** Must be called by each operation of the transaction, with the names that it was given. */
  enter(...names: string[]): void {
    if (this.failure) throw this.failure;
    if (this.#over && !this.#abandoned) {
      throw new Error("the transaction is over: its work did not await it");
    }
    for (const name of names) assertText(name);
  }

  /** Queries the store. Abandons the attempt where that fails. Never resolves once the attempt is abandoned. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#asking++ === 0) this.patience.begin(this);
    try {
      if (!this.#abandoned) {
        const answer = await question();
        this.patience.renew(this);
        if (!this.#abandoned) return answer;
      }
    } catch (error) {
      this.abandon(error);
    } finally {
      if (--this.#asking === 0) this.patience.end(this);
    }
    return new Promise(() => {});
  }

  /** Returns how many times in a row it was called while the work awaited something other than the store. */
  idle(): number {
    this.#idle = this.#asking > 0 ? 0 : this.#idle + 1;
    return this.#idle;
  }
}

/** Turns an error that is thrown at once into a rejection. */
async function started<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<T> {
  return work(tx);
}
