import type { Endpoint, Reply, ServerEvent } from "../../contract/endpoint.ts";
import { faultsOf } from "../../contract/faults.ts";
import { asyncEvents } from "./event-streams.ts";

/*
 * What is checked of answers. Most of it in tests and development alone: that each is one that its endpoint declares, since
 * documents and clients are made of the declaration.
 */

/** Throws an `Error` if JSON holds nothing of what a handler returned: a forgotten `return`, a `Response`, a `Map`. */
export function requireData({ name }: Endpoint, body: unknown, status: number): void {
  const kind = Object.prototype.toString.call(body).slice("[object ".length, -1);
  if (kind === "Object" || (body === undefined && status >= 300)) return;
  throw new Error(
    `${name} answered with ${body === undefined ? "undefined" : kind}, of which JSON holds nothing. ` +
      "Return the data that its `output` declares, or a `Reply`.",
  );
}

/** Throws an `Error` if a `raw` cannot be sent. */
export function requireSendable({ name }: Endpoint, raw: unknown): void {
  if (typeof raw === "string" || Buffer.isBuffer(raw)) return;
  if (typeof raw === "object" && raw !== null && Symbol.asyncIterator in raw) return;
  throw new Error(
    `${name} answered with a \`raw\` that is no text, no Buffer and no async iterable of them.`,
  );
}

/** Throws an `Error` if events cannot be followed: of a generator where its function was asked for. */
export function requireFollowable({ name }: Endpoint, events: unknown): void {
  if (typeof events === "function") return;
  throw new Error(
    `${name} answered with events that are no function of a signal: Reply.events(async function* (signal) { … }).`,
  );
}

/** Throws an `Error` if the status or the media type of a reply is not declared, or a declared `ETag` is missing. */
export function checkKind(
  endpoint: Endpoint,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  const { name, otherwise = {}, formats = {}, eventStream, etag } = endpoint;
  const plain = endpoint.status ?? 200;
  if (eventStream && status === plain) {
    throw new Error(`${name} is declared an \`eventStream\` and answered without events.`);
  }
  const declared = [plain, ...Object.keys(otherwise).map(Number)];
  if (!declared.includes(status)) {
    throw new Error(
      `${name} answered with ${status}; its \`status\` and \`otherwise\` name ${declared.join(", ")}.`,
    );
  }
  if (etag && status === plain && headers.ETag === undefined) {
    throw new Error(`${name} declares an \`etag\`: give one, new Reply(body, { headers: { ETag } }).`);
  }
  const type = headers["Content-Type"]?.split(";", 1)[0]?.trim();
  if (type === undefined || /\bjson$/.test(type) || Object.hasOwn(formats, type)) return;
  throw new Error(`${name} answered with ${type}, which its \`formats\` do not name.`);
}

export function checkRaw(endpoint: Endpoint, raw: NonNullable<Reply["extras"]["raw"]>): void {
  if (typeof raw === "string" || Buffer.isBuffer(raw)) checkOutput(endpoint, JSON.parse(raw.toString()));
}

export function checkOutput(endpoint: Endpoint, body: unknown): void {
  const { error } = endpoint.output.safeParse(body);
  if (!error) return;
  throw new Error(`${endpoint.name} answered against its schema: ${JSON.stringify(faultsOf(error))}`);
}

type Follow = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/** Returns the events with a check of each. Throws an `Error` if the endpoint declares none. */
export function checkingEvents(endpoint: Endpoint, follow: Follow): Follow {
  if (!endpoint.eventStream) {
    throw new Error(`${endpoint.name} answered with events: declare it with \`eventStream: true\`.`);
  }
  return async function* (signal) {
    for await (const event of asyncEvents(follow(signal))) {
      checkOutput(endpoint, event.data);
      yield event;
    }
  };
}
