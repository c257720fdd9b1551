import { isObject } from "../../system/is-object.ts";
import type { MessageId } from "../message.ts";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";
import { type EventPiece, eventsOf, hasId, joined, messageIn, parsed, withData } from "./event-stream.ts";
import { isReadable, MAX_READ_BYTES } from "./readable.ts";
import { isRequest } from "./session-streams.ts";

/** Bound on unbuffered JSON, and on all events too long to be buffered together. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Bound on an answer that is not streamed. */
const MAX_SHORT_BYTES = 256 * 1024;

/** The answer to a JSON-RPC request. */
export type RpcResponse = { result: Record<string, unknown> } | { error: Record<string, unknown> };

/** Inspects the answer to a request before its end is passed on. */
export interface Reader {
  id: MessageId;
  /** Inspects the answer. If it resolves with a response, the client gets that one instead. */
  read(response: RpcResponse): Promise<RpcResponse | undefined>;
  /** The answer is too long, or costs too much, to be read. It is passed on unread when this resolves; rejects if that is not allowed. */
  tooLong(): Promise<void>;
  /** An event stream ended or broke off without an answer. `resumable`: the client can request the rest. */
  ended(resumable: boolean): Promise<RpcResponse | undefined>;
  /** Returns the response for the client when the upstream fails half way. */
  failed(failure: unknown): Promise<RpcResponse>;
}

/** Relays a JSON body. Reads it if it is short enough. */
export async function relayJson(
  body: AsyncIterable<Buffer>,
  reader: Reader,
  title: string,
): Promise<Buffer | AsyncIterable<Buffer>> {
  const chunks = body[Symbol.asyncIterator]();
  const held: Buffer[] = [];
  let bytes = 0;
  while (bytes <= MAX_READ_BYTES) {
    const { done, value } = await chunks.next();
    if (done) return readWhole(Buffer.concat(held), reader, title);
    held.push(value);
    bytes += value.length;
  }
  await reader.tooLong();
  return rest();

  async function* rest(): AsyncGenerator<Buffer> {
    try {
      yield* held.splice(0);
      for (;;) {
        const { done, value } = await chunks.next();
        if (done) return;
        bytes += value.length;
        if (bytes > MAX_BYTES) throw tooLong(title);
        yield value;
      }
    } finally {
      await chunks.return?.();
    }
  }
}

async function readWhole(text: Buffer, reader: Reader, title: string): Promise<Buffer> {
  if (!isReadable(text)) {
    await reader.tooLong();
    return text;
  }
  const response = responseIn(parsed(text.toString("utf8")), reader.id);
  if (!response) throw new UpstreamFailure("malformed", `${title} did not answer the request that was sent.`);
  const instead = await reader.read(response);
  return instead ? Buffer.from(textOf(instead, reader.id)) : text;
}

/**
 * Relays an event stream as it arrives. The event with the answer is passed on after it was read.
 *
 * @param resumes whether the client's revision can fetch what follows an event with an id.
 * @param onAsked called when the upstream sends its client a request of its own, as before 2026-07-28.
 */
export async function* relayEvents(
  body: AsyncIterable<Buffer>,
  reader: Reader,
  { title, resumes, onAsked }: { title: string; resumes: boolean; onAsked?: (() => void) | undefined },
): AsyncGenerator<Buffer> {
  let resumable = false;
  let answered = false;
  let unread = 0;
  try {
    for await (const pieces of eventsOf(body, MAX_READ_BYTES)) {
      const passedOn: Buffer[] = [];
      for (const { bytes, readable } of pieces) {
        if (!readable) {
          if (!answered) await reader.tooLong();
          answered = true;
          unread += bytes.length;
          if (unread > MAX_BYTES) throw tooLong(title);
        }
        const message = readable && !answered ? messageIn(bytes) : undefined;
        if (isRequest(message)) onAsked?.();
        const response = responseIn(message, reader.id);
        resumable ||= resumes && hasId(bytes);
        if (!response) {
          passedOn.push(bytes);
          continue;
        }
        // What came before the answer does not wait until that was read.
        if (passedOn.length > 0) yield joined(passedOn.splice(0));
        const instead = await reader.read(response);
        answered = true;
        passedOn.push(instead ? withData(bytes, textOf(instead, reader.id)) : bytes);
      }
      if (passedOn.length > 0) yield joined(passedOn);
    }
    const instead = answered ? undefined : await reader.ended(resumable);
    if (instead) yield eventOf(instead, reader.id);
  } catch (error) {
    if (answered) throw error;
    if (resumable && isLoss(error)) {
      // A final answer would keep the client from fetching the rest.
      await reader.ended(true);
      throw error;
    }
    const instead = await reader.failed(error);
    if (error instanceof UpstreamFailure && error.kind === "cancelled") throw error;
    yield eventOf(instead, reader.id);
  }
}

/**
 * Relays an event stream that belongs to no known request, on which the missed part of an earlier answer is sent
 * again (MCP 2025-11-25, Resumability and Redelivery). `change` is applied to each result.
 */
export async function* relayAgain(
  body: AsyncIterable<Buffer>,
  change: (result: Record<string, unknown>) => Promise<Record<string, unknown>>,
  title: string,
): AsyncGenerator<Buffer> {
  for await (const pieces of eventsOf(body, MAX_READ_BYTES)) {
    const changed: Buffer[] = [];
    for (const piece of pieces) changed.push(await changedPiece(piece));
    yield joined(changed);
  }

  async function changedPiece({ bytes, readable }: EventPiece): Promise<Buffer> {
    if (!readable) throw tooLong(title);
    const message = messageIn(bytes);
    const result = isObject(message) && isObject(message.result) ? message.result : undefined;
    const changed = result && (await change(result));
    return changed === result
      ? bytes
      : withData(bytes, JSON.stringify({ ...(message as object), result: changed }));
  }
}

/** Relays a body that is not read, up to a bound. */
export async function* relayBytes(
  body: AsyncIterable<Buffer>,
  title: string,
  mostBytes = MAX_BYTES,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooLong(title);
    yield chunk;
  }
}

/** Reads the whole of a short answer: an error, or one to a notification. */
export async function readShort(body: AsyncIterable<Buffer>, title: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of relayBytes(body, title, MAX_SHORT_BYTES)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whether only the connection was lost, while the upstream may still be at work. */
function isLoss(error: unknown): boolean {
  return error instanceof UpstreamFailure && (error.kind === "unreachable" || error.kind === "timeout");
}

function responseIn(message: unknown, id: MessageId): RpcResponse | undefined {
  // An error in parsing the request has no id (JSON-RPC 2.0 §5).
  if (!isObject(message) || "method" in message || (message.id != null && message.id !== id))
    return undefined;
  if (isObject(message.result)) return { result: message.result };
  return isObject(message.error) ? { error: message.error } : undefined;
}

function textOf(response: RpcResponse, id: MessageId): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...response });
}

function eventOf(response: RpcResponse, id: MessageId): Buffer {
  return Buffer.from(`event: message\ndata: ${textOf(response, id)}\n\n`);
}

export function tooLong(title: string): UpstreamFailure {
  return new UpstreamFailure("too_large", `The answer of ${title} is too long to be passed on.`);
}
