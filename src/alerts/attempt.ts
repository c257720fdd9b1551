import type { IncomingMessage } from "node:http";
import type { Clock } from "../system/clock.ts";
import type { SendPublic } from "../system/network/public-request.ts";
import { CannotFetch } from "../system/network/public-url.ts";
import { secondsToWait } from "../system/network/retry-after.ts";
import type { Attempt, ToldAlert, Webhook, WebhookSecret } from "./model.ts";
import { signedHeaders } from "./signature.ts";

/** The most bytes read of a response. */
const READ_BYTES = 4 * 1024;
/** The most characters stored of a response. */
const KEPT_CHARACTERS = 1_000;

/** The outcome of an attempt. `gone`: the receiver answered 410 and wants nothing more (Standard Webhooks). */
export type Outcome = "delivered" | "failed" | "gone";

export interface Tried {
  outcome: Outcome;
  attempt: Attempt;
  /** The pause in milliseconds that the receiver has asked for (`Retry-After`). */
  waitMs?: number;
}

/** Sends an alert once. A failed delivery is an outcome, not a rejection. Rejects if `signal` aborts it. */
export async function attempt(
  { send, clock, signal }: { send: SendPublic; clock: Clock; signal: AbortSignal },
  { url }: Pick<Webhook, "url">,
  secret: WebhookSecret,
  { alertId, body }: { alertId: string } & Pick<ToldAlert, "body">,
): Promise<Tried> {
  const at = clock.now();
  const since = clock.monotonic();
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...signedHeaders(secret, { id: alertId, body, now: at }),
  };
  const ms = () => Math.round(clock.monotonic() - since);
  try {
    const { status, answer, retryAfter } = await send(
      new URL(url),
      { method: "POST", headers, body, signal },
      read,
    );
    const outcome = outcomeOf(status);
    const wait = outcome === "failed" ? secondsToWait(retryAfter, clock.now()) : undefined;
    return {
      outcome,
      attempt: { at, ms: ms(), status, ...(answer && { answer }) },
      ...(wait !== undefined && { waitMs: 1000 * wait }),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CannotFetch)) throw error;
    return { outcome: "failed", attempt: { at, ms: ms(), error: error.message } };
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}

/** Reads a response. Returns its status even if the body is cut off or never ends. */
async function read(
  response: IncomingMessage,
): Promise<{ status: number; answer: string; retryAfter: string | undefined }> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece);
      length += piece.length;
      if (length >= READ_BYTES) break;
    }
  } catch {}
  const text = Buffer.concat(pieces).subarray(0, READ_BYTES).toString();
  return {
    status: response.statusCode ?? 0,
    answer: readable(text),
    retryAfter: response.headers["retry-after"],
  };
}

/** Makes untrusted text safe to store and to show: printable, well-formed and short. */
function readable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]+/gu, " ")
    .trim()
    .slice(0, KEPT_CHARACTERS)
    .toWellFormed();
}
