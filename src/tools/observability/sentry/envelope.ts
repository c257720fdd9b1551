import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { Problem } from "../../../contract/problem.ts";
import { isObject } from "../../../system/is-object.ts";
import { Pieces, type Take } from "./pieces.ts";

/** The parts of a report that are used. */
export interface Envelope {
  /** The DSN in its header, for requests that have the key in no header or query. */
  dsn?: string;
  eventId?: string;
  /** When it was sent by the sender's clock, in milliseconds since the epoch. */
  sentAt?: number;
  /** Errors and messages. Everything else (sessions, replays, attachments, …) is skipped without being buffered. */
  events: SentEvent[];
}

/** An unparsed event. */
export interface SentEvent {
  /** Its offset in the report, in bytes. */
  at: number;
  json: Buffer;
}

/** Reads a report as it arrives. Throws `Problem` if it is malformed or too large. */
export type ReadReport = (body: AsyncIterable<Buffer>) => Promise<Envelope>;

const MAX_HEADER_BYTES = 16 * 1024;
/** Items and blank lines that are read; SDKs send a handful. */
const MAX_ITEMS = 500;
/** Events in a report; Sentry allows one per envelope. */
const MAX_EVENTS = 10;
/** Size of all events of a report together. */
const MAX_EVENT_BYTES = 2 * 1024 * 1024;

/**
 * Reads an envelope (https://develop.sentry.dev/sdk/foundations/transport/envelopes/): lines of JSON. An
 * item's payload has the length that its header states, or is one line.
 */
export const readEnvelope: ReadReport = async (body) => {
  const pieces = new Pieces(body);
  const header = objectIn(await headerLine(pieces), 0);
  const events: SentEvent[] = [];
  let left = MAX_EVENT_BYTES;
  for (let items = 0; await pieces.hasMore(); items++) {
    const start = pieces.at;
    if (items === MAX_ITEMS) throw malformed(`It goes on after ${MAX_ITEMS} items, at byte ${start}.`);
    const line = await headerLine(pieces);
    if (line.length === 0) continue;
    const { type, length } = objectIn(line, start);
    if (type !== "event") {
      await readPayload(pieces, start, length, () => {});
      continue;
    }
    if (events.length === MAX_EVENTS) {
      throw new Problem("payload_too_large", `A report may hold ${MAX_EVENTS} events.`);
    }
    const event = keeping(left, tooLong);
    await readPayload(pieces, start, length, event.take);
    const json = event.all();
    left -= json.length;
    events.push({ at: start, json });
  }
  const { dsn, event_id: eventId, sent_at } = header;
  const sentAt = typeof sent_at === "string" ? Date.parse(sent_at) : Number.NaN;
  return {
    ...(typeof dsn === "string" && { dsn }),
    ...(typeof eventId === "string" && { eventId }),
    ...(!Number.isNaN(sentAt) && { sentAt }),
    events,
  };
};

/** Reads the body of Sentry's older endpoint: one event as JSON. The answer names the event by the id in it. */
export const readStoredEvent: ReadReport = async (body) => {
  const event = keeping(MAX_EVENT_BYTES, tooLong);
  for await (const piece of body) event.take(piece);
  const json = event.all();
  return { events: [{ at: 0, json: json[0] === FIRST_OF_PACKED ? await unpacked(json) : json }] };
};

/** What zlib writes first, in Base64. No JSON begins with it. */
const FIRST_OF_PACKED = "e".charCodeAt(0);

/** Unpacks an event of a first-generation SDK, which is zlib in Base64 without a header that says so. */
async function unpacked(event: Buffer): Promise<Buffer> {
  const options = { maxOutputLength: MAX_EVENT_BYTES };
  return promisify(inflate)(Buffer.from(event.toString("latin1"), "base64"), options).catch((error) => {
    throw error.code === "ERR_BUFFER_TOO_LARGE"
      ? tooLong()
      : malformed("Its Base64 holds nothing that zlib packed.");
  });
}

async function headerLine(pieces: Pieces): Promise<Buffer> {
  const start = pieces.at;
  const line = keeping(MAX_HEADER_BYTES, () =>
    malformed(`A line at byte ${start} is longer than ${MAX_HEADER_BYTES} bytes.`),
  );
  await pieces.readLine(line.take);
  return line.all();
}

async function readPayload(pieces: Pieces, start: number, length: unknown, take: Take): Promise<void> {
  if (length === undefined) return pieces.readLine(take);
  const isLength = Number.isInteger(length) && (length as number) >= 0;
  if (!isLength || !(await pieces.readBytes(length as number, take))) {
    throw malformed(`The item at byte ${start} is said to have ${length} bytes, which it has not.`);
  }
  await pieces.skipLineFeed();
}

/** Buffers up to `maxBytes`; throws `refusal` beyond that. */
function keeping(maxBytes: number, refusal: () => Problem): { take: Take; all: () => Buffer } {
  const held: Buffer[] = [];
  let length = 0;
  return {
    take(bytes) {
      length += bytes.length;
      if (length > maxBytes) throw refusal();
      held.push(bytes);
    },
    all: () => Buffer.concat(held),
  };
}

/** Parses an event. Throws `Problem` if it is no JSON object. */
export function parseEvent({ json, at }: SentEvent): Record<string, unknown> {
  return objectIn(json, at);
}

function objectIn(bytes: Buffer, at: number): Record<string, unknown> {
  try {
    const value: unknown = isUtf8(bytes) ? JSON.parse(bytes.toString("utf8")) : undefined;
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw malformed(`What begins at byte ${at} is no JSON object.`);
}

function malformed(detail: string): Problem {
  return new Problem("invalid_request", `This is no envelope as Sentry's SDKs send it. ${detail}`);
}

function tooLong(): Problem {
  return new Problem(
    "payload_too_large",
    `The events of a report may have ${MAX_EVENT_BYTES / 1024 / 1024} MiB together, unpacked.`,
  );
}
