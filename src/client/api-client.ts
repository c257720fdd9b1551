import type { Method } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import { lowerCased } from "../system/network/lower-cased.ts";
import type { Random } from "../system/random.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { SignedOut, UnexpectedAnswer, Unreachable } from "./errors.ts";
import { IDEMPOTENT_ROUTES, SAFE_ROUTES } from "./repeatable-routes.ts";
import { type Route, type RouteInput, type RouteOutput, targetOf } from "./routes.ts";
import { createAuthorization } from "./sign-in/authorization.ts";
import type { CredentialSource, StoredCredential } from "./sign-in/credential.ts";
import { readTokenResponse } from "./sign-in/token-response.ts";
import { normaliseBaseUrl } from "./transport/base-url.ts";
import { createTransport } from "./transport/http-transport.ts";
import { retrying, type Wait } from "./transport/retry.ts";
import {
  MAX_SMALL_ANSWER_BYTES,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from "./transport/transport.ts";

export interface ApiClientOptions {
  baseUrl: string;
  credentials: CredentialSource;
  clock: Clock;
  random: Random;
  /** `X-Project-Id` of every request; none where unset. */
  projectId?: string;
  /** Called before each call that writes to that project and would create it. An error that it throws ends the call. */
  beforeProjectWrite?: () => Promise<void>;
  /** The `User-Agent`, such as `toolplane/0.1.0`. */
  userAgent?: string;
  onWait?: (wait: Wait) => void;
  /** For `--verbose`: one line per request and per answer, without secrets. */
  log?: (line: string) => void;
  transport?: Transport;
}

export interface CallOptions {
  /** Makes a POST safe to repeat. Generated for the endpoints that honour one. */
  idempotencyKey?: string;
  /** Whether the request may safely arrive twice. False by default for an unsafe POST or PATCH without a key. */
  replayable?: boolean;
  /** Overrides the client's own project; null names none. */
  projectId?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How long the server may take to begin its answer; 30 s by default. */
  timeoutMs?: number;
  /** Longest answer in bytes; 64 MiB by default. */
  maxBytes?: number;
  /** The longest wait for a limit or a server that is away; 30 s by default. */
  maxWaitSeconds?: number;
  /** False: 429, 503 and lost connections throw at once. */
  retry?: boolean;
}

export interface RawRequest extends CallOptions {
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
  /** Receives the body of a 200 while it arrives; the answer then has no body. */
  onPiece?: TransportRequest["onPiece"];
  /** False sends no credential. Otherwise one is sent if there is one; its absence is no error. */
  authenticate?: boolean;
}

export interface ApiClient {
  readonly baseUrl: string;
  readonly projectId?: string;
  /** Calls a declared endpoint. Throws `Problem`, `OAuthError`, `SignedOut`, `Unreachable`, `UnexpectedAnswer`. */
  call<R extends Route>(route: R, input: RouteInput<R>, options?: CallOptions): Promise<RouteOutput<R>>;
  /** As `call`, but with status and headers; 304 is not an error. */
  answer<R extends Route>(
    route: R,
    input: RouteInput<R>,
    options?: CallOptions,
  ): Promise<Answer<RouteOutput<R>>>;
  /** Requests any path below the base URL, for `tool api`. Throws as `call` does. */
  request(method: Method, path: string, request?: RawRequest): Promise<Answer>;
  /** Posts an OAuth form without a credential, for example to `/auth/device/token`. */
  form(path: string, fields: Record<string, string | undefined>, options?: CallOptions): Promise<unknown>;
  /** Returns the current credential, renewed if it is about to expire. Throws `SignedOut` if there is none. */
  credential(): Promise<StoredCredential>;
  /** Whether any answer so far had no request id, which every answer of a Toolplane server has. */
  sawForeignAnswer(): boolean;
  /** Closes idle connections. They do not keep the process alive. */
  close(): void;
}

const TIMEOUT_MS = 30_000;
/**
 * Repeatable, because the server accepts a used refresh token for a short time so that a lost answer can be repeated.
 */
const REFRESH: CallOptions = { timeoutMs: 10_000, replayable: true };

/** Creates an API client. Throws `BadBaseUrl` where secrets would be sent unencrypted. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { credentials, clock, random, onWait, projectId, userAgent, log } = options;
  const baseUrl = normaliseBaseUrl(options.baseUrl);
  const transport = options.transport ?? createTransport();
  let stranger = false;
  const authorization = createAuthorization({
    baseUrl,
    credentials,
    clock,
    refresh: async (fields) =>
      readTokenResponse(
        await form("/auth/device/token", { grant_type: "refresh_token", ...fields }, REFRESH),
      ),
  });

  async function form(path: string, fields: Record<string, string | undefined>, call: CallOptions = {}) {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value);
    const headers = { "content-type": "application/x-www-form-urlencoded", ...call.headers };
    const raw = {
      maxBytes: MAX_SMALL_ANSWER_BYTES,
      ...call,
      headers,
      body: body.toString(),
      authenticate: false,
    };
    return (await request("POST", path, raw)).body;
  }

  async function request(method: Method, path: string, raw: RawRequest = {}): Promise<Answer> {
    const credential = raw.authenticate === false ? undefined : await authorization.current();
    const prepared = prepare(method, path, raw);
    const isQuestion = method === "GET" || isSafe(method, path);
    const perform = (secret?: string) =>
      persist(() => exchange(prepared, secret), prepared, { ...raw, isQuestion });
    try {
      return await perform(credential?.accessToken);
    } catch (error) {
      if (credential === undefined || statusOf(error) !== 401) throw error;
      return again(await authorization.replace(credential, error), perform);
    }
  }

  /** Repeats a request with another credential. Safe even for a POST, because a 401 is sent before anything is done. */
  async function again(credential: StoredCredential, perform: (secret: string) => Promise<Answer>) {
    try {
      return await perform(credential.accessToken);
    } catch (error) {
      throw statusOf(error) === 401 ? await authorization.abandon(credential, error) : error;
    }
  }

  function persist(
    attempt: () => Promise<Answer>,
    { method, headers }: TransportRequest,
    { isQuestion, ...raw }: RawRequest & { isQuestion: boolean },
  ) {
    const isIdempotent = (method !== "POST" && method !== "PATCH") || "idempotency-key" in headers;
    const replayable = raw.replayable ?? (isIdempotent || isQuestion);
    const { maxWaitSeconds } = raw;
    const waiting = { clock, random, onWait, maxWaitSeconds };
    const tried = raw.retry === false ? attempt() : retrying(attempt, replayable, waiting, raw.signal);
    return isQuestion || raw.authenticate === false ? tried : tried.catch(throwPerhapsDone);
  }

  function prepare(method: Method, path: string, raw: RawRequest): TransportRequest {
    if (!path.startsWith("/")) {
      throw new Problem("invalid_request", `The path ${path} must start with a slash.`);
    }
    const url = new URL(baseUrl + path);
    const project = raw.projectId === undefined ? projectId : raw.projectId;
    const key = raw.idempotencyKey ?? (honoursIdempotencyKey(method, path) ? random.id("key") : undefined);
    const json = raw.body !== undefined && typeof raw.body !== "string" && !(raw.body instanceof Uint8Array);
    const headers: Record<string, string> = {
      accept: "application/json",
      ...(userAgent && { "user-agent": userAgent }),
      ...(raw.body !== undefined && { "content-type": "application/json" }),
      // Headers are written as Latin-1; project ids are UTF-8.
      ...(project && { "x-project-id": Buffer.from(project, "utf8").toString("latin1") }),
      ...(key && { "idempotency-key": key }),
      ...lowerCased(raw.headers ?? {}),
    };
    const body = json ? JSON.stringify(raw.body) : (raw.body as string | Uint8Array | undefined);
    const { timeoutMs = TIMEOUT_MS, signal, maxBytes, onPiece } = raw;
    return { method, url, headers, body, timeoutMs, signal, maxBytes, onPiece };
  }

  async function exchange(prepared: TransportRequest, secret: string | undefined): Promise<Answer> {
    const { method, url, headers } = prepared;
    const authorised = secret === undefined ? headers : { ...headers, authorization: `Bearer ${secret}` };
    log?.(`> ${method} ${url}`);
    const started = clock.monotonic();
    const answer: TransportAnswer = await transport.send({ ...prepared, headers: authorised });
    const took = Math.round(clock.monotonic() - started);
    stranger ||= answer.headers["x-request-id"] === undefined;
    log?.(`< ${answer.status} after ${took} ms, request ${answer.headers["x-request-id"] ?? "without id"}`);
    return readAnswer(url, answer);
  }

  async function credential(): Promise<StoredCredential> {
    const found = await authorization.current();
    if (found) return found;
    throw new SignedOut(baseUrl, "none", `You are not signed in to ${baseUrl}.`);
  }

  async function answer<R extends Route>(route: R, input: RouteInput<R>, call?: CallOptions) {
    if (route.includes(" /api/")) await credential();
    const { method, path, body } = targetOf(route, input);
    if (call?.projectId === undefined && writesToProject(method, path)) await options.beforeProjectWrite?.();
    const got = await request(method, path, { ...call, body });
    if (got.headers["content-type"]?.includes("html")) {
      const message = `${baseUrl}${path} answered with a web page: is the base URL right?`;
      throw new UnexpectedAnswer(got.status, message, got.requestId);
    }
    return got as Answer<RouteOutput<R>>;
  }

  return {
    baseUrl,
    projectId,
    answer,
    call: async (route, input, call) => (await answer(route, input, call)).body,
    request,
    form,
    credential,
    sawForeignAnswer: () => stranger,
    close: () => transport.close(),
  };
}

const IDEMPOTENT = anyOf(IDEMPOTENT_ROUTES);
const SAFE = anyOf(SAFE_ROUTES);

/* Each asks about a path below the base URL, which may have a path of its own. */

/** Whether a lost answer can be repeated under a key. Any other endpoint would do its work twice. */
function honoursIdempotencyKey(method: Method, path: string): boolean {
  return IDEMPOTENT.test(routeOf(method, path));
}

function writesToProject(method: Method, path: string): boolean {
  return /^(POST|PUT|PATCH) \/api\/v1\/(track$|tools\/)/.test(routeOf(method, path)) && !isSafe(method, path);
}

function isSafe(method: Method, path: string): boolean {
  return SAFE.test(routeOf(method, path));
}

function routeOf(method: Method, path: string): string {
  return `${method} ${path.split("?", 1)[0]}`;
}

function throwPerhapsDone(error: unknown): never {
  if (error instanceof Unreachable) error.perhapsDone = error.delivery === "unknown";
  throw error;
}

function anyOf(routes: readonly string[]): RegExp {
  return new RegExp(`^(?:${routes.map((route) => route.replaceAll(/\{\w+\}/g, "[^/]+")).join("|")})$`);
}

function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}
