import type { ResourceLimits, Worker } from "node:worker_threads";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { startWorker } from "../../system/worker.ts";
import type { FromThread, JobMessage, ThreadData, ToThread } from "./messages.ts";
import { errorOf, refusalOf } from "./refusal.ts";

export interface ThreadOptions {
  /** Of the worker's file, relative to `src/`. */
  path: string;
  clock: Clock;
  resourceLimits: ResourceLimits;
}

export interface ThreadJob {
  message: JobMessage;
  answers: Record<string, (payload: never) => Promise<unknown>>;
  settle(outcome: { output: unknown } | { error: unknown }): void;
}

export interface ThreadEvents {
  /** It works on its job: until then it started. */
  onBegun(): void;
  /** Its job waits for an answer of the main thread's, or no longer. */
  onWaiting(isWaiting: boolean): void;
  /** It is ready for another job. */
  onIdle(): void;
  /** It will do no more jobs. */
  onEnd(): void;
}

/** So long an aborted job may go on until its thread is ended. */
const ABORT_GRACE_MS = 50;

/** A worker thread that does one job after another. */
export class Thread {
  readonly #worker: Worker;
  readonly #aborted = new Int32Array(new SharedArrayBuffer(4));
  readonly #clock: Clock;
  readonly #hears: ThreadEvents;
  #job: ThreadJob | undefined;
  #isOver = false;

  constructor({ path, clock, resourceLimits }: ThreadOptions, hears: ThreadEvents) {
    const workerData: ThreadData = { aborted: this.#aborted.buffer as SharedArrayBuffer };
    this.#clock = clock;
    this.#hears = hears;
    this.#worker = startWorker(path, { workerData, resourceLimits });
    this.#worker.unref();
    this.#worker.on("message", (message: FromThread) => void this.#hear(message));
    this.#worker.on("error", (error) => this.#end(causeOf(error)));
    this.#worker.on("exit", () => this.#end(new Error("the worker ended before its job")));
  }

  get isIdle(): boolean {
    return this.#job === undefined && !this.#isOver;
  }

  run(job: ThreadJob): void {
    this.#job = job;
    this.#worker.ref();
    Atomics.store(this.#aborted, 0, 0);
    try {
      this.#tell(job.message, ownedMemory(job.message.body));
    } catch (error) {
      // What cannot be cloned: the thread has not heard of it.
      this.#settle({ error });
    }
  }

  /** Tells the job under way that nobody waits any more; a thread that does not listen is ended. */
  abort(job: ThreadJob): void {
    Atomics.store(this.#aborted, 0, 1);
    this.#clock.sleep(ABORT_GRACE_MS).then(
      () => this.#job === job && this.#end(undefined),
      () => {},
    );
  }

  /** @param error what its job is told. */
  end(error?: unknown): Promise<unknown> {
    this.#end(error);
    return this.#worker.terminate();
  }

  #tell(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  async #hear(message: FromThread): Promise<void> {
    if (message.type === "begun") this.#hears.onBegun();
    else if (message.type === "output") this.#settle({ output: message.output });
    else if (message.type === "refusal") this.#settle({ error: errorOf(message.refusal) });
    else if (this.#job) {
      this.#hears.onWaiting(true);
      const job = this.#job;
      await this.#answer(job, message.question, message.payload);
      if (this.#job === job) this.#hears.onWaiting(false);
    }
  }

  async #answer(job: ThreadJob, question: string, payload: unknown): Promise<void> {
    let reply: ToThread;
    try {
      const answer = job.answers[question];
      if (!answer) throw new Error(`nobody answers the question ${question}`);
      reply = { type: "reply", answer: await answer(payload as never) };
    } catch (error) {
      // As it is, and not as it comes back from the thread: the log wants the whole of it.
      if (!(error instanceof Problem)) job.settle({ error });
      reply = { type: "reply", refusal: refusalOf(error) };
    }
    if (this.#job === job && !this.#isOver) this.#tell(reply);
  }

  #settle(outcome: { output: unknown } | { error: unknown }): void {
    const job = this.#job;
    this.#job = undefined;
    if (this.#isOver) return;
    this.#worker.unref();
    job?.settle(outcome);
    this.#hears.onIdle();
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void this.#worker.terminate();
    const job = this.#job;
    this.#job = undefined;
    job?.settle({ error });
    this.#hears.onEnd();
  }
}

/** Longer bodies were gathered into memory of their own, which changes hands; shorter ones share Node's. */
const MAX_SHARED_BYTES = 64 * 1024;

function ownedMemory(body: Uint8Array): ArrayBuffer[] {
  return body.length > MAX_SHARED_BYTES ? [body.buffer as ArrayBuffer] : [];
}

function causeOf(error: NodeJS.ErrnoException): unknown {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  return new Problem("payload_too_large", "This takes more memory than a job may have. Send less at once.");
}
