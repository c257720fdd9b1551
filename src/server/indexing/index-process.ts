import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { errorOf } from "../../contract/refusal.ts";
import type { Clock } from "../../system/clock.ts";
import { FrameReader, framed } from "../../system/frames.ts";
import type { Log } from "../../system/log.ts";
import { builtModule } from "../../system/processes/built-module.ts";
import { CHANNEL, startProcess } from "../../system/processes/worker-process.ts";
import type { ApplyMessage, AskMessage, FromIndex, Reply, ToIndex } from "./messages.ts";
import { PieceQueue } from "./piece-queue.ts";

/** Without its number, which the process's keeper gives it. */
export type Request = Omit<ApplyMessage, "id"> | Omit<AskMessage, "id">;

export interface Sent {
  reply: Promise<Exclude<Reply, { type: "refusal" }>>;
  /** What comes behind the reply, piece by piece. */
  text: AsyncIterable<Buffer>;
  /** Nobody waits for it any more. */
  withdraw(): void;
}

export interface IndexProcess {
  /** Grows with each process that ended: what it held is gone. */
  readonly generation: number;
  /** Starts the process where there is none. The reply rejects with `ProcessEnded` where the process does. */
  send(request: Request): Sent;
  close(): void;
}

/** The process that was to answer is gone, and with it all that it held. */
export class ProcessEnded extends Error {
  constructor(
    /** Whether it ended while it worked on this very request. */
    readonly atFault: boolean,
    readonly generation: number,
    options?: ErrorOptions,
  ) {
    super("the index process ended", options);
  }
}

interface Pending {
  resolve(reply: Exclude<Reply, { type: "refusal" }>): void;
  reject(error: unknown): void;
  text: PieceQueue;
}

/** A process that is at one turn for so many ticks listens to nobody any more: it is ended. */
const MAX_TICKS = 3;
const TICK_MS = 5000;
/** Of what it said last. */
const MAX_WORDS = 4096;

export interface IndexProcessOptions {
  clock: Pick<Clock, "every">;
  log?: Pick<Log, "debug">;
  maxHeapMb: number;
  /** Of all projections, and of one. */
  maxBytes: number;
  maxSpaceBytes: number;
  /** Of each kind of projection: the module that exports its `HostedKind`. */
  modules: Readonly<Record<string, URL>>;
  /** Of the worker's file, relative to `src/`. */
  path?: string;
}

/** Keeps the index process: starts it for the first request, and again for the next after it has ended. */
export function createIndexProcess({
  clock,
  log,
  maxHeapMb,
  maxBytes,
  maxSpaceBytes,
  modules,
  path = "server/indexing/index-worker.ts",
}: IndexProcessOptions): IndexProcess {
  let running: ChildProcess | undefined;
  let generation = 0;
  let lastId = 0;
  /** The number of the request that is worked on, or 0; and how many turns there have been. */
  let current = 0;
  let turns = 0;
  const pending = new Map<number, Pending>();

  let seen = 0;
  let ticks = 0;
  const stopWatch = clock.every(TICK_MS, () => {
    const isStuck = current !== 0 && turns === seen;
    seen = turns;
    ticks = isStuck ? ticks + 1 : 0;
    if (ticks < MAX_TICKS) return;
    ticks = 0;
    running?.kill("SIGKILL");
  });

  function start(): ChildProcess {
    const started = startProcess(path, [`--max-old-space-size=${maxHeapMb}`]);
    const reader = new FrameReader(({ value }) => hear(value as FromIndex));
    const channel = channelOf(started);
    channel.on("data", (chunk: Buffer) => reader.push(chunk));
    // It has ended in the middle of what it was told: `close` says so.
    channel.on("error", () => {});
    let lastWords = "";
    started.stderr?.setEncoding("utf8").on("data", (words: string) => {
      lastWords = (lastWords + words).slice(-MAX_WORDS);
    });
    started.on("error", (error) => end(started, error));
    started.on("close", () => end(started, new Error(lastWords)));
    running = started;
    log?.debug({ pid: started.pid, generation }, "the index process has started");
    tell({ type: "opening", modules: builtModules(modules), maxBytes, maxSpaceBytes });
    return started;
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
    const isOver = message.type !== "done" || !message.hasText;
    if (isOver) forget(id);
    if (message.type === "refusal") request.reject(errorOf(message.refusal));
    else request.resolve(message);
    if (isOver) request.text.end();
  }

  function end(ended: ChildProcess, cause: unknown): void {
    if (running !== ended) return;
    running = undefined;
    generation++;
    const fault = current;
    current = 0;
    ended.kill("SIGKILL");
    channelOf(ended).destroy();
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
    if (pending.size === 0) hold(false);
  }

  /** An index that nobody waits for keeps no server from ending. */
  function hold(isHeld: boolean): void {
    if (!running) return;
    const handles = [running, channelOf(running), running.stderr] as Partial<NodeJS.RefCounted>[];
    for (const handle of handles) (isHeld ? handle?.ref : handle?.unref)?.call(handle);
  }

  function tell(message: ToIndex): void {
    if (!running) return;
    const channel = channelOf(running);
    channel.cork();
    for (const part of framed(message)) channel.write(part);
    channel.uncork();
  }

  return {
    get generation() {
      return generation;
    },
    send(request) {
      const id = ++lastId;
      if (!running) start();
      hold(true);
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
    close() {
      stopWatch();
      if (running) end(running, undefined);
    },
  };
}

function channelOf(started: ChildProcess): Duplex {
  return started.stdio[CHANNEL] as Duplex;
}

function builtModules(modules: Readonly<Record<string, URL>>): Record<string, string> {
  return Object.fromEntries(Object.entries(modules).map(([kind, url]) => [kind, builtModule(url)]));
}
