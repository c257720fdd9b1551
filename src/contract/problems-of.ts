import type { Endpoint } from "./endpoint.ts";
import { PROBLEMS, type ProblemCode } from "./problem.ts";

/** Problems that any request can get. */
export const ANYWHERE = [
  "invalid_request",
  "outside_binding",
  "rate_limited",
  "headers_too_large",
  "internal_error",
  "store_unavailable",
  "overloaded",
] as const satisfies readonly ProblemCode[];

/** Problems of an endpoint that needs a credential, which may be bound to another project. */
export const WITH_CREDENTIAL = [
  "invalid_token",
  "insufficient_scope",
  "forbidden",
] as const satisfies readonly ProblemCode[];

/** Problems of an endpoint that has a body. */
export const WITH_BODY = [
  "invalid_json",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
] as const satisfies readonly ProblemCode[];

/** Problems of an endpoint that honours `Idempotency-Key`. */
export const WITH_KEY = ["idempotency_mismatch"] as const satisfies readonly ProblemCode[];

/** Problems of an endpoint that stores data, which a plan bounds, in a project that may be archived. */
export const WITH_STORING = ["quota_exceeded", "project_archived"] as const satisfies readonly ProblemCode[];

/** Returns every problem that an endpoint can answer with, those of its kind and its own, in order of status. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { scope, idempotent, safe, errors = [] } = endpoint;
  return inOrder([
    ...ANYWHERE,
    ...(scope === "public" ? [] : WITH_CREDENTIAL),
    ...(readsBody(endpoint) ? WITH_BODY : []),
    ...(idempotent ? WITH_KEY : []),
    ...(readsBody(endpoint) && !safe ? WITH_STORING : []),
    ...errors,
  ]);
}

/** Whether the input that is not in the path comes in a body rather than in the query. */
export function readsBody({ method }: Pick<Endpoint, "method">): boolean {
  return method !== "GET" && method !== "DELETE";
}

/** Returns each code once, ordered by status and then as in the catalogue. */
export function inOrder(codes: readonly ProblemCode[]): ProblemCode[] {
  const all = Object.keys(PROBLEMS) as ProblemCode[];
  return [...new Set(codes)].sort(
    (a, b) => PROBLEMS[a].status - PROBLEMS[b].status || all.indexOf(a) - all.indexOf(b),
  );
}
