import { hash } from "node:crypto";
import * as z from "zod";
import { type Endpoint, namesInPath } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { readsBody } from "../../contract/problems-of.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { MAX_MAIN_VALUES, membersOf, onceEach, parseJson } from "../pipeline/json-body.ts";
import { BODY_BYTES } from "../pipeline/request-body.ts";
import type { Route } from "../pipeline/route.ts";
import type { ApiOperation } from "./api-operation.ts";

/** Larger bodies are parsed and handled in separate turns of the event loop, so that other requests are not delayed. */
const MAX_STRETCH_BYTES = 1 << 20;

/** Creates the route of a declared endpoint, which gathers the flat input from path, query and body. */
export function apiRoute({ endpoint, perform }: ApiOperation): Route {
  const hasBody = readsBody(endpoint);
  const inPath = new Set(namesInPath(endpoint.path));
  const needsBody = hasBody && needsMembers(endpoint, inPath);

  function membersOfBody(body: Buffer, contentType: string | undefined): Record<string, unknown> {
    // Many clients name the same type in all requests, also where there is nothing to send.
    if (body.length === 0 && !needsBody) return {};
    return membersOf(parseJson(body, contentType, MAX_MAIN_VALUES));
  }

  return {
    name: endpoint.name,
    errors: "problem",
    scope: endpoint.scope,
    lane: endpoint.lane,
    ...(hasBody && { maxBodyBytes: mostBytesOf(endpoint) }),
    answer(exchange, body, parameters) {
      if (hasBody && exchange.query !== "") refuseNamesIn(exchange.query);
      const { headers } = exchange.req;
      const key = headers["idempotency-key"];
      return perform(exchange, {
        members: () => {
          const given = hasBody ? membersOfBody(body, headers["content-type"]) : queryOf(exchange.query);
          return inPath.size === 0 ? given : withPath(given, parameters, inPath);
        },
        body: () => body,
        isLong: body.length > MAX_STRETCH_BYTES,
        contentType: headers["content-type"],
        idempotency:
          typeof key === "string"
            ? { key, digest: () => digestOf(exchange, body, inPath, parameters) }
            : undefined,
        accept: headers.accept,
      });
    },
  };
}

/** Returns a digest of the body and of the values of the path's parameters, if there are any. */
function digestOf(
  { bodyDigest }: Exchange,
  body: Buffer,
  inPath: Set<string>,
  parameters: Record<string, string>,
): string {
  const ofBody = bodyDigest ?? hash("sha256", body, "base64url");
  if (inPath.size === 0) return ofBody;
  const named = [...inPath].map((name) => [name, parameters[name]]);
  return hash("sha256", JSON.stringify([named, ofBody]), "base64url");
}

/** Returns the largest body that an authenticated client may send to an endpoint. */
export function mostBytesOf({ compute, maxBodyBytes, lane }: Endpoint): number {
  if (maxBodyBytes !== undefined) return maxBodyBytes;
  if (compute) return BODY_BYTES.computed;
  return lane === "control" ? BODY_BYTES.control : BODY_BYTES.authenticated;
}

/** Whether a request must have members besides those in the path. */
function needsMembers({ input }: Endpoint, inPath: ReadonlySet<string>): boolean {
  return Object.entries(input.shape).some(
    ([name, member]) => !inPath.has(name) && !z.safeParse(member, undefined).success,
  );
}

function queryOf(query: string): Record<string, unknown> {
  return query === "" ? {} : onceEach(new URLSearchParams(query));
}

/** What an endpoint takes is in its body: in the query it would be left out of account, and a token would be logged. */
function refuseNamesIn(query: string): void {
  const names = new Set(new URLSearchParams(query).keys());
  const message = "is not a known member of the query: this takes a body";
  if (names.size > 0) throw invalidRequest([...names].map((path) => ({ path, message })));
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
