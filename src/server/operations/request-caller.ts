import type { Caller } from "../../contract/caller.ts";
import { isPrintable } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";
import type { Answering } from "./answering.ts";

/** The caller of a request. A class for speed, since one is created for every request. */
class RequestCaller implements Caller {
  readonly accountId: string;
  readonly userId: string;
  readonly credential: Identity["credential"];
  readonly address: string;
  readonly requestId: string;
  readonly answer: Caller["answer"];
  readonly step: Caller["step"];
  readonly #exchange: Exchange;

  constructor(
    exchange: Exchange,
    identity: Identity | undefined,
    readonly projectId: string,
    readonly projectNamed: boolean,
    readonly accept: string | undefined,
    answering: Answering | undefined,
  ) {
    this.answer = answering?.asAnswer;
    this.step = answering?.asStep;
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

  get lastEventId(): string | undefined {
    const id = this.#exchange.req.headers["last-event-id"];
    return id === undefined ? undefined : String(id);
  }

  /** Created on demand: most handlers answer before a client could disconnect. */
  get signal(): AbortSignal {
    return this.#exchange.signal ?? abortOf(this.#exchange.res);
  }
}

const NOBODY: Identity["credential"] = { kind: "access_token", id: "", scopes: [] };

/**
 * Returns the caller with the project of this request: the body's or header's, the bound key's, or `default`.
 *
 * @param accept the media types that the client accepts.
 * @param answering the run of the handler, if its answer is kept.
 */
export function callerOf(
  exchange: Exchange,
  inBody: unknown,
  accept?: string,
  answering?: Answering,
): Caller {
  const { req, identity } = exchange;
  if (!identity) return new RequestCaller(exchange, undefined, "default", false, accept, answering);
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
  return new RequestCaller(
    exchange,
    identity,
    project ?? "default",
    project !== undefined,
    accept,
    answering,
  );
}

/** Returns the project that a request names or its key is bound to; undefined if that is invalid. */
export function projectOf(exchange: Exchange): string | undefined {
  try {
    return callerOf(exchange, undefined).projectId;
  } catch {
    return undefined;
  }
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

/** The abort reason of work that outlives its answer. Created once, since capturing a stack is expensive. */
const ANSWERED = new Problem("invalid_request", "The answer was sent.");

/**
 * Returns a signal that aborts when the client disconnects, and once the answer was sent. Neither is a failure of the
 * server, so the reason is a `Problem`, which is not logged.
 */
export function abortOf(res: Exchange["res"]): AbortSignal {
  const controller = new AbortController();
  const end = () =>
    controller.abort(
      res.writableFinished
        ? ANSWERED
        : new Problem("invalid_request", "The connection ended before there was an answer."),
    );
  if (res.destroyed) end();
  else res.once("close", end);
  return controller.signal;
}
