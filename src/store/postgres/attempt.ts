import type { Transaction } from "../store.ts";
import { type Patience, silence, type Waiter } from "./connection/patience.ts";
import { assertText } from "./writes.ts";

/** Says that the work has to be run again; its footprint says by now how. One for all: stacks are costly. */
export const AGAIN = new Error("the transaction has to be run again");

/** One run of a transaction's work. It waits for the database while any of its questions is open. */
export class Attempt implements Waiter {
  ticks = 0;
  /** Why it may not succeed, however its work goes on. */
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

  /** It ends so, and its work hears nothing more. */
  abandon(error: unknown): void {
    if (this.#abandoned) return;
    this.#abandoned = { error };
    this.#reject(error);
  }

  /** Its work has shown all that this run can show; it is never answered. */
  again(): Promise<never> {
    this.abandon(AGAIN);
    return new Promise(() => {});
  }

  giveUp(): void {
    this.abandon(silence());
  }

  /** For each operation of its transaction, with the names that it was given. */
  enter(...names: string[]): void {
    if (this.failure) throw this.failure;
    if (this.#over && !this.#abandoned) {
      throw new Error("the transaction is over: its work did not await it");
    }
    for (const name of names) assertText(name);
  }

  /** Puts a question to the store. Where that fails the attempt is abandoned. */
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

  /** How often in a row it was asked this while its work awaited something else than the store. */
  idle(): number {
    this.#idle = this.#asking > 0 ? 0 : this.#idle + 1;
    return this.#idle;
  }
}

/** A work that fails at once fails like any other. */
async function started<T>(work: (tx: Transaction) => Promise<T>, tx: Transaction): Promise<T> {
  return work(tx);
}
