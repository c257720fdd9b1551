import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Exchange } from "./exchange.ts";

/** What is sent back. Without a body: none. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: string | Buffer | AsyncIterable<string | Buffer>;
}

/** A body that nobody reads is let pass up to here, so that the connection lives on; a longer one ends it. */
const MAX_UNREAD_BYTES = 64 * 1024;

export const JSON_TYPE = "application/json; charset=utf-8";

/** The headers that every response bears, limits included, as name and value in turn. */
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

/**
 * Sends an answer; a GET whose `ETag` the client holds already becomes 304 (RFC 9110 §13.1.2). Rejects where
 * a body that is made while it is sent cannot be made to its end: then the connection is cut.
 */
export function send(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  const { req, res } = exchange;
  if (res.headersSent || res.destroyed) return undefined;
  const headers = commonHeaders(exchange);
  const reads = req.method === "GET" || req.method === "HEAD";
  const unchanged =
    reads && answer.status === 200 && holdsAlready(req.headers["if-none-match"], answer.headers.ETag);
  const body = unchanged ? undefined : answer.body;
  for (const name in answer.headers) {
    if (!(unchanged && name === "Content-Type")) headers.push(name, answer.headers[name] as string);
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
  } else {
    res.writeHead(answer.status, headers);
    if (req.method !== "HEAD") return stream(body, res);
    res.end();
  }
  return undefined;
}

let endings: { res: ServerResponse; body: string | Buffer | undefined }[] = [];

/**
 * Ends a response when all that has arrived by now was looked at, so that what is answered in one turn goes out
 * in one go: to wake a reader costs more than to write to it, and one that is awake reads on
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

/** A client that goes away in the middle of a stream is nobody's error; what fails while it listens is ours. */
async function stream(body: AsyncIterable<string | Buffer>, res: ServerResponse): Promise<void> {
  let failed: { error: unknown } | undefined;
  async function* watched() {
    try {
      yield* body;
    } catch (error) {
      if (!res.destroyed) failed = { error };
      throw error;
    }
  }
  await pipeline(Readable.from(watched()), res).catch(() => void res.destroy());
  if (failed) throw failed.error;
}

/** How much of the body there may still be to come. */
function unreadBytes({ headers }: IncomingMessage): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

function holdsAlready(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  return ifNoneMatch === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
