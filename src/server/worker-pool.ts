import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { Compute } from "../contract/compute.ts";
import { Problem, type ProblemCode } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import { startWorker } from "../system/worker.ts";

/** What a worker is told, and what it answers. */
export interface TaskMessage {
  task: string;
  input: unknown;
}
export type TaskAnswer =
  | { output: unknown }
  | { problem: { error: ProblemCode; detail: string; members?: Record<string, unknown> } }
  | { failure: string };

export interface WorkerPool {
  compute: Compute;
  close(): Promise<void>;
}

interface Job extends TaskMessage {
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  job?: Job;
  /** Ends the thread when its time is over, whether it computes too long or has nothing to do. */
  timer: AbortController;
}

const STOPPING = "The server is stopping.";

/**
 * Threads are started when they are needed and end after half a minute without work, so that a server
 * that computes nothing pays nothing.
 *
 * @param path of the worker's file, relative to `src/`.
 */
export function createWorkerPool({
  path,
  clock,
  size = Math.max(1, availableParallelism() - 1),
  mostWaiting = 64,
  deadlineMs = 30_000,
  idleMs = 30_000,
}: {
  path: string;
  clock: Clock;
  size?: number;
  mostWaiting?: number;
  deadlineMs?: number;
  idleMs?: number;
}): WorkerPool {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let closed = false;

  const compute: Compute = (task, input) =>
    new Promise((resolve, reject) => {
      if (closed) return reject(overloaded(STOPPING));
      if (waiting.length >= mostWaiting)
        return reject(overloaded("All workers are busy and enough wait already."));
      waiting.push({ task, input, resolve: resolve as Job["resolve"], reject });
      assign();
    });

  function assign(): void {
    for (const thread of threads) {
      if (waiting.length === 0) return;
      if (!thread.job) give(thread, waiting.shift() as Job);
    }
    while (waiting.length > 0 && threads.size < size) give(start(), waiting.shift() as Job);
  }

  function start(): Thread {
    const worker = startWorker(path);
    const thread: Thread = { worker, timer: new AbortController() };
    worker.unref();
    worker.on("message", (answer: TaskAnswer) => finish(thread, answer));
    worker.on("error", (error) => end(thread, error));
    worker.on("exit", () => end(thread, new Error("the worker ended before its task")));
    threads.add(thread);
    return thread;
  }

  function give(thread: Thread, job: Job): void {
    thread.job = job;
    thread.worker.ref();
    limit(thread, deadlineMs, () => {
      job.reject(overloaded(`The task took longer than ${deadlineMs / 1000} s. Send less at once.`));
      end(thread, undefined);
    });
    const message: TaskMessage = { task: job.task, input: job.input };
    try {
      thread.worker.postMessage(message);
    } catch (error) {
      // What cannot be cloned: the thread has not heard of it.
      job.reject(error);
      end(thread, undefined);
    }
  }

  function finish(thread: Thread, answer: TaskAnswer): void {
    const { job } = thread;
    delete thread.job;
    thread.worker.unref();
    limit(thread, idleMs, () => end(thread, undefined));
    if (job) settle(job, answer);
    assign();
  }

  /** Replaces whatever time the thread had left. */
  function limit(thread: Thread, ms: number, over: () => void): void {
    thread.timer.abort();
    thread.timer = new AbortController();
    clock.sleep(ms, thread.timer.signal).then(over, () => {});
  }

  function end(thread: Thread, error: unknown): void {
    if (!threads.delete(thread)) return;
    thread.timer.abort();
    void thread.worker.terminate();
    if (error) thread.job?.reject(error);
    assign();
  }

  return {
    compute,
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(overloaded(STOPPING));
      const ending = [...threads].map(({ worker }) => worker.terminate());
      for (const thread of [...threads]) end(thread, overloaded(STOPPING));
      await Promise.all(ending);
    },
  };
}

function settle({ resolve, reject }: Job, answer: TaskAnswer): void {
  if ("output" in answer) resolve(answer.output);
  else if ("failure" in answer) reject(new Error(answer.failure));
  else {
    const { error, detail, members } = answer.problem;
    reject(new Problem(error, detail, members ? { members } : {}));
  }
}

function overloaded(detail: string): Problem {
  return new Problem("overloaded", detail, { headers: { "Retry-After": "1" } });
}
