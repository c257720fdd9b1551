import type { Worker } from "node:worker_threads";
import type { Clock } from "../../system/clock.ts";
import { startWorker } from "../../system/worker.ts";
import { errorOf } from "../compute/refusal.ts";
import type { ApplyMessage, AskMessage, FromThread, Reply, ThreadData, ToThread } from "./messages.ts";
import { PieceQueue } from "./piece-queue.ts";

/** Without its number, which the thread's keeper gives it. */
export type Request = Omit<ApplyMessage, "id"> | Omit<AskMessage, "id">;

export interface Sent {
  reply: Promise<Exclude<Reply, { type: "refusal" }>>;
  /** What comes behind the reply, piece by piece. */
  text: AsyncIterable<Buffer>;
  /** Nobody waits for it any more. */
  withdraw(): void;
}

export interface IndexThread {
  /** Grows with each thread that ended: what it held is gone. */
  readonly generation: number;
  /** Starts the thread where there is none. The reply rejects with `ThreadEnded` where the thread does. */
  send(request: Request): Sent;
  close(): Promise<void>;
}

/** The thread that was to answer is gone, and with it all that it held. */
export class ThreadEnded extends Error {
  constructor(
    /** Whether it ended while it worked on this very request. */
    readonly atFault: boolean,
    readonly generation: number,
    options?: ErrorOptions,
  ) {
    super("the index thread ended", options);
  }
}

interface Pending {
  resolve(reply: Exclude<Reply, { type: "refusal" }>): void;
  reject(error: unknown): void;
  text: PieceQueue;
}

/** A thread that is at one turn for so many ticks listens to nobody any more: it is ended. */
const MAX_TICKS = 3;
const TICK_MS = 5000;

export interface IndexThreadOptions {
  clock: Pick<Clock, "every">;
  maxHeapMb: number;
  /** Of all projections, and of one. */
  maxBytes: number;
  maxSpaceBytes: number;
  /** Of the worker's file, relative to `src/`. */
  path?: string;
}

/** Keeps the index thread: starts it for the first request, and again for the next after it has ended. */
export function createIndexThread({
  clock,
  maxHeapMb,
  maxBytes,
  maxSpaceBytes,
  path = "server/indexing/index-worker.ts",
}: IndexThreadOptions): IndexThread {
  let worker: Worker | undefined;
  let generation = 0;
  let lastId = 0;
  /** The number of the request that is worked on, and how many turns there have been. */
  const current = new Int32Array(new SharedArrayBuffer(8));
  const pending = new Map<number, Pending>();

  let turn = 0;
  let ticks = 0;
  const stopWatch = clock.every(TICK_MS, () => {
    const isStuck = current[0] !== 0 && current[1] === turn;
    turn = current[1] as number;
    ticks = isStuck ? ticks + 1 : 0;
    if (ticks < MAX_TICKS || !worker) return;
    ticks = 0;
    void worker.terminate();
  });

  function start(): Worker {
    const workerData: ThreadData = {
      current: current.buffer as SharedArrayBuffer,
      maxBytes,
      maxSpaceBytes,
    };
    const started = startWorker(path, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    started.on("message", hear);
    started.on("error", (error) => end(started, error));
    started.on("exit", () => end(started, undefined));
    return started;
  }

  function hear(message: FromThread): void {
    const { id } = message;
    const request = pending.get(id);
    if (!request) return;
    if (message.type === "text") {
      if (message.piece) request.text.push(message.piece);
      else request.text.end(message.refusal && errorOf(message.refusal));
      if (!message.piece) forget(id);
      return;
    }
    const isOver = message.type !== "done" || !message.hasText;
    if (isOver) forget(id);
    if (message.type === "refusal") request.reject(errorOf(message.refusal));
    else request.resolve(message);
    if (isOver) request.text.end();
  }

  function end(ended: Worker, cause: unknown): void {
    if (worker !== ended) return;
    worker = undefined;
    generation++;
    const fault = Atomics.exchange(current, 0, 0);
    const requests = [...pending];
    pending.clear();
    for (const [id, { reject, text }] of requests) {
      const error = new ThreadEnded(id === fault, generation, { cause });
      reject(error);
      text.end(error);
    }
  }

  function forget(id: number): void {
    pending.delete(id);
    // A thread that nobody waits for keeps no process alive.
    if (pending.size === 0) worker?.unref();
  }

  function tell(message: ToThread): void {
    worker?.postMessage(message);
  }

  return {
    get generation() {
      return generation;
    },
    send(request) {
      const id = ++lastId;
      worker ??= start();
      worker.ref();
      const withdraw = () => {
        if (!pending.has(id)) return;
        forget(id);
        tell({ type: "withdraw", id });
      };
      const text = new PieceQueue({ onTaken: () => tell({ type: "taken", id }), onLeft: withdraw });
      const reply = new Promise<Exclude<Reply, { type: "refusal" }>>((resolve, reject) => {
        pending.set(id, { resolve, reject, text });
      });
      tell({ ...request, id });
      return { reply, text, withdraw };
    },
    async close() {
      stopWatch();
      const ending = worker;
      if (!ending) return;
      end(ending, undefined);
      await ending.terminate();
    },
  };
}
