import { Socket } from "node:net";
import { setPriority } from "node:os";
import type { Job, JobHost } from "../../contract/compute.ts";
import type { ComputedEndpoint } from "../../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../../contract/faults.ts";
import { FrameReader, framed } from "../../system/frames.ts";
import { CHANNEL } from "../../system/worker-process.ts";
import { mediaTypeOf, membersOf, parseJson } from "../pipeline/json-body.ts";
import type { FromWorker, JobMessage, ReplyMessage, ToWorker } from "./messages.ts";
import { errorOf, refusalOf } from "./refusal.ts";

/** A process that does one job after another for `pool.ts`. */

const channel = new Socket({ fd: CHANNEL });
let asked: { resolve: (answer: unknown) => void; reject: (error: unknown) => void } | undefined;

// What computes gives way to what carries messages.
setPriority(5);
const reader = new FrameReader(({ value, bytes }) => void hear(value as ToWorker, bytes));
channel.on("data", (chunk: Buffer) => reader.push(chunk));
channel.on("error", () => process.exit());
// The server has ended, however that was.
channel.on("end", () => process.exit());

async function hear(message: ToWorker, body: Buffer = Buffer.alloc(0)): Promise<void> {
  if (message.type === "reply") return settle(message);
  tell({ type: "begun" });
  try {
    const output = await perform(message, body);
    if (output instanceof Uint8Array) tell({ type: "output", output: undefined, isBytes: true }, output);
    else tell({ type: "output", output, isBytes: false });
  } catch (error) {
    tell({ type: "refusal", refusal: refusalOf(error) });
  }
}

function tell(message: FromWorker, bytes?: Uint8Array): void {
  const parts = framed(message, bytes);
  channel.cork();
  for (const part of parts) channel.write(part);
  channel.uncork();
}

async function perform({ job, module, contentType, context }: JobMessage, body: Buffer): Promise<unknown> {
  const { endpoint, run, bodies } = await load(job, module);
  const read = bodies[mediaTypeOf(contentType)];
  if (read) return read(body);
  const parsed = endpoint.input.strict().safeParse(membersOf(parseJson(body, contentType)));
  if (!parsed.success) throw invalidRequest(faultsOf(parsed.error));
  return run(parsed.data, { context: context as never, ask });
}

type AnyJob = Job<ComputedEndpoint, never>;

async function load(name: string, module: string): Promise<AnyJob> {
  const exported: Record<string, unknown> = await import(module);
  const found = Object.values(exported).find((value) => (value as AnyJob | null)?.endpoint?.name === name);
  if (found) return found as AnyJob;
  throw new Error(`${module} exports no job of ${name}: export const job = jobOf(contract.…, …)`);
}

const ask: JobHost["ask"] = <Answer>(question: string, payload: unknown) =>
  new Promise<Answer>((resolve, reject) => {
    asked = { resolve: resolve as (answer: unknown) => void, reject };
    tell({ type: "question", question, payload });
  });

/** A job asks one question at a time. */
function settle(message: ReplyMessage): void {
  if ("refusal" in message) asked?.reject(errorOf(message.refusal));
  else asked?.resolve(message.answer);
}
