import { AsyncLocalStorage } from "node:async_hooks";
import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import type { Store, Transaction } from "../../store/store.ts";
import type { Answer } from "../pipeline/answer.ts";

export interface AnsweringOptions {
  /** The endpoint's name, for errors. */
  endpoint: string;
  /** Returns the HTTP answer for a handler's result. */
  render: (result: unknown) => Answer;
  /** Set if the request has an `Idempotency-Key`. */
  keep?: ReplayRecord | undefined;
  /** Whether to throw where a crash could separate an effect from its answer: in tests and development. */
  strict: boolean;
}

/** Keeps what a repeated request gets, in the transaction that has the effect. Rejects if the claim was lost. */
export interface ReplayRecord {
  answer(tx: Transaction, answer: Answer): Promise<void>;
  step(tx: Transaction, number: number, result: unknown): Promise<void>;
  /** Returns the result of a step that was already done; otherwise undefined. */
  stepDone(tx: Transaction, number: number): Promise<{ result?: unknown } | undefined>;
}

/** One run of the handler of an endpoint that accepts an `Idempotency-Key`. */
export class Answering {
  #committed: { result: unknown; answer: Answer } | undefined;
  #steps = 0;
  #over = false;

  constructor(readonly options: AnsweringOptions) {}

  /** Runs the handler. Its transactions on an `answeringStore` belong to this run. */
  async run(handler: () => Promise<unknown>): Promise<{ answer: Answer; committed: boolean }> {
    const result = await current.run(this, handler).finally(() => {
      this.#over = true;
    });
    const committed = this.#committed;
    if (!committed) return { answer: this.options.render(result), committed: false };
    if (this.options.strict && committed.result !== result) {
      throw this.#fault("gives something else than its answering transaction did, which a repeat would get");
    }
    return { answer: committed.answer, committed: true };
  }

  /**
   * Whether the handler has returned. What outlives it, such as a background task that it started, is not part of the
   * run.
   */
  get isFinished(): boolean {
    return this.#over;
  }

  /** Runs the transaction whose result is the answer. `undefined` is no answer; then nothing may have been written. */
  async answer<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { render, keep, strict } = this.options;
    if (this.#committed) throw this.#fault("answers twice");
    let answer: Answer | undefined;
    const result = await store.transact(async (tx) => {
      const noting = strict ? new NotingTransaction(tx) : undefined;
      const result = await work(noting ?? tx);
      answer = undefined;
      if (result === undefined) {
        if (noting?.hasWritten) throw this.#fault("writes in an answering transaction that gives no answer");
        return result;
      }
      answer = render(result);
      if (!isSuccess(answer))
        throw this.#fault(`commits an answer of ${answer.status}; throw a Problem instead`);
      await keep?.answer(tx, answer);
      return result;
    });
    if (answer) this.#committed = { result, answer };
    return result;
  }

  /** Runs a transaction that comes before the answer, or returns its result if it was already done. */
  step<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { keep } = this.options;
    if (!keep) return store.transact(work);
    const number = ++this.#steps;
    return store.transact(async (tx) => {
      const done = await keep.stepDone(tx, number);
      if (done) return done.result as T;
      const result = await work(tx);
      await keep.step(tx, number, result);
      return result;
    });
  }

  /** Runs any other transaction. */
  write<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (!this.options.strict) return store.transact(work);
    return store.transact(async (tx) => {
      const noting = new NotingTransaction(tx);
      const result = await work(noting);
      if (noting.hasWritten)
        throw this.#fault("has an effect in a transaction that is neither a step nor gives the answer");
      return result;
    });
  }

  #fault(what: string): Error {
    return new Error(
      `${this.options.endpoint} ${what}. After a crash its Idempotency-Key would repeat the effect or give another ` +
        'answer: build the answer in the transaction that has the effect, store.transact(work, "answer"), or ' +
        'declare the endpoint idempotent: "repeatable" where a repeated effect changes nothing.',
    );
  }
}

const current = new AsyncLocalStorage<Answering>();

/** Wraps a store for handlers: it knows which transaction gives the answer of the current request. */
export function answeringStore(store: Store): Store {
  return {
    ...store,
    transact(work, as) {
      const answering = current.getStore();
      if (!answering || answering.isFinished) return store.transact(work);
      if (as === "answer") return answering.answer(store, work);
      return as === "step" ? answering.step(store, work) : answering.write(store, work);
    },
  };
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** A transaction that notes whether anything was written. */
class NotingTransaction extends DelegatingTransaction {
  hasWritten = false;

  protected override onWrite(): void {
    this.hasWritten = true;
  }
}
