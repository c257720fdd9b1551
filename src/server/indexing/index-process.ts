import type { ChildProcess } from "node:child_process";
import { errorOf } from "../../contract/refusal.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { builtModule } from "../../system/processes/built-module.ts";
import { NOT_STARTED } from "../../system/processes/with-pipes.ts";
import { channelTo, type WorkerChannel } from "../../system/processes/worker-channel.ts";
import { startProcess } from "../../system/processes/worker-process.ts";
import type { ApplyMessage, AskMessage, FromIndex, Reply, ToIndex } from "./messages.ts";
import { PieceQueue } from "./piece-queue.ts";

/** A request without its id, which is assigned when it is sent. */
export type Request = Omit<ApplyMessage, "id"> | Omit<AskMessage, "id">;

export interface Sent {
  reply: Promise<Exclude<Reply, { type: "refusal" }>>;
  /** The text that follows the reply, piece by piece. */
  text: AsyncIterable<Buffer>;
  /** Withdraws the request: what is left of its answer is not needed any more. Whoever reads the text gets an error. */
  withdraw(): void;
}

export interface IndexProcess {
  /** Grows when a process ends: everything it held is lost. */
  readonly generation: number;
  /** Sends a request and starts the process if none runs. The reply rejects with `ProcessEnded` if the process ends. */
  send(request: Request): Sent;
  close(): void;
}

/** The process ended before it replied, and everything it held is lost. */
export class ProcessEnded extends Error {
  constructor(
    /** Whether it ended while it worked on this request. */
    readonly atFault: boolean,
    readonly generation: number,
    options?: ErrorOptions,
  ) {
    super("the index process ended", options);
  }
}

interface Pending {
  isAnswered: boolean;
  resolve(reply: Exclude<Reply, { type: "refusal" }>): void;
  reject(error: unknown): void;
  text: PieceQueue;
}

/** A process that stays in one turn for this many ticks, or begins none although it is asked, hangs, and is killed. */
const MAX_TICKS = 3;
const TICK_MS = 5000;

export interface IndexProcessOptions {
  clock: Pick<Clock, "every">;
  log?: Pick<Log, "debug" | "warn">;
  maxHeapMb: number;
  /** Bounds of all projections together and of one. */
  maxBytes: number;
  maxSpaceBytes: number;
  /** By kind of projection, the module that exports its `HostedKind`. */
  modules: Readonly<Record<string, URL>>;
  /** The worker's file, relative to `src/`. */
  path?: string;
}

/** Manages the index process: starts it with the first request, and again with the next one after it has ended. */
export function createIndexProcess({
  clock,
  log,
  maxHeapMb,
  maxBytes,
  maxSpaceBytes,
  modules,
  path = "server/indexing/index-worker.ts",
}: IndexProcessOptions): IndexProcess {
  let running: { process: ChildProcess; channel: WorkerChannel } | undefined;
  let generation = 0;
  let lastId = 0;
  /** The id of the request that is worked on, or 0, and the number of the running process's turns so far. */
  let current = 0;
  let turns = 0;
  const pending = new Map<number, Pending>();

  let seen = 0;
  let ticks = 0;
  const stopWatch = clock.every(TICK_MS, () => {
    const isStuck = turns === seen && (current !== 0 || isKeptWaiting());
    seen = turns;
    ticks = isStuck ? ticks + 1 : 0;
    if (ticks < MAX_TICKS) return;
    ticks = 0;
    log?.warn({ pid: running?.process.pid }, "the index process hangs: it is replaced");
    running?.process.kill("SIGKILL");
  });

  /** Whether a process that has done something before leaves a request alone. One that starts may take its time. */
  function isKeptWaiting(): boolean {
    return turns > 0 && [...pending.values()].some(({ isAnswered }) => !isAnswered);
  }

  function start(): void {
    const started = startProcess(path, [`--max-old-space-size=${maxHeapMb}`]);
    const channel = channelTo(started, ({ value }) => hear(value as FromIndex));
    started.on("error", (err) => {
      if (running?.process === started) log?.warn({ err }, NOT_STARTED);
      end(started, err);
    });
    started.on("close", () => end(started, new Error(channel.lastWords())));
    running = { process: started, channel };
    log?.debug({ pid: started.pid, generation }, "the index process has started");
    tell({ type: "opening", modules: builtModules(modules), maxBytes, maxSpaceBytes });
  }

  function hear(message: FromIndex): void {
    const { id } = message;
    if (message.type === "turn") {
      current = id;
      turns++;
      return;
    }
    const request = pending.get(id);
    if (!request) return;
    if (message.type === "text") {
      if (message.piece) request.text.push(message.piece);
      else request.text.end(message.refusal && errorOf(message.refusal));
      if (!message.piece) forget(id);
      return;
    }
    request.isAnswered = true;
    const isOver = message.type !== "done" || !message.hasText;
    if (isOver) forget(id);
    if (message.type === "refusal") request.reject(errorOf(message.refusal));
    else request.resolve(message);
    if (isOver) request.text.end();
  }

  function end(ended: ChildProcess, cause: unknown): void {
    if (running?.process !== ended) return;
    running.channel.destroy();
    running = undefined;
    generation++;
    const fault = current;
    current = 0;
    turns = 0;
    ended.kill("SIGKILL");
    const requests = [...pending];
    pending.clear();
    for (const [id, { reject, text }] of requests) {
      const error = new ProcessEnded(id === fault, generation, { cause });
      reject(error);
      text.end(error);
    }
  }

  function forget(id: number): void {
    pending.delete(id);
    if (pending.size === 0) running?.channel.hold(false);
  }

  function tell(message: ToIndex): void {
    running?.channel.send(message);
  }

  return {
    get generation() {
      return generation;
    },
    send(request) {
      const id = ++lastId;
      if (!running) start();
      running?.channel.hold(true);
      const withdraw = () => {
        if (!pending.has(id)) return;
        forget(id);
        tell({ type: "withdraw", id });
        text.end(new Error("the answer was withdrawn"));
      };
      const text = new PieceQueue({ onTaken: () => tell({ type: "taken", id }), onLeft: withdraw });
      const reply = new Promise<Exclude<Reply, { type: "refusal" }>>((resolve, reject) => {
        pending.set(id, { isAnswered: false, resolve, reject, text });
      });
      tell({ ...request, id });
      return { reply, text, withdraw };
    },
    close() {
      stopWatch();
      if (running) end(running.process, undefined);
    },
  };
}

function builtModules(modules: Readonly<Record<string, URL>>): Record<string, string> {
  return Object.fromEntries(Object.entries(modules).map(([kind, url]) => [kind, builtModule(url)]));
}
