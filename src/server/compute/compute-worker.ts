import { setPriority } from "node:os";
import type { JobHost } from "../../contract/compute.ts";
import { errorOf } from "../../contract/refusal.ts";
import { channelToServer } from "../../system/processes/worker-channel.ts";
import type { FromWorker, ReplyMessage, ToWorker } from "./messages.ts";
import { perform } from "./perform.ts";

/** The worker process: it does one job after another for `pool.ts`. */

const channel = channelToServer(({ value, bytes }) => void hear(value as ToWorker, bytes));
let latest: Promise<unknown> = Promise.resolve();
let asked: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | undefined;

// A lower priority, so that jobs do not slow down the process that serves requests.
setPriority(5);

async function hear(message: ToWorker, body: Buffer = Buffer.alloc(0)): Promise<void> {
  if (message.type === "reply") return settle(message);
  await perform(message, body, { ask, tell });
}

function tell(message: FromWorker, bytes?: Uint8Array): void {
  channel.send(message, bytes);
}

/** Sends a job's questions one at a time, since a reply does not say which question it answers. */
const ask: JobHost["ask"] = <Answer>(question: string, payload: unknown) => {
  const answer = latest.then(() => askNow<Answer>(question, payload));
  latest = answer.catch(() => {});
  return answer;
};

function askNow<Answer>(question: string, payload: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    asked = { resolve: resolve as (answer: unknown) => void, reject };
    tell({ type: "question", question, payload });
  });
}

function settle(message: ReplyMessage): void {
  if ("refusal" in message) asked?.reject(errorOf(message.refusal));
  else asked?.resolve(message.answer);
}
