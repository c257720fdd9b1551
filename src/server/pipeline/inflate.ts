import { once } from "node:events";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { Problem } from "../../contract/problem.ts";

const PIECE = { chunkSize: 64 * 1024 };
const METHODS: Readonly<Record<string, (head: Buffer) => Transform>> = {
  gzip: () => createGunzip(PIECE),
  "x-gzip": () => createGunzip(PIECE),
  br: () => createBrotliDecompress(PIECE),
  /** RFC 9110 §8.4.1.2: the zlib format. Some clients send raw deflate data instead. */
  deflate: (head) => (isZlib(head) ? createInflate(PIECE) : createInflateRaw(PIECE)),
};

/** Undoes a Content-Encoding while the body arrives. Throws if the body is corrupt or grows too long. */
export type Unpack = (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Returns the function that undoes an encoding; undefined if there is none. Throws a `Problem` if it is unknown. */
export function unpackerOf(encoding = "identity", maxBytes: number): Unpack | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === "identity" || name === "") return undefined;
  const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (method) return (body) => unpacked(body, method, maxBytes);
  const known = Object.keys(METHODS).join(", ");
  throw new Problem("unsupported_media_type", `Content-Encoding "${name}" is not taken; send ${known}.`);
}

async function* unpacked(
  body: AsyncIterable<Buffer>,
  method: (head: Buffer) => Transform,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const packed = body[Symbol.asyncIterator]();
  const head = await headOf(packed);
  const stream = method(head);
  void feed(stream, head, packed);
  let length = 0;
  try {
    for await (const piece of stream) {
      length += piece.length;
      if (length > maxBytes) {
        throw new Problem(
          "payload_too_large",
          `The body unpacks to more than ${maxBytes / 1024 / 1024} MiB.`,
        );
      }
      yield piece;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("invalid_request", "The body is not packed as its Content-Encoding says.");
  } finally {
    stream.destroy();
  }
}

/** Returns at least two bytes, enough to detect the format, unless the body is shorter. */
async function headOf(packed: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await packed.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

/** Feeds a stream with backpressure, until its input or the stream itself ends. */
async function feed(stream: Transform, head: Buffer, packed: AsyncIterator<Buffer>): Promise<void> {
  // Once for all pieces: each `once` stays a listener of the stream until its event.
  const closed = once(stream, "close");
  closed.catch(() => {});
  try {
    let next: IteratorResult<Buffer> = { value: head };
    for (; !next.done; next = await packed.next()) {
      if (stream.destroyed) return;
      if (!stream.write(next.value)) await Promise.race([once(stream, "drain"), closed]);
    }
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
  }
}

/** Whether a body has a zlib header (RFC 1950 §2.2). */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}
