import type { Job, JobHost } from "../../contract/compute.ts";
import type { ComputedEndpoint } from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import { mediaTypeOf, membersOf, parseJson } from "../pipeline/json-body.ts";
import type { JobMessage } from "./messages.ts";

/** Does a job with the body of its request, which is parsed and checked here. */
export async function perform(
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

type AnyJob = Job<ComputedEndpoint, never>;

async function load(name: string, module: string): Promise<AnyJob> {
  const exported: Record<string, unknown> = await import(module);
  const found = Object.values(exported).find((value) => (value as AnyJob | null)?.endpoint?.name === name);
  if (found) return found as AnyJob;
  throw new Error(`${module} exports no job of ${name}: export const job = jobOf(contract.…, …)`);
}
