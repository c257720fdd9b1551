import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { Problem } from "../contract/problem.ts";

const METHODS = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  br: promisify(brotliDecompress),
  /** RFC 9110 §8.4.1.2: in zlib's format, and as some send it all the same, without. */
  deflate: (body: Buffer, options: { maxOutputLength: number }) =>
    isZlib(body) ? promisify(inflate)(body, options) : promisify(inflateRaw)(body, options),
};

/** Undoes a Content-Encoding; `Problem` for unknown ones, broken bodies and those that grow too long. */
export type Inflate = (body: Buffer, encoding: string | undefined) => Promise<Buffer>;

/** One body at a time: bombs take turns, and hold no more memory together than one of them. */
export function createInflate(mostBytes: number): Inflate {
  let turn: Promise<unknown> = Promise.resolve();
  return (body, encoding = "identity") => {
    const name = encoding.trim().toLowerCase();
    if (name === "identity" || name === "") return Promise.resolve(body);
    const method = Object.hasOwn(METHODS, name) ? METHODS[name as keyof typeof METHODS] : undefined;
    if (!method) {
      const known = Object.keys(METHODS).join(", ");
      throw new Problem("unsupported_media_type", `Content-Encoding "${name}" is not taken; send ${known}.`);
    }
    const inflated = turn.then(() => method(body, { maxOutputLength: mostBytes })).catch(refuse);
    // Without its outcome, which is large.
    turn = inflated.then(
      () => {},
      () => {},
    );
    return inflated;
  };

  function refuse(error: NodeJS.ErrnoException): never {
    if (error.code === "ERR_BUFFER_TOO_LARGE") {
      throw new Problem("payload_too_large", `The body unpacks to more than ${mostBytes / 1024 / 1024} MiB.`);
    }
    throw new Problem("invalid_request", "The body is not packed as its Content-Encoding says.");
  }
}

/** RFC 1950 §2.2. */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && (body.readUInt8(0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}
