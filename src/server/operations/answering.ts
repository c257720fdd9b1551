import { AsyncLocalStorage } from "node:async_hooks";
import { DelegatingTransaction } from "../../store/delegating-transaction.ts";
import type { Role, Store, Transaction } from "../../store/store.ts";
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

/** The role of a transaction in one run of a handler, which reaches it as a member of its `Caller`. */
class RoleInRun<Name extends Role["role"]> implements Role {
  /** Private, so that a caller whose members are copied or written as JSON takes nothing of the run along. */
  readonly #run: Answering;

  constructor(
    readonly role: Name,
    run: Answering,
  ) {
    this.#run = run;
  }

  transact<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#run.isFinished) return store.transact(work);
    return this.role === "answer" ? this.#run.answer(store, work) : this.#run.step(store, work);
  }
}

/** One run of the handler of an endpoint that accepts an `Idempotency-Key`. */
export class Answering {
  readonly asAnswer = new RoleInRun("answer", this);
  readonly asStep = new RoleInRun("step", this);
  #committed: { result: unknown; answer: Answer } | undefined;
  #steps = 0;
  #over = false;

  constructor(readonly options: AnsweringOptions) {}

  /** Runs the handler. Its transactions on an `answeringStore` belong to this run if they have a role in it. */
  async run(handler: () => Promise<unknown>): Promise<{ answer: Answer; committed: boolean }> {
    let result: unknown;
    try {
      result = await (this.options.strict ? watched.run(this, handler) : handler());
    } finally {
      this.#over = true;
    }
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

  /** Runs a transaction without a role, which may have no effect. */
  read<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
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
        "answer: build the answer in the transaction that has the effect, store.transact(work, caller.answer), or " +
        'declare the endpoint idempotent: "repeatable" where a repeated effect changes nothing.',
    );
  }
}

/**
 * The run that a transaction without a role belongs to, for strict runs only: on Node 20 and 22, the first use makes every
 * promise of the process slower (docs/decisions/0032-a-transaction-names-its-request.md).
 */
const watched = new AsyncLocalStorage<Answering>();

/** Wraps a store for handlers: a transaction with a role in a request keeps what it gives for a repeat of the request. */
export function answeringStore(store: Store): Store {
  return {
    ...store,
    transact(work, as) {
      if (as instanceof RoleInRun) return as.transact(store, work);
      if (as !== undefined) return Promise.reject(noRole(as));
      const run = watched.getStore();
      return run && !run.isFinished ? run.read(store, work) : store.transact(work);
    },
  };
}

/** A tool in plain JavaScript may give anything. */
function noRole(as: unknown): TypeError {
  return new TypeError(
    `${JSON.stringify(as)} is no role of a transaction: use caller.answer or caller.step of the handler's caller.`,
  );
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
