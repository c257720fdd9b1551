import { types } from "node:util";
import type { JobHost } from "../../contract/compute.ts";
import { checked } from "../../contract/faults.ts";
import { jobIn } from "../../contract/job.ts";
import { mediaTypeOf } from "../../contract/media-types.ts";
import { refusalOf } from "../../contract/refusal.ts";
import { membersOf, parseJson } from "../pipeline/json-body.ts";
import type { FromWorker, JobMessage } from "./messages.ts";

export interface Server extends Pick<JobHost, "ask"> {
  tell(message: FromWorker, bytes?: Uint8Array): void;
}

/** Runs a job with the body of its request and sends its outcome. */
export async function perform(message: JobMessage, body: Buffer, { ask, tell }: Server): Promise<void> {
  const give = (type: "output" | "part", output: unknown): void => {
    if (output instanceof Uint8Array) tell({ type, output: undefined, isBytes: true }, output);
    else tell({ type, output, isBytes: false });
  };
  tell({ type: "begun" });
  try {
    const output = await outputOf(message, body, ask);
    if (!types.isGeneratorObject(output)) return give("output", output);
    tell({ type: "parts" });
    for await (const part of output as Generator | AsyncGenerator) give("part", part);
    give("output", undefined);
  } catch (error) {
    tell({ type: "refusal", refusal: refusalOf(error) });
  }
}

/** Returns the job's output. The body is parsed and validated here. */
async function outputOf(
  { job, module, contentType, context }: JobMessage,
  body: Buffer,
  ask: JobHost["ask"],
): Promise<unknown> {
  const { endpoint, run, bodies } = await load(job, module);
  const read = bodies[mediaTypeOf(contentType)];
  if (read) return read(body);
  const given = checked(endpoint.input.strict(), membersOf(parseJson(body, contentType)));
  return run(given, { context: context as never, ask });
}

async function load(name: string, module: string) {
  const found = jobIn(await import(module), name);
  if (found) return found;
  throw new Error(`${module} exports no job of ${name}: export const job = jobOf(contract.…, …)`);
}
