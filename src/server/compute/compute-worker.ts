import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { JobHost } from "../../contract/compute.ts";
import { faultsOf, invalidRequest } from "../../contract/faults.ts";
import { jobs } from "../../tools/jobs.ts";
import { mediaTypeOf, membersOf, parseJson } from "../json-body.ts";
import type { FromThread, JobMessage, ReplyMessage, ThreadData, ToThread } from "./messages.ts";
import { errorOf, refusalOf } from "./refusal.ts";

/** A thread that does one job after another for `pool.ts`. */

const port = parentPort;
if (!port) throw new Error("this file is a worker thread's");
const { aborted } = workerData as ThreadData;
const isAborted = new Int32Array(aborted);

// On Linux the priority is the thread's own: what computes gives way to what carries messages.
if (process.platform === "linux") setPriority(5);

let asked: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | undefined;

port.on("message", async (message: ToThread) => {
  if (message.type === "reply") return settle(message);
  tell({ type: "begun" });
  tell(await outcomeOf(message));
});

function tell(message: FromThread): void {
  const output = message.type === "output" ? message.output : undefined;
  port?.postMessage(message, output instanceof Uint8Array ? [output.buffer as ArrayBuffer] : []);
}

async function outcomeOf(message: JobMessage): Promise<FromThread> {
  try {
    return { type: "output", output: await perform(message) };
  } catch (error) {
    return { type: "refusal", refusal: refusalOf(error) };
  }
}

async function perform({ job: name, body, contentType, context }: JobMessage): Promise<unknown> {
  const load = jobs[name];
  if (!load) throw new Error(`there is no job ${name}`);
  const { endpoint, run, bodies } = await load();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const read = bodies[mediaTypeOf(contentType)];
  if (read) return read(bytes);
  const parsed = endpoint.input.strict().safeParse(membersOf(parseJson(bytes, contentType)));
  if (!parsed.success) throw invalidRequest(faultsOf(parsed.error));
  return run(parsed.data, hostOf(context));
}

function hostOf(context: unknown): JobHost<never> {
  return {
    context: context as never,
    isAborted: () => Atomics.load(isAborted, 0) === 1,
    ask<Answer>(question: string, payload: unknown) {
      return new Promise<Answer>((resolve, reject) => {
        asked = { resolve: resolve as (answer: unknown) => void, reject };
        tell({ type: "question", question, payload });
      });
    },
  };
}

/** A job asks one question at a time. */
function settle(message: ReplyMessage): void {
  if ("refusal" in message) asked?.reject(errorOf(message.refusal));
  else asked?.resolve(message.answer);
}
