import type { Method } from "../contract/endpoint.ts";
import { Problem } from "../contract/problem.ts";
import type { Clock } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { SignedOut, UnexpectedAnswer } from "./errors.ts";
import { IDEMPOTENT_ROUTES, SAFE_ROUTES } from "./repeatable-routes.ts";
import { type Route, type RouteInput, type RouteOutput, targetOf } from "./routes.ts";
import { createAuthorization } from "./sign-in/authorization.ts";
import type { CredentialSource, StoredCredential } from "./sign-in/credential.ts";
import { readTokenResponse } from "./sign-in/token-response.ts";
import { normaliseBaseUrl } from "./transport/base-url.ts";
import { retrying, type Wait } from "./transport/retry.ts";
import {
  createTransport,
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
  /** Before each call that writes to that project, which makes it where it is not there; what it throws ends the call. */
  beforeProjectWrite?: () => Promise<void>;
  /** Such as `toolplane/0.1.0`. */
  userAgent?: string;
  onWait?: (wait: Wait) => void;
  /** `--verbose`: one line a request and one an answer, without secrets. */
  log?: (line: string) => void;
  transport?: Transport;
}

export interface CallOptions {
  /** Makes a POST safe to repeat; made up for the endpoints that honour one. */
  idempotencyKey?: string;
  /** True where a second arrival does no harm; known of GET, PUT, DELETE and what bears an Idempotency-Key. */
  replayable?: boolean;
  /** Instead of the client's own project; null names none. */
  projectId?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** How long the server may take before its answer begins; 30 s unless said. */
  timeoutMs?: number;
  /** How long the answer may be; 64 MiB unless said. */
  maxBytes?: number;
  /** False: 429, 503 and lost connections are thrown at once. */
  retry?: boolean;
}

export interface RawRequest extends CallOptions {
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown;
  /** Hears the body of a 200 while it comes; the answer has none then. */
  onPiece?: (piece: Uint8Array) => void;
  /** False sends no credential; otherwise one goes wherever there is one, and its absence is no error. */
  authenticate?: boolean;
}

export interface ApiClient {
  readonly baseUrl: string;
  readonly projectId?: string;
  /** Any declared endpoint. Throws `Problem`, `OAuthError`, `SignedOut`, `Unreachable`, `UnexpectedAnswer`. */
  call<R extends Route>(route: R, input: RouteInput<R>, options?: CallOptions): Promise<RouteOutput<R>>;
  /** As `call`, with status and headers; 304 is an answer like any other. */
  answer<R extends Route>(
    route: R,
    input: RouteInput<R>,
    options?: CallOptions,
  ): Promise<Answer<RouteOutput<R>>>;
  /** Any path below the base URL, for `tool api`. Throws as `call` does. */
  request(method: Method, path: string, request?: RawRequest): Promise<Answer>;
  /** An OAuth form post without a credential, such as to `/auth/device/token`. */
  form(path: string, fields: Record<string, string | undefined>, options?: CallOptions): Promise<unknown>;
  /** The credential in force, renewed if it is about to expire; throws `SignedOut` where there is none. */
  credential(): Promise<StoredCredential>;
  /** Whether an answer came without a request id, which every answer of a Toolplane server bears. */
  metStranger(): boolean;
  /** Ends idle connections. The process can end without it. */
  close(): void;
}

const TIMEOUT_MS = 30_000;
/** A refresh token outlives its use for a while, so that a lost answer can be asked for again. */
const REFRESH: CallOptions = { timeoutMs: 10_000, replayable: true };

/** Throws `BadBaseUrl` where secrets would travel in the clear. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { credentials, clock, random, projectId, userAgent, log } = options;
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
    const perform = (secret?: string) => persist(() => exchange(prepared, secret), prepared, raw);
    try {
      return await perform(credential?.accessToken);
    } catch (error) {
      if (credential === undefined || statusOf(error) !== 401) throw error;
      return again(await authorization.replace(credential, error), perform);
    }
  }

  /** A 401 comes before anything is done, so that even a POST may follow with another credential. */
  async function again(credential: StoredCredential, perform: (secret: string) => Promise<Answer>) {
    try {
      return await perform(credential.accessToken);
    } catch (error) {
      throw statusOf(error) === 401 ? await authorization.abandon(credential, error) : error;
    }
  }

  function persist(attempt: () => Promise<Answer>, prepared: TransportRequest, raw: RawRequest) {
    if (raw.retry === false) return attempt();
    const { method, url, headers } = prepared;
    const isIdempotent = (method !== "POST" && method !== "PATCH") || "idempotency-key" in headers;
    const replayable = raw.replayable ?? (isIdempotent || isSafe(method, url));
    return retrying(attempt, replayable, options, raw.signal);
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
      ...lowerCased(raw.headers),
    };
    const body = json ? JSON.stringify(raw.body) : (raw.body as string | Uint8Array | undefined);
    const { timeoutMs = TIMEOUT_MS, signal, maxBytes, onPiece } = raw;
    return { method, url, headers, body, timeoutMs, signal, maxBytes, ...(onPiece && { onPiece }) };
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
    metStranger: () => stranger,
    close: () => transport.close(),
  };
}

const IDEMPOTENT = anyOf(IDEMPOTENT_ROUTES);
const SAFE = anyOf(SAFE_ROUTES);

/** A lost answer can be asked for again only where the endpoint says so: any other would do its work twice. */
function honoursIdempotencyKey(method: Method, path: string): boolean {
  return IDEMPOTENT.test(`${method} ${path.split("?", 1)[0]}`);
}

function writesToProject(method: Method, path: string): boolean {
  return (
    /^(POST|PUT|PATCH) \/api\/v1\/(track$|tools\/)/.test(`${method} ${path}`) &&
    !SAFE.test(`${method} ${path}`)
  );
}

function isSafe(method: Method, { pathname }: URL): boolean {
  return SAFE.test(`${method} ${pathname}`);
}

function anyOf(routes: readonly string[]): RegExp {
  return new RegExp(`^(?:${routes.map((route) => route.replaceAll(/\{\w+\}/g, "[^/]+")).join("|")})$`);
}

function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
