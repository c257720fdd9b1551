import { secondsToWait } from "../system/network/retry-after.ts";
import { errorOf, isAnswered } from "./answered-error.ts";
import { UnexpectedAnswer } from "./errors.ts";
import { whyNotParsed } from "./transport/json-extent.ts";
import type { TransportAnswer } from "./transport/transport.ts";

/** An answer with a status under 400. */
export interface Answer<T = unknown> {
  status: number;
  headers: Record<string, string | undefined>;
  /** Parsed if it is JSON, text otherwise; undefined if the body is empty. */
  body: T;
  requestId?: string;
}

/** Parses a server's answer, or throws the error that it represents. */
export function readAnswer(url: URL, { status, headers, body }: TransportAnswer): Answer {
  const requestId = headers["x-request-id"];
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") {
    const message = `${url.origin} answered in the coding ${coding}, which was not asked for.`;
    throw new UnexpectedAnswer(status, message, requestId);
  }
  const isJson = /[/+]json\b/.test(headers["content-type"] ?? "");
  const excess = isJson ? whyNotParsed(body) : undefined;
  if (excess !== undefined) {
    const message = `${url.origin}${url.pathname} answered with JSON ${excess}, which was not read.`;
    throw new UnexpectedAnswer(status, message, requestId);
  }
  const content = parse(isJson, body);
  if (status >= 400) throw errorOf(url, status, headers, content);
  if (status >= 300 && status !== 304) {
    const target = headers.location ? ` to ${headers.location}` : "";
    throw new UnexpectedAnswer(
      status,
      `${url.origin} redirects${target}: set the base URL to where it leads.`,
      requestId,
    );
  }
  if (content instanceof Malformed) {
    throw new UnexpectedAnswer(status, `${url.origin} answered with malformed JSON.`, requestId);
  }
  return { status, headers, body: content, requestId };
}

/** Returns the id under which the server logged a failed request. */
export function requestIdOf(error: unknown): string | undefined {
  if (isAnswered(error)) return error.extras.headers?.["x-request-id"];
  if (error instanceof Error && "requestId" in error) return error.requestId as string | undefined;
}

/** Returns the seconds to wait that the server asked for in `Retry-After`. */
export function retryAfterOf(error: unknown, now: number): number | undefined {
  return isAnswered(error) ? secondsToWait(error.extras.headers?.["retry-after"], now) : undefined;
}

class Malformed {}

function parse(isJson: boolean, body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8");
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return new Malformed();
  }
}
