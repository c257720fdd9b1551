import { isUtf8 } from "node:buffer";
import { Problem } from "../../contract/problem.ts";

/** What an envelope of Sentry's brings that is of use here. */
export interface Envelope {
  /** Stands in it where no header or query of the request has the key. */
  dsn?: string;
  eventId?: string;
  /** Errors and messages. Everything else (sessions, transactions, attachments, …) is passed over. */
  events: unknown[];
}

const LINE_FEED = 0x0a;
const MOST_HEADER_BYTES = 16 * 1024;
/** Lines and items that are looked at: SDKs send a handful. */
const MOST_ITEMS = 500;
/** What Sentry itself takes of events; they come one an envelope. */
const MOST_EVENT_BYTES = 1024 * 1024;

/**
 * https://develop.sentry.dev/sdk/foundations/transport/envelopes/: lines of JSON; an item's payload is
 * as long as its header says, or a line. Throws `Problem` where it is none.
 */
export function parseEnvelope(bytes: Buffer): Envelope {
  let at = 0;

  function line(most: number): Buffer {
    const end = bytes.indexOf(LINE_FEED, at);
    const found = bytes.subarray(at, end < 0 ? bytes.length : end);
    if (found.length > most) throw malformed(`A line at byte ${at} is longer than ${most} bytes.`);
    at = end < 0 ? bytes.length : end + 1;
    return found;
  }

  function payload(length: unknown): Buffer {
    if (length === undefined) return line(Number.POSITIVE_INFINITY);
    if (!Number.isInteger(length) || (length as number) < 0 || at + (length as number) > bytes.length) {
      throw malformed(`The item at byte ${at} is said to have ${length} bytes, which it has not.`);
    }
    const found = bytes.subarray(at, at + (length as number));
    at += found.length;
    if (bytes[at] === LINE_FEED) at++;
    return found;
  }

  const header = objectIn(line(MOST_HEADER_BYTES), 0);
  const events: unknown[] = [];
  let eventBytes = 0;
  for (let items = 0; at < bytes.length; items++) {
    const start = at;
    if (items === MOST_ITEMS) throw malformed(`It goes on after ${MOST_ITEMS} items, at byte ${at}.`);
    const text = line(MOST_HEADER_BYTES);
    if (text.length === 0) continue;
    const item = objectIn(text, start);
    const content = payload(item.length);
    if (item.type !== "event") continue;
    eventBytes += content.length;
    if (eventBytes > MOST_EVENT_BYTES) throw tooLong();
    events.push(objectIn(content, start));
  }
  return {
    ...(typeof header.dsn === "string" && { dsn: header.dsn }),
    ...(typeof header.event_id === "string" && { eventId: header.event_id }),
    events,
  };
}

/** The body of Sentry's older endpoint: one event as JSON. */
export function parseStoredEvent(bytes: Buffer): Envelope {
  if (bytes.length > MOST_EVENT_BYTES) throw tooLong();
  const event = objectIn(bytes, 0);
  return { ...(typeof event.event_id === "string" && { eventId: event.event_id }), events: [event] };
}

function objectIn(bytes: Buffer, at: number): Record<string, unknown> {
  try {
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString("utf8")) : undefined;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw malformed(`What begins at byte ${at} is no JSON object.`);
}

function malformed(detail: string): Problem {
  return new Problem("invalid_request", `This is no envelope as Sentry's SDKs send it. ${detail}`);
}

function tooLong(): Problem {
  return new Problem("payload_too_large", `An event may have ${MOST_EVENT_BYTES / 1024 / 1024} MiB.`);
}
