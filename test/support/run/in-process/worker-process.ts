import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { duplexPair } from "node:stream";
import { errorOf } from "../../../../src/contract/refusal.ts";
import type { ReplyMessage, ToWorker } from "../../../../src/server/compute/messages.ts";
import { perform } from "../../../../src/server/compute/perform.ts";
import { createHost } from "../../../../src/server/indexing/host.ts";
import { loadKind } from "../../../../src/server/indexing/load-kind.ts";
import type { Asked, ToIndex } from "../../../../src/server/indexing/messages.ts";
import { FrameReader, framed } from "../../../../src/system/processes/frames.ts";
import { CHANNEL, startProcess as startReal } from "../../../../src/system/processes/worker-process.ts";
import { isInProcess } from "./is-in-process.ts";

export { CHANNEL };

type Post = (message: unknown, bytes?: Uint8Array) => void;
type Hear = (message: unknown, bytes: Buffer | undefined) => void;

const SERVED: Record<string, (post: Post) => Hear> = {
  "server/indexing/index-worker.ts": serveIndex,
  "server/compute/compute-worker.ts": serveJobs,
};

/**
 * Replaces that of `src/system/processes/worker-process.ts`: runs the code of worker processes in this process, where
 * mutants are active and no start-up is needed.
 */
export function startProcess(path: string, flags: readonly string[]): ChildProcess {
  const serve = SERVED[path];
  if (!serve || !isInProcess()) return startReal(path, flags);
  const [theirs, ours] = duplexPair();
  const hear = serve((message, bytes) => {
    if (ours.destroyed) return;
    for (const part of framed(message, bytes)) ours.write(part);
  });
  const reader = new FrameReader(({ value, bytes }) => hear(value, bytes));
  ours.on("data", (chunk: Buffer) => reader.push(chunk));
  for (const end of [ours, theirs]) end.on("error", () => {});
  const started = Object.assign(new EventEmitter(), {
    stdio: [null, null, null, theirs],
    stderr: null,
    kill: () => ours.destroy(),
  });
  return started as unknown as ChildProcess;
}

function serveIndex(post: Post): Hear {
  let tell: (message: Asked) => void = () => {};
  return (heard) => {
    const message = heard as ToIndex;
    if (message.type !== "opening") return tell(message);
    const { modules, maxBytes, maxSpaceBytes } = message;
    tell = createHost({
      load: (kind) => loadKind(kind, modules[kind]),
      post,
      maxBytes,
      maxSpaceBytes,
      monotonic: () => performance.now(),
      later: setImmediate,
      onTurn: (id) => post({ type: "turn", id }),
    });
  };
}

function serveJobs(post: Post): Hear {
  let settle: (reply: ReplyMessage) => void = () => {};
  const ask = <Answer>(question: string, payload: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      settle = (reply) =>
        "refusal" in reply ? reject(errorOf(reply.refusal)) : resolve(reply.answer as Answer);
      post({ type: "question", question, payload });
    });

  return async (heard, bytes = Buffer.alloc(0)) => {
    const message = heard as ToWorker;
    if (message.type === "reply") return settle(message);
    await perform(message, bytes, { ask, tell: post });
  };
}
