import { Pool } from "undici";
import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { HttpAnswer } from "./http-answer.ts";
import { isEndless, UpstreamFailure, type UpstreamPort } from "./upstream-port.ts";

export interface HttpUpstreamOptions {
  title: string;
  url: string;
  /** Longest silence before an answer and within it, except for endless streams. */
  timeoutMs: number;
  clock: Pick<Clock, "sleep" | "monotonic">;
}

const CONNECT_MS = 5_000;
/** Servers on uvicorn close a connection after 5 s of idling without announcing it. */
const IDLE_MS = 4_000;
const NEVER = 0;
/** Without the header any coding is acceptable (RFC 9110 §12.5.3), but answers must be readable. */
const UNCOMPRESSED = { "accept-encoding": "identity" };

/** An upstream over streamable HTTP. Redirects are not followed, because only the operator chooses the address. */
export function httpUpstream({ title, url, timeoutMs, clock }: HttpUpstreamOptions): UpstreamPort {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  const pool = new Pool(origin, {
    connect: { timeout: CONNECT_MS },
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: timeoutMs,
    // `HttpAnswer` bounds the silence within a body, which may become longer while the body is read.
    bodyTimeout: NEVER,
    maxHeaderSize: 32 * 1024,
  });

  return {
    send(request) {
      const { method, headers, message, signal } = request;
      const isLong = isEndless(request);
      const answer = new HttpAnswer({
        failureOf: (error) => failureOf(error, title, timeoutMs),
        onSent: request.onSent,
        silenceMs: isLong ? undefined : timeoutMs,
        silent: () => silent(title, timeoutMs),
        slow: () => new UpstreamFailure("timeout", `${title} answers too slowly to be waited for.`),
        clock,
      });
      onAbort(signal, () => answer.breakOff(signal.reason));
      if (!signal.aborted) {
        const asked = {
          path,
          method,
          headers: { ...headers, ...UNCOMPRESSED, ...(message && { "content-type": "application/json" }) },
          ...(message && { body: message.text }),
          ...(isLong && { headersTimeout: NEVER }),
        };
        pool.dispatch(asked, answer);
      }
      return answer.begun.then((begun) => {
        if ((begun.headers["content-encoding"] ?? "identity") === "identity") return begun;
        const message = `${title} answered compressed, which it was not asked to.`;
        const failure = new UpstreamFailure("malformed", message);
        answer.breakOff(failure);
        throw failure;
      });
    },
    // Known only from its answers.
    isDown: false,
    close: () => pool.destroy(),
  };
}

function failureOf(error: unknown, title: string, timeoutMs: number): UpstreamFailure {
  const { code = "" } = error as { code?: string };
  if (code === "UND_ERR_HEADERS_TIMEOUT") return silent(title, timeoutMs, error);
  if (/^HPE_|^UND_ERR_(RES|HEADERS_OVERFLOW)/.test(code)) {
    return new UpstreamFailure("malformed", `${title} did not answer in HTTP.`, { cause: error });
  }
  return new UpstreamFailure("unreachable", `${title} cannot be reached at the moment.`, { cause: error });
}

function silent(title: string, timeoutMs: number, cause?: unknown): UpstreamFailure {
  const message = `${title} has not answered within ${timeoutMs / 1000} s.`;
  return new UpstreamFailure("timeout", message, { cause });
}
