import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Frame, FrameReader, framed } from "./frames.ts";
import { CHANNEL } from "./worker-process.ts";

/** The server's end of the pipe to a worker process. */
export interface WorkerChannel {
  /** Throws, and sends nothing, if the message cannot be serialised. */
  send(message: unknown, bytes?: Uint8Array): void;
  /** Keeps the server's process alive for this worker, or no longer. */
  hold(isHeld: boolean): void;
  /** Returns the end of what the worker has printed on stderr. */
  lastWords(): string;
  destroy(): void;
}

/** The number of characters kept of the end of a worker's stderr. */
const MAX_WORDS = 4096;

/** Returns the channel to a process that `startProcess` has started. @param hear called with each of its messages */
export function channelTo(worker: ChildProcess, hear: (frame: Frame) => void): WorkerChannel {
  const channel = worker.stdio[CHANNEL] as Duplex;
  const handles = [worker, channel, worker.stderr] as Partial<NodeJS.RefCounted>[];
  listen(channel, hear);
  // The process ended while it was written to; its `close` event reports that.
  channel.on("error", () => {});
  let lastWords = "";
  worker.stderr?.setEncoding("utf8").on("data", (words: string) => {
    lastWords = (lastWords + words).slice(-MAX_WORDS);
  });
  return {
    send: (message, bytes) => send(channel, message, bytes),
    hold(isHeld) {
      for (const handle of handles) (isHeld ? handle?.ref : handle?.unref)?.call(handle);
    },
    lastWords: () => lastWords,
    destroy: () => channel.destroy(),
  };
}

/** Returns a worker's end of the channel. The worker ends with the server, even if that crashes. */
export function channelToServer(hear: (frame: Frame) => void): Pick<WorkerChannel, "send"> {
  const channel = new Socket({ fd: CHANNEL });
  listen(channel, hear);
  channel.on("error", () => process.exit());
  channel.on("end", () => process.exit());
  return { send: (message, bytes) => send(channel, message, bytes) };
}

function listen(channel: Duplex, hear: (frame: Frame) => void): void {
  const reader = new FrameReader(hear);
  channel.on("data", (chunk: Buffer) => reader.push(chunk));
}

/** Writes the chunks of a message together, as one write costs less than several. */
function send(channel: Duplex, message: unknown, bytes: Uint8Array | undefined): void {
  const chunks = framed(message, bytes);
  channel.cork();
  for (const chunk of chunks) channel.write(chunk);
  channel.uncork();
}
