import { isUtf8 } from "node:buffer";
import { Problem } from "../contract/problem.ts";
import type { Exchange } from "./exchange.ts";
import { holdsMoreValues } from "./json-values.ts";

export const BODY_BYTES = { anonymous: 64 * 1024, authenticated: 1024 * 1024, tools: 64 * 1024 * 1024 };

/** What a JSON body may hold: parsing occupies the process, a second for about so many. */
const MOST_VALUES = 4_000_000;

/** What bodies in parts may hold of memory, all together, until their requests are answered. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;

export interface Bodies {
  /**
   * The whole body. `Problem` `payload_too_large` where it is announced or turns out to be longer than
   * `limit` in bytes, `overloaded` where others hold too much already.
   */
  read(exchange: Exchange, limit: number): Promise<Buffer>;
  /** Lets go of what the exchange held, once it is over. */
  release(exchange: Exchange): void;
}

export function createBodies(mostHeldBytes = MOST_HELD_BYTES): Bodies {
  const held = new Map<Exchange, number>();
  let heldBytes = 0;

  function hold(exchange: Exchange, bytes: number): void {
    held.set(exchange, (held.get(exchange) ?? 0) + bytes);
    heldBytes += bytes;
  }

  return {
    read(exchange, limit) {
      const { req } = exchange;
      const announced = Number(req.headers["content-length"] ?? Number.NaN);
      if (announced > limit) return Promise.reject(tooLarge(limit));
      return new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let length = 0;
        req.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          // Most come in one piece, and are gone before they would matter.
          if (chunk.length !== announced) hold(exchange, chunk.length);
          if (length > limit) refuse(tooLarge(limit));
          else if (heldBytes > mostHeldBytes) refuse(overloaded());
        });
        req.on("end", () =>
          resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)),
        );
        req.on("error", reject);
        req.on("aborted", () =>
          reject(new Problem("invalid_request", "The body ended before its announced length.")),
        );

        /** What follows is not read, so the connection ends with the answer. */
        function refuse(problem: Problem): void {
          req.pause().removeAllListeners("data");
          reject(problem);
        }
      });
    },
    release(exchange) {
      heldBytes -= held.get(exchange) ?? 0;
      held.delete(exchange);
    },
  };
}

function overloaded(): Problem {
  return new Problem("overloaded", "Too many large bodies arrive at once. Send this one again.", {
    headers: { "Retry-After": "1" },
  });
}

export function tooLarge(limit: number): Problem {
  const size = limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MiB` : `${limit / 1024} KiB`;
  return new Problem("payload_too_large", `The body is longer than the ${size} that this request may have.`);
}

/** A JSON body, or `{}` for an empty one without a Content-Type. 415 for any other media type. */
export function parseJson(body: Buffer, contentType: string | undefined): unknown {
  if (contentType === undefined && body.length === 0) return {};
  if (!isJson(contentType)) throw unsupported(contentType, "application/json");
  return decodeJson(body);
}

function decodeJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Problem("invalid_json", "The body is not UTF-8.");
  // A shorter one cannot hold more.
  if (body.length > MOST_VALUES && holdsMoreValues(body, MOST_VALUES)) {
    throw new Problem("payload_too_large", "The body holds more than 4,000,000 values. Send it in parts.");
  }
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    throw new Problem("invalid_json", body.length === 0 ? "The body is empty." : (error as Error).message);
  }
}

/**
 * Parameters of an OAuth endpoint: a form (RFC 6749 appendix B), or JSON of strings.
 * A parameter that comes twice is refused (§3.2).
 */
export function parseParameters(body: Buffer, contentType: string | undefined): Record<string, string> {
  if (contentType === undefined && body.length === 0) return {};
  if (isJson(contentType)) return stringsOf(decodeJson(body));
  if (mediaTypeOf(contentType) !== "application/x-www-form-urlencoded") {
    throw unsupported(contentType, "application/x-www-form-urlencoded or application/json");
  }
  return onceEach(new URLSearchParams(body.toString("utf8")));
}

/** A query or form as an object; a name that comes twice is refused. */
export function onceEach(parameters: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [name, value] of parameters) {
    if (name in found) throw new Problem("invalid_request", `"${name}" is given more than once.`);
    found[name] = value;
  }
  return found;
}

function stringsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Problem("invalid_request", "The body must be a JSON object.");
  }
  const found: Record<string, string> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== "string") throw new Problem("invalid_request", `"${name}" must be a string.`);
    found[name] = member;
  }
  return found;
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return (
    mediaTypeOf(contentType) === "application/json" &&
    !/charset=(?!"?utf-8"?\s*(?:;|$))/i.test(contentType ?? "")
  );
}

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function unsupported(contentType: string | undefined, wanted: string): Problem {
  const got =
    contentType === undefined ? "The body has no Content-Type" : `Content-Type "${contentType}" is not taken`;
  return new Problem("unsupported_media_type", `${got}; send ${wanted} in UTF-8.`);
}
