import { hash } from "node:crypto";
import type { Endpoint } from "../contract/endpoint.ts";
import { invalidRequest } from "../contract/faults.ts";
import { Problem } from "../contract/problem.ts";
import type { ApiOperation } from "./api-operation.ts";
import { BODY_BYTES, onceEach, parseJson } from "./request-body.ts";
import type { Route } from "./route.ts";

/** The route of a declared endpoint: gathers the flat input from path, query and body. */
export function apiRoute({ endpoint, perform }: ApiOperation): Route {
  const readsBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string));

  return {
    name: endpoint.name,
    errors: "problem",
    scope: endpoint.scope,
    ...(readsBody && { maxBodyBytes: mostBytesOf(endpoint) }),
    answer(exchange, body, parameters) {
      const { headers } = exchange.req;
      const key = headers["idempotency-key"];
      return perform(exchange, {
        members: () => {
          const given = readsBody
            ? membersOf(parseJson(body, headers["content-type"]))
            : queryOf(exchange.query);
          return inPath.size === 0 ? given : withPath(given, parameters, inPath);
        },
        idempotency:
          typeof key === "string" ? { key, digest: () => digestOf(body, inPath, parameters) } : undefined,
        accept: headers.accept,
      });
    },
  };
}

/** Of the body and, where the path has parameters, of what they are. */
function digestOf(body: Buffer, inPath: Set<string>, parameters: Record<string, string>): string {
  const named = [...inPath].map((name) => [name, parameters[name]]);
  const whole = named.length === 0 ? body : Buffer.concat([Buffer.from(JSON.stringify(named)), body]);
  return hash("sha256", whole, "base64url");
}

/** Of what an endpoint is sent by who has a credential. */
export function mostBytesOf({ path, maxBodyBytes }: Endpoint): number {
  return maxBodyBytes ?? (path.startsWith("/api/v1/tools/") ? BODY_BYTES.tools : BODY_BYTES.authenticated);
}

function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Problem("invalid_request", "The body must be a JSON object.");
}

function queryOf(query: string): Record<string, unknown> {
  return query === "" ? {} : onceEach(new URLSearchParams(query));
}

function withPath(
  given: Record<string, unknown>,
  parameters: Record<string, string>,
  inPath: Set<string>,
): Record<string, unknown> {
  for (const name of inPath) {
    if (Object.hasOwn(given, name)) {
      throw invalidRequest([{ path: name, message: "stands in the path and nowhere else" }]);
    }
  }
  return { ...given, ...parameters };
}
