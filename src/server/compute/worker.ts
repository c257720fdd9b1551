import type { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { Problem } from "../../contract/problem.ts";
import { errorOf, refusalOf } from "../../contract/refusal.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Clock } from "../../system/clock.ts";
import type { Frame } from "../../system/processes/frames.ts";
import { channelTo, type WorkerChannel } from "../../system/processes/worker-channel.ts";
import { startProcess } from "../../system/processes/worker-process.ts";
import type { FromWorker, JobMessage, OutputMessage, ToWorker } from "./messages.ts";

export interface WorkerOptions {
  /** The worker's file, relative to `src/`. */
  path: string;
  /** The bound of its JavaScript heap. */
  memoryMiB: number;
  clock: Pick<Clock, "sleep">;
  /** How long it may leave a job alone that it was given. */
  beginMs: number;
}

export interface WorkerJob {
  message: JobMessage;
  body: Uint8Array;
  answers: Record<string, (payload: never) => Promise<unknown>>;
  /** Answers it: with its output, which may come in parts, or an error. Only the first call counts. */
  settle(outcome: Outcome): void;
}

type Outcome = { output: unknown } | { error: unknown };

export interface WorkerEvents {
  /** It has started and works on its job. */
  onBegun(): void;
  /** Its job begins or stops to wait for an answer of the server. */
  onWaiting(isWaiting: boolean): void;
  /** It is ready for another job. */
  onIdle(): void;
  /** It has left its job alone for too long, and is ended: it was stopped, for example. */
  onStuck(): void;
  /** The process could not be started. */
  onNotStarted(error: Error): void;
  /** The process was killed from outside. */
  onKilled(signal: NodeJS.Signals): void;
  /** It has ended and does no more jobs. */
  onEnd(): void;
}

const NOTHING: Uint8Array = new Uint8Array(0);
/** What V8 prints when a process runs out of heap memory. */
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;
/** The kernel sends SIGKILL if the machine runs out of memory. A faulty job ends its process with neither signal. */
const SENT_BY_OTHERS: ReadonlySet<NodeJS.Signals> = new Set(["SIGKILL", "SIGTERM"]);

/**
 * A process that does one job after another. A thread would cost less, but a job that exhausts its memory within one
 * large allocation would crash the whole server (docs/decisions/0013-bodies-are-worked-on-in-processes.md).
 */
export class Worker {
  readonly #process: ChildProcess;
  readonly #channel: WorkerChannel;
  readonly #events: WorkerEvents;
  #job: WorkerJob | undefined;
  /** The stream of an output that comes in parts. */
  #parts: Readable | undefined;
  #isOver = false;
  readonly #options: WorkerOptions;
  /** Aborts once the job has begun, or is settled. */
  #begun = new AbortController();

  constructor(options: WorkerOptions, hears: WorkerEvents) {
    const { path, memoryMiB } = options;
    this.#options = options;
    this.#events = hears;
    this.#process = startProcess(path, [`--max-old-space-size=${memoryMiB}`]);
    this.#channel = channelTo(this.#process, (frame) => this.#receive(frame));
    this.#process.on("error", (error) => {
      if (this.#isOver) return;
      hears.onNotStarted(error);
      this.#end(overloaded("What would work on this could not be started. Try again.", 5));
    });
    this.#process.on("close", (code, signal) => {
      // After `#end`, the signal is our own.
      if (!this.#isOver) this.#end(this.#cause(code, signal));
    });
    this.#channel.hold(false);
  }

  get isIdle(): boolean {
    return this.#job === undefined && !this.#isOver;
  }

  run(job: WorkerJob): void {
    this.#job = job;
    this.#channel.hold(true);
    this.#begun = new AbortController();
    const { clock, beginMs } = this.#options;
    clock.sleep(beginMs, this.#begun.signal).then(
      () => this.#giveUp(),
      () => {},
    );
    try {
      this.#send(job.message, job.body);
    } catch (error) {
      // The message could not be serialised, so the worker never received it.
      this.#settle({ error });
    }
  }

  #giveUp(): void {
    this.#events.onStuck();
    this.#end(overloaded("What was to work on this did not begin. Try again.", 1));
  }

  /** Kills the process. Its job, if any, fails with `error`. */
  end(error?: unknown): void {
    this.#end(error);
  }

  #send(message: ToWorker, bytes?: Uint8Array): void {
    this.#channel.send(message, bytes);
  }

  #receive({ value, bytes }: Frame): void {
    const message = value as FromWorker;
    if (message.type === "begun") {
      this.#begun.abort();
      this.#events.onBegun();
    } else if (message.type === "output") this.#settle({ output: outputOf(message, bytes) });
    else if (message.type === "parts") this.#begin();
    else if (message.type === "part") this.#parts?.push(outputOf(message, bytes));
    else if (message.type === "refusal") this.#settle({ error: errorOf(message.refusal) });
    else if (this.#job) void this.#answer(this.#job, message.question, message.payload);
  }

  async #answer(job: WorkerJob, question: string, payload: unknown): Promise<void> {
    this.#events.onWaiting(true);
    const reply = (message: ToWorker): void => {
      if (this.#job !== job || this.#isOver) return;
      this.#send(message);
      this.#events.onWaiting(false);
    };
    try {
      const answer = job.answers[question];
      if (!answer) throw new Error(`nobody answers the question ${question}`);
      // Throws, too, where the answer cannot be serialised.
      reply({ type: "reply", answer: await answer(payload as never) });
    } catch (error) {
      // Told as the original error: the log needs all of it, of which the worker would return a part.
      if (this.#job === job && !(error instanceof Problem)) this.#tell({ error });
      reply({ type: "reply", refusal: refusalOf(error) });
    }
  }

  /** Begins an output in parts. The job is answered now, so that they are read as they come, but is not over. */
  #begin(): void {
    // `read` does nothing: the process pushes parts at its own pace.
    this.#parts = new Readable({ objectMode: true, read() {} });
    // Readers get the error from the stream. Without a reader it must not crash the process.
    this.#parts.on("error", () => {});
    this.#job?.settle({ output: this.#parts });
  }

  #settle(outcome: Outcome): void {
    if (this.#isOver) return;
    this.#channel.hold(false);
    this.#finish(outcome);
    this.#events.onIdle();
  }

  #finish(outcome: Outcome): void {
    this.#tell(outcome);
    this.#job = undefined;
    this.#parts = undefined;
    this.#begun.abort();
  }

  /** Tells an outcome to whoever asked for the job, or reads its parts. */
  #tell(outcome: Outcome): void {
    if (!this.#parts) this.#job?.settle(outcome);
    else if ("error" in outcome) this.#parts.destroy(outcome.error as Error);
    else this.#parts.push(null);
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#channel.destroy();
    this.#process.kill("SIGKILL");
    this.#finish({ error });
    this.#events.onEnd();
  }

  #cause(code: number | null, signal: NodeJS.Signals | null): unknown {
    const lastWords = this.#channel.lastWords();
    if (OUT_OF_MEMORY.test(lastWords)) {
      return new Problem(
        "payload_too_large",
        "This takes more memory than a job may have. Send less at once.",
      );
    }
    if (signal !== null && SENT_BY_OTHERS.has(signal)) {
      this.#events.onKilled(signal);
      return overloaded("What worked on this was ended by its machine. Try again.", 5);
    }
    return new Error(`the worker ended before its job (${signal ?? code})\n${lastWords}`);
  }
}

function outputOf({ output, isBytes }: OutputMessage, bytes = NOTHING): unknown {
  return isBytes ? bytes : output;
}
