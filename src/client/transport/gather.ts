import { UnexpectedAnswer } from "../errors.ts";

/** The body of an answer while it arrives. */
export interface Gathered {
  readonly length: number;
  /** Throws `UnexpectedAnswer` when the bound is exceeded. */
  add(piece: Buffer): void;
  bytes(): Buffer;
}

/**
 * Collects at most `maxBytes`, in one block that grows. The server decides how many pieces it sends, and a list of
 * one-byte buffers would take a hundred times the memory.
 */
export function gather(
  url: URL,
  { status, headers }: { status: number; headers: Record<string, string | undefined> },
  maxBytes: number,
): Gathered {
  let block: Buffer = Buffer.alloc(0);
  let length = 0;

  function bound(bytes: number): void {
    if (bytes <= maxBytes) return;
    const most = maxBytes >= 1 << 20 ? `${maxBytes >> 20} MiB` : `${maxBytes} bytes`;
    const message = `${url.origin}${url.pathname} answered HTTP ${status} with more than ${most}, which was not read.`;
    throw new UnexpectedAnswer(status, message, headers["x-request-id"]);
  }

  return {
    get length() {
      return length;
    },
    add(piece) {
      bound(Math.max(length + piece.length, Number(headers["content-length"]) || 0));
      if (length === 0) block = piece;
      else {
        if (length + piece.length > block.length) {
          const larger = Buffer.allocUnsafe(Math.min(maxBytes, 2 * (length + piece.length)));
          block.copy(larger, 0, 0, length);
          block = larger;
        }
        piece.copy(block, length);
      }
      length += piece.length;
    },
    bytes: () => block.subarray(0, length),
  };
}
