import type { z } from "zod";
import type { Caller } from "../contract/caller.ts";
import { type Endpoint, type Handler, isPrintable, Reply } from "../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../contract/faults.ts";
import { Problem } from "../contract/problem.ts";
import { GLOBAL, projectSpace } from "../store/store.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import type { Exchange, Identity } from "./exchange.ts";
import type { createIdempotency } from "./idempotency.ts";
import { BODY_BYTES, onceEach, parseJson } from "./request-body.ts";
import type { Route } from "./route.ts";

export interface ApiRoutePorts {
  idempotency: ReturnType<typeof createIdempotency>;
  /** Holds every answer against its declared schema: in tests and development. */
  checkOutputs: boolean;
}

/** The route that a declared endpoint and its handler make. */
export function apiRoute(endpoint: Endpoint, handler: Handler, ports: ApiRoutePorts): Route {
  const input = endpoint.input.strict();
  const readsBody = endpoint.method !== "GET" && endpoint.method !== "DELETE";
  const inPath = new Set([...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string));
  const inTools = endpoint.path.startsWith("/api/v1/tools/");
  const maxBodyBytes = endpoint.maxBodyBytes ?? (inTools ? BODY_BYTES.tools : BODY_BYTES.authenticated);

  async function perform(
    exchange: Exchange,
    body: Buffer,
    parameters: Record<string, string>,
  ): Promise<Answer> {
    const given = readsBody
      ? membersOf(parseJson(body, exchange.req.headers["content-type"]))
      : queryOf(exchange.query);
    const parsed = input.safeParse(inPath.size === 0 ? given : withPath(given, parameters, inPath));
    if (!parsed.success) throw invalidRequest(faultsOf(parsed.error));
    const named = inPath.has("projectId") ? undefined : (parsed.data as { projectId?: unknown }).projectId;
    const result = await handler(parsed.data, callerOf(exchange, named));
    return answerOf(result);
  }

  function answerOf(result: unknown): Answer {
    const reply = result instanceof Reply ? result : new Reply(result);
    const { status = endpoint.status ?? 200, headers = {}, raw } = reply.extras;
    if (raw !== undefined) return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: raw };
    if (status === 204) return { status, headers };
    if (ports.checkOutputs) checkOutput(endpoint, reply.body);
    return { status, headers: { "Content-Type": JSON_TYPE, ...headers }, body: JSON.stringify(reply.body) };
  }

  return {
    name: endpoint.name,
    errors: "problem",
    scope: endpoint.scope,
    ...(readsBody && { maxBodyBytes }),
    answer(exchange, body, parameters) {
      const key = endpoint.idempotent ? exchange.req.headers["idempotency-key"] : undefined;
      if (typeof key !== "string") return perform(exchange, body, parameters);
      const { accountId, projectId } = exchange.identity
        ? callerOf(exchange, undefined)
        : { accountId: GLOBAL, projectId: "default" };
      return ports.idempotency.once({
        space: projectSpace(accountId, projectId),
        endpoint: endpoint.name,
        key,
        body,
        run: () => perform(exchange, body, parameters),
        restore: answerOf,
      });
    },
  };
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

function checkOutput(endpoint: Endpoint, body: unknown): void {
  const checked: z.ZodSafeParseResult<unknown> = endpoint.output.safeParse(body);
  if (!checked.success) {
    throw new Error(
      `${endpoint.name} answered against its schema: ${JSON.stringify(faultsOf(checked.error))}`,
    );
  }
}

/** Who is asking. A class, since one is made with every request. */
class RequestCaller implements Caller {
  readonly accountId: string;
  readonly userId: string;
  readonly credential: Identity["credential"];
  readonly address: string;
  readonly requestId: string;
  readonly #exchange: Exchange;

  constructor(
    exchange: Exchange,
    identity: Identity | undefined,
    readonly projectId: string,
    readonly projectNamed: boolean,
  ) {
    this.accountId = identity?.account.id ?? "";
    this.userId = identity?.userId ?? "";
    this.credential = identity?.credential ?? NOBODY;
    this.address = exchange.address;
    this.requestId = exchange.requestId;
    this.#exchange = exchange;
  }

  get userAgent(): string {
    return this.#exchange.req.headers["user-agent"] ?? "";
  }

  /** Made only for those who ask: most handlers answer before a client could go away. */
  get signal(): AbortSignal {
    return abortOf(this.#exchange.res);
  }
}

const NOBODY: Identity["credential"] = { kind: "access_token", id: "", scopes: [] };

/** The caller with the project of this request: the body's or header's, the bound key's, or `default`. */
function callerOf(exchange: Exchange, inBody: unknown): Caller {
  const { req, identity } = exchange;
  if (!identity) return new RequestCaller(exchange, undefined, "default", false);
  const header = projectHeader(req.headers["x-project-id"]);
  if (typeof inBody === "string" && header !== undefined && inBody !== header) {
    throw invalidRequest([
      { path: "projectId", message: `differs from the X-Project-Id header, "${header}"` },
    ]);
  }
  const named = header ?? (typeof inBody === "string" ? inBody : undefined);
  const bound = identity.credential.projectId;
  if (bound !== undefined && named !== undefined && named !== bound) {
    throw new Problem("forbidden", `This key is bound to the project "${bound}" and may name no other.`);
  }
  const project = named ?? bound;
  return new RequestCaller(exchange, identity, project ?? "default", project !== undefined);
}

function projectHeader(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  // Node reads header bytes as Latin-1; project ids are UTF-8.
  const name = Buffer.from(String(value), "latin1").toString("utf8").trim();
  if (name.length >= 1 && name.length <= 256 && isPrintable(name)) return name;
  throw new Problem(
    "invalid_request",
    "X-Project-Id must have 1 to 256 characters and no control characters.",
  );
}

function abortOf(res: Exchange["res"]): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  else res.once("close", () => controller.abort());
  return controller.signal;
}
