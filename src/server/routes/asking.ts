import { requireOpen } from "../../accounts/shut.ts";
import { allows, type Caller } from "../../contract/caller.ts";
import {
  type AnyHandler,
  type Contract,
  type Endpoint,
  type Handlers,
  Reply,
} from "../../contract/endpoint.ts";
import { checked } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { defined } from "../../system/defined.ts";
import type { EndpointCalls } from "../../web/console/frame/endpoint-calls.ts";
import type { View } from "../../web/console/frame/section.ts";

type Raw = NonNullable<Reply["extras"]["raw"]>;

/**
 * Returns functions that call endpoints for the console: with the API's own handlers, and refused like the API's for
 * accounts that are shut.
 */
export function askingFor<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  callerOf: (view: View) => Caller,
): EndpointCalls<C> {
  const asking = Object.entries(contract).map(([name, endpoint]) => [
    name,
    async (input: unknown, view: View) => {
      if (endpoint.lane !== "control") requireOpen(view.visit.signedIn.account);
      return ask(endpoint, handlers[name] as AnyHandler, input, callerOf(view));
    },
  ]);
  return Object.fromEntries(asking) as EndpointCalls<C>;
}

async function ask(
  { scope, input: schema }: Endpoint,
  handler: AnyHandler,
  input: unknown,
  caller: Caller,
): Promise<unknown> {
  if (scope !== "public" && !allows(caller.credential.scopes, scope)) {
    throw new Problem("forbidden", `Your role lacks the scope ${scope}, which this needs.`);
  }
  const given = checked(schema, defined(input as object));
  const answer = await (handler as (input: unknown, caller: Caller) => Promise<unknown>)(given, caller);
  if (!(answer instanceof Reply)) return answer;
  return answer.extras.raw === undefined ? answer.body : JSON.parse(await textOf(answer.extras.raw));
}

async function textOf(raw: Raw): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of textsOf(raw)) pieces.push(piece);
  return pieces.join("");
}

/** Yields a raw body as text. */
export async function* textsOf(raw: Raw): AsyncGenerator<string> {
  if (typeof raw === "string") return yield raw;
  const decoder = new TextDecoder();
  for await (const piece of Buffer.isBuffer(raw) ? [raw] : raw) {
    yield typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
  }
}
