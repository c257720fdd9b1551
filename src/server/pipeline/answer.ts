import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Exchange } from "./exchange.ts";

/** An HTTP answer; `body` is absent if there is none. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | AsyncIterable<string | Buffer>;
  /** Characters that stay in memory until the client has read all of a streamed body. */
  holds?: number;
  /** Whether the headers of a streamed body are sent before its first part, which may be late: clients wait for them. */
  headersFirst?: boolean;
}

/** An unread request body up to this length is discarded, so that the connection stays open; a longer one closes it. */
const MAX_UNREAD_BYTES = 64 * 1024;

export const JSON_TYPE = "application/json; charset=utf-8";
/** `Cache-Control` of documents that are the same for everybody, such as metadata. */
export const CACHEABLE = "public, max-age=300";

/** Returns the answer with a value as JSON. `send` adds `no-store` unless it may be cached. */
export function jsonAnswer(
  value: unknown,
  { status = 200, cacheControl }: { status?: number; cacheControl?: string } = {},
): Answer {
  return {
    status,
    headers: { "Content-Type": JSON_TYPE, ...(cacheControl && { "Cache-Control": cacheControl }) },
    body: JSON.stringify(value),
  };
}

/** Returns the headers of every response, limits included, as alternating names and values. */
export function commonHeaders(exchange: Pick<Exchange, "requestId" | "limits">): string[] {
  const headers = ["X-Request-Id", exchange.requestId, "X-Content-Type-Options", "nosniff"];
  const limits = exchange.limits;
  if (limits) {
    headers.push("X-RateLimit-Limit", String(limits.limit));
    headers.push("X-RateLimit-Remaining", String(limits.remaining));
    headers.push("X-RateLimit-Reset", String(limits.reset));
    headers.push("X-RateLimit-Policy", limits.policy);
    headers.push("RateLimit", limits.standard.limit);
    headers.push("RateLimit-Policy", limits.standard.policy);
  }
  return headers;
}

/** What the server says of every answer by itself. Another value would contradict it, as about where the answer ends. */
const OF_THE_SERVER = new Set([
  "content-length",
  "transfer-encoding",
  "x-request-id",
  "x-content-type-options",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-ratelimit-policy",
  "ratelimit",
  "ratelimit-policy",
]);

/** Headers that are read by these names on their way out. */
const READ_BY_NAME = new Map(
  ["Content-Type", "Cache-Control", "ETag"].map((name) => [name.toLowerCase(), name]),
);

/** Returns the headers that a handler gave, in whatever case, without those that are the server's own or have no value. */
export function headersGiven(given: object): Record<string, string> {
  const pairs: Iterable<[string, string | undefined]> =
    Symbol.iterator in given ? (given as Headers) : Object.entries(given);
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if (value === undefined || value === null || OF_THE_SERVER.has(lower)) continue;
    headers[READ_BY_NAME.get(lower) ?? name] = value;
  }
  return headers;
}

/**
 * Sends an answer; a GET whose `ETag` the client already holds becomes 304 (RFC 9110 §13.1.2). If a streamed body
 * fails, the promise rejects. Before its first part nothing was sent, so that another answer can be; later the
 * connection is cut.
 */
export function send(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  const { req, res } = exchange;
  if (res.headersSent || res.destroyed) return discard(answer.body);
  const headers: (string | string[])[] = commonHeaders(exchange);
  const reads = req.method === "GET" || req.method === "HEAD";
  const unchanged =
    reads && answer.status === 200 && holdsAlready(req.headers["if-none-match"], answer.headers.ETag);
  const body = unchanged ? undefined : answer.body;
  for (const name in answer.headers) {
    if (unchanged && name === "Content-Type") continue;
    const value = answer.headers[name] as string;
    headers.push(name, name === "Set-Cookie" ? besideOthers(res, value) : value);
  }
  if (answer.headers["Cache-Control"] === undefined) headers.push("Cache-Control", "no-store");
  if (!req.complete && unreadBytes(req) > MAX_UNREAD_BYTES) headers.push("Connection", "close");
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    headers.push("Content-Length", String(Buffer.byteLength(body)));
    res.writeHead(answer.status, headers);
    endSoon(res, body);
  } else if (body === undefined) {
    if (answer.status !== 204 && !unchanged) headers.push("Content-Length", "0");
    res.writeHead(unchanged ? 304 : answer.status, headers);
    endSoon(res);
    if (unchanged) discard(answer.body);
  } else if (req.method === "HEAD") {
    res.writeHead(answer.status, headers).end();
    discard(body);
  } else if (answer.headersFirst) {
    res.writeHead(answer.status, headers).flushHeaders();
    return stream(body[Symbol.asyncIterator](), undefined, res);
  } else {
    exchange.holds = answer.holds;
    return streamOnceItBegins(body[Symbol.asyncIterator](), res, () => res.writeHead(answer.status, headers));
  }
  return undefined;
}

/** Adds a cookie to those that the server in which this one is mounted has set, which `writeHead` would replace. */
function besideOthers(res: ServerResponse, cookie: string): string[] {
  return [res.getHeader("Set-Cookie") ?? [], cookie].flat().map(String);
}

/** Closes the stream of a body that is not sent: one of a file would stay open. */
function discard(body: Answer["body"]): undefined {
  if (body instanceof Readable) body.destroy();
}

let endings: { res: ServerResponse; body: string | Buffer | undefined }[] = [];

/**
 * Ends a response once everything that has arrived so far was handled, so that all answers of one turn are sent
 * together: waking a reader costs more than writing to it, and a reader that is awake reads on
 * (`npm run bench -- http`).
 */
function endSoon(res: ServerResponse, body?: string | Buffer): void {
  if (endings.push({ res, body }) === 1) setImmediate(endAll);
}

function endAll(): void {
  const due = endings;
  endings = [];
  for (const { res, body } of due) res.end(body);
}

type Parts = AsyncIterator<string | Buffer>;

async function streamOnceItBegins(parts: Parts, res: ServerResponse, writeHead: () => void): Promise<void> {
  const first = await parts.next().catch((error) => {
    if (!res.destroyed) throw error;
  });
  if (!first || res.destroyed) return void (await parts.return?.());
  writeHead();
  return stream(parts, first, res);
}

/** Streams a body. A client's disconnect is no error; a failure of the body while the client is connected rejects. */
async function stream(
  parts: Parts,
  first: IteratorResult<string | Buffer> | undefined,
  res: ServerResponse,
): Promise<void> {
  let failed: { error: unknown } | undefined;
  async function* watched() {
    try {
      for (let part = first ?? (await parts.next()); !part.done; part = await parts.next()) yield part.value;
    } catch (error) {
      if (!res.destroyed) failed = { error };
      throw error;
    } finally {
      await parts.return?.();
    }
  }
  await pipeline(Readable.from(watched()), res).catch(() => void res.destroy());
  if (failed) throw failed.error;
}

/** Returns an upper bound of the body bytes that may still arrive. */
function unreadBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

function holdsAlready(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
