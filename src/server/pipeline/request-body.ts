import { createHash } from "node:crypto";
import { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Exchange } from "./exchange.ts";

/** The longest bodies in bytes, unless an endpoint declares another bound. */
export const BODY_BYTES = {
  anonymous: 64 * 1024,
  /** Requests that administer an account are short. */
  control: 64 * 1024,
  authenticated: 1024 * 1024,
  computed: 64 * 1024 * 1024,
};

/** How much memory all bodies that arrive in parts may hold, until their requests are answered. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/**
 * Bodies of at least this length are hashed as they arrive, since hashing a long one at once would block other
 * requests.
 */
const MIN_HASHED_EARLY = 64 * 1024;

const MIN_CHARGED = 4 * 1024;

const READ_BEFORE =
  "The body of this request was read before. Mount the control plane before whatever reads bodies, such as express.json().";

/** The request that a body is read for, and charged to. */
export type Reading = Pick<Exchange, "req" | "res" | "identity" | "address" | "bodyDigest">;

export interface Bodies {
  /**
   * Reads the whole body. Throws `unsupported_media_type` if it is compressed, `payload_too_large` if it is announced
   * or turns out to be longer than `limit` bytes, and `overloaded` if all bodies together hold too much and this
   * sender more than its share.
   */
  read(exchange: Reading, limit: number): Promise<Buffer>;
  /** Frees what the exchange held, once it is over. */
  release(exchange: Reading): void;
}

export function createBodies(maxHeldBytes = MAX_HELD_BYTES): Bodies {
  const held = new Map<Reading, number>();
  const heldBy = new Map<string, number>();
  let heldBytes = 0;

  /** Counts bytes as held. Returns false if the sender may not hold more. */
  function hold(exchange: Reading, bytes: number): boolean {
    const sender = senderOf(exchange);
    const senders = heldBy.size + (heldBy.has(sender) ? 0 : 1);
    const own = (heldBy.get(sender) ?? 0) + bytes;
    held.set(exchange, (held.get(exchange) ?? 0) + bytes);
    heldBy.set(sender, own);
    heldBytes += bytes;
    return heldBytes <= maxHeldBytes || own <= maxHeldBytes / senders;
  }

  return {
    read(exchange, limit) {
      const { req, res } = exchange;
      const encoding = req.headers["content-encoding"] ?? "identity";
      if (!/^\s*(?:identity)?\s*$/i.test(encoding)) return Promise.reject(packed(encoding));
      // The client left, or its body was refused as malformed, before anybody wanted it.
      if (res.destroyed || res.headersSent) return Promise.reject(brokenOff());
      // Nothing would come any more, and the request would wait for ever.
      if (req.readableDidRead) return Promise.reject(new Error(READ_BEFORE));
      const announced = Number(req.headers["content-length"] ?? Number.NaN);
      if (announced > limit) return Promise.reject(tooLarge(limit));
      return new Promise((resolve, reject) => {
        const gathered = new Gathered(announced);
        let uncharged = 0;
        const hasher =
          req.headers["idempotency-key"] !== undefined && !(announced < MIN_HASHED_EARLY)
            ? createHash("sha256")
            : undefined;
        req.on("data", (chunk: Buffer) => {
          if (gathered.length + chunk.length > limit) return refuse(tooLarge(limit));
          // Most bodies come in one chunk, and are released before they would matter. Tiny chunks are charged together.
          uncharged += chunk.length;
          if (uncharged >= MIN_CHARGED && chunk.length !== announced) {
            if (!hold(exchange, uncharged)) return refuse(tooMany());
            uncharged = 0;
          }
          gathered.add(chunk);
          hasher?.update(chunk);
        });
        req.on("end", () => {
          if (hasher) exchange.bodyDigest = hasher.digest("base64url");
          resolve(gathered.all());
        });
        req.on("error", reject);
        req.on("aborted", () => reject(brokenOff()));

        /** Rejects and stops reading. The connection therefore ends with the answer. */
        function refuse(problem: Problem): void {
          req.pause().removeAllListeners("data");
          reject(problem);
        }
      });
    },
    release(exchange) {
      const bytes = held.get(exchange);
      if (bytes === undefined) return;
      held.delete(exchange);
      heldBytes -= bytes;
      const sender = senderOf(exchange);
      const own = (heldBy.get(sender) ?? 0) - bytes;
      if (own > 0) heldBy.set(sender, own);
      else heldBy.delete(sender);
    },
  };
}

function brokenOff(): Problem {
  return new Problem("invalid_request", "The body ended before its announced length.");
}

/**
 * Gathers the chunks of a body. Each is copied on arrival, which avoids one long copy at the end. Allocated memory
 * that is not yet written to takes no physical memory.
 */
class Gathered {
  length = 0;
  readonly #announced: number;
  #bytes: Buffer | undefined;
  #only: Buffer | undefined;

  /** @param announced the announced length; NaN if unknown. */
  constructor(announced: number) {
    this.#announced = announced;
  }

  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#only = chunk;
    else {
      const bytes = this.#room(length);
      if (this.#only) this.#only.copy(bytes);
      this.#only = undefined;
      chunk.copy(bytes, this.length);
    }
    this.length = length;
  }

  all(): Buffer {
    return this.#only ?? this.#bytes?.subarray(0, this.length) ?? NOTHING;
  }

  #room(length: number): Buffer {
    if (this.#bytes && this.#bytes.length >= length) return this.#bytes;
    const grown = Buffer.allocUnsafeSlow(this.#announced >= length ? this.#announced : 2 * length);
    this.#bytes?.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
    return grown;
  }
}

const NOTHING = Buffer.alloc(0);

/** Returns who what is held for a request is charged to. */
export function senderOf({ identity, address }: Pick<Exchange, "identity" | "address">): string {
  return identity?.account.id ?? address;
}

function tooMany(): Problem {
  return overloaded("Too many large bodies arrive at once. Send this one again.", 1);
}

function packed(encoding: string): Problem {
  return new Problem(
    "unsupported_media_type",
    `Content-Encoding "${encoding}" is not taken here; send the body as it is.`,
  );
}

export function tooLarge(limit: number): Problem {
  const size = limit >= 1024 * 1024 ? `${limit / 1024 / 1024} MiB` : `${limit / 1024} KiB`;
  return new Problem("payload_too_large", `The body is longer than the ${size} that this request may have.`);
}
