import { availableParallelism } from "node:os";
import type { Pace, WorkOptions } from "../../contract/compute.ts";
import type { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { ComputeUse } from "../../metering/limits/bounds-report.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { builtModule } from "../../system/processes/built-module.ts";
import { memoryBytes } from "../../system/processes/heap.ts";
import { NOT_STARTED } from "../../system/processes/with-pipes.ts";
import { type ComputeBounds, createAllowance } from "./allowance.ts";
import { FairQueue } from "./fair-queue.ts";
import { Stopwatch } from "./stopwatch.ts";
import { Worker, type WorkerJob, type WorkerOptions } from "./worker.ts";

export interface ComputeRequest extends WorkOptions<unknown> {
  account: string;
  bounds: ComputeBounds;
  /** The endpoint's name. */
  job: string;
  /** The module that exports the job. */
  module: URL;
  pace: Pace;
  body: Uint8Array;
  contentType: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface WorkerPool {
  /** Rejects with a `Problem` or with what the job threw. */
  run(request: ComputeRequest): Promise<unknown>;
  useOf(account: string, bounds: ComputeBounds): ComputeUse;
  /** The number of waiting jobs, the age of the oldest of them, and the numbers of busy and of all workers. */
  state(): { waiting: number; longestWaitMs: number; running: number; workers: number };
  /** False once it is closed. */
  accepting(): boolean;
  close(): void;
}

export interface WorkerPoolOptions extends Pick<WorkerOptions, "path"> {
  clock: Clock;
  log?: Pick<Log, "debug" | "warn">;
  /** The usual number of workers; long jobs leave at least one of them to short ones. */
  size?: number;
  deadlineMs?: number;
  beginMs?: number;
  /** A job that is declared short counts as long once it has run for this time. */
  shortMs?: number;
  idleMs?: number;
  /** The bound of a worker's JavaScript heap; less where there is little memory. */
  memoryMiB?: number;
}

/** Jobs with a larger body count as long, whatever their endpoint declares. */
const MAX_SHORT_BYTES = 512 * 1024;
const MiB = 1024 * 1024;
const MEMORY_MIB = Math.min(1024, Math.max(256, Math.floor(memoryBytes() / MiB / 4)));
/** The least that a job is charged, so that jobs that are aborted at once are not free. */
const MIN_CHARGE_MS = 5;
/** What a job is charged in addition if its worker ended with it: the cost of starting another one. */
const RESTART_MS = 250;
/** Short jobs that turned out to be long may occupy this many times the usual number of workers. */
const MAX_CROWDING = 3;
/** How long such a job works before it may be ended, if other short jobs wait and no worker is left for them. */
const CROWDED_MS = 2000;
const STOPPING = "The server is stopping.";

interface Job extends WorkerJob {
  account: string;
  /** Monotonic milliseconds. */
  queuedAt: number;
  pace: Pace;
  bounds: ComputeBounds;
}

/** What a worker does at the moment: a job, or waiting for one. */
interface Shift {
  job?: Job;
  work: Stopwatch;
  /** Whether its job began as short and now counts as long. */
  isDemoted: boolean;
  /** Aborted when the shift ends. */
  timers: AbortController;
}

/**
 * Creates a pool of processes for the jobs of requests, shared fairly between accounts. Processes start on demand and
 * end after a while without work, so that a server that computes nothing pays nothing.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { clock, log, path } = options;
  const { size = Math.max(2, availableParallelism()), shortMs = 1000, idleMs = 30_000 } = options;
  const { deadlineMs = 30_000, beginMs = 30_000, memoryMiB = MEMORY_MIB } = options;
  const workers = new Map<Worker, Shift>();
  const allowance = createAllowance(clock);
  const queue = new FairQueue<Job>(runningOf, allowance.usedBy);
  let waiting = 0;
  let isClosed = false;

  function run(request: ComputeRequest): Promise<unknown> {
    const { account, bounds, signal, job: name, body, contentType, context, answers = {} } = request;
    const module = builtModule(request.module);
    if (isClosed) return Promise.reject(overloaded(STOPPING, 1));
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      allowance.admit(account, bounds);
      const job: Job = {
        account,
        queuedAt: clock.monotonic(),
        bounds,
        pace: body.length > MAX_SHORT_BYTES ? "long" : request.pace,
        answers,
        message: { type: "job", job: name, module, contentType, context },
        body,
        settle(outcome) {
          signal.removeEventListener("abort", abort);
          if ("output" in outcome) resolve(outcome.output);
          else reject(outcome.error);
        },
      };
      const abort = () => withdraw(job, signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      queue.push(job);
      waiting++;
      assign();
    });
  }

  /** Withdraws a job whose client has disconnected. */
  function withdraw(job: Job, error: unknown): void {
    if (queue.remove(job)) {
      waiting--;
      refuse(job, error);
    } else for (const [worker, shift] of workers) if (shift.job === job) worker.end(error);
  }

  /** Answers a job that no worker began. */
  function refuse(job: Job, error: unknown): void {
    allowance.release(job.account);
    job.settle({ error });
  }

  function assign(): void {
    for (let paces = open(); paces.length > 0; paces = open()) {
      const job = queue.take(paces);
      if (!job) break;
      waiting--;
      try {
        // Jobs ahead of it in the queue were charged after it was admitted.
        allowance.requireSeconds(job.account, job.bounds);
        give(idleWorker() ?? start(), job);
      } catch (error) {
        refuse(job, error);
      }
    }
    makeRoom();
  }

  /** Returns the paces of which one more job may start. */
  function open(): Pace[] {
    const paces = [...workers.values()].flatMap(({ job }) => job?.pace ?? []);
    const long = paces.filter((pace) => pace === "long").length;
    const short = paces.length - long;
    const most = Math.max(1, size - 1);
    return [
      ...(short < most && paces.length < MAX_CROWDING * size ? (["short"] as const) : []),
      ...(long < most && paces.length < size ? (["long"] as const) : []),
    ];
  }

  function runningOf(account: string): number {
    let count = 0;
    for (const { job } of workers.values()) if (job?.account === account) count++;
    return count;
  }

  function longestWait(): number {
    let since = clock.monotonic();
    const now = since;
    for (const { queuedAt } of queue.waiting()) since = Math.min(since, queuedAt);
    return now - since;
  }

  function idleWorker(): Worker | undefined {
    for (const worker of workers.keys()) if (worker.isIdle) return worker;
  }

  function start(): Worker {
    const worker = new Worker(
      { path, memoryMiB, clock, beginMs },
      {
        onBegun: () => watch(worker),
        onWaiting: (isWaiting) => workers.get(worker)?.work.pause(isWaiting),
        onIdle() {
          finish(worker);
          const { timers } = begin(worker, undefined);
          clock.sleep(idleMs, timers.signal).then(() => worker.end(), ignore);
          assign();
        },
        onStuck: () => log?.warn({}, "a worker did not begin its job: it is replaced"),
        onNotStarted: (err) => log?.warn({ err }, NOT_STARTED),
        onKilled(signal) {
          const { job } = workers.get(worker)?.job?.message ?? {};
          log?.warn({ signal, job }, "a worker was killed: has the machine run out of memory?");
        },
        onEnd() {
          finish(worker, RESTART_MS);
          workers.delete(worker);
          assign();
        },
      },
    );
    return worker;
  }

  function begin(worker: Worker, job: Job | undefined): Shift {
    const work = new Stopwatch(clock);
    const shift: Shift = { ...(job && { job }), work, isDemoted: false, timers: new AbortController() };
    workers.set(worker, shift);
    return shift;
  }

  function give(worker: Worker, job: Job): void {
    finish(worker);
    begin(worker, job);
    worker.run(job);
  }

  /** Starts the timers of a worker's job. They count the time it works, without its waits for answers of the server. */
  function watch(worker: Worker): void {
    const shift = workers.get(worker);
    if (!shift?.job) return;
    const { job, work, timers } = shift;
    work.start();
    const after = (ms: number, act: () => void): void => {
      const left = ms - work.elapsedMs();
      if (left <= 0) act();
      else clock.sleep(left, timers.signal).then(() => after(ms, act), ignore);
    };
    after(deadlineMs, () => worker.end(tooLong(deadlineMs)));
    if (job.pace === "long") return;
    after(shortMs, () => {
      // It counts as long from now on, which frees its place for short jobs.
      job.pace = "long";
      shift.isDemoted = true;
      assign();
    });
    after(CROWDED_MS, assign);
  }

  /** Ends the longest-running demoted job if demoted jobs occupy the pool while short jobs wait. */
  function makeRoom(): void {
    if (workers.size < MAX_CROWDING * size || !queue.has("short")) return;
    const crowding = [...workers].filter(
      ([, { isDemoted, work }]) => isDemoted && work.elapsedMs() >= CROWDED_MS,
    );
    const [longest] = crowding.sort(([, one], [, other]) => other.work.elapsedMs() - one.work.elapsedMs());
    if (longest)
      void longest[0].end(overloaded("This takes long and others wait. Try again, or send less.", 1));
  }

  /** Ends a worker's shift. Its job is charged, and over only now, although an output in parts was answered before. */
  function finish(worker: Worker, moreMs = 0): void {
    const shift = workers.get(worker);
    if (!shift) return;
    shift.timers.abort();
    if (!shift.job) return;
    const { account, message } = shift.job;
    const ms = shift.work.elapsedMs();
    log?.debug({ job: message.job, account, ms: Math.round(ms), isDemoted: shift.isDemoted }, "a job ended");
    allowance.release(account);
    allowance.charge(account, moreMs + Math.max(MIN_CHARGE_MS, ms));
    delete shift.job;
  }

  return {
    run,
    useOf: allowance.useOf,
    state: () => ({
      waiting,
      longestWaitMs: longestWait(),
      running: [...workers.values()].filter(({ job }) => job).length,
      workers: workers.size,
    }),
    accepting: () => !isClosed,
    close() {
      isClosed = true;
      waiting = 0;
      for (const job of queue.drain()) refuse(job, overloaded(STOPPING, 1));
      for (const worker of [...workers.keys()]) worker.end(overloaded(STOPPING, 1));
    },
  };
}

function ignore(): void {}

function tooLong(ms: number): Problem {
  return overloaded(`This took longer than ${ms / 1000} s. Send less at once.`, 1);
}
