import { isAscii } from "node:buffer";
import { overloaded } from "../../contract/retry-later.ts";
import { createHeldBytes } from "../../gateway/held-bytes.ts";
import { heapLimitBytes } from "../../system/processes/heap.ts";
import { abortOf } from "../operations/request-caller.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { senderOf } from "../pipeline/request-body.ts";

/**
 * Holds the memory of a message until its request is over, which takes as long as a tool or an upstream does. Throws
 * `overloaded` if all messages hold too much of the heap, and the account more than its share.
 */
export type HoldMessage = (exchange: Exchange, body: Buffer) => void;

const SHARE_OF_HEAP = 1 / 8;
/** Shorter messages are not counted. */
const MIN_BYTES = 16 * 1024;
/** As values and as text. */
const COPIES = 2;

export function createHeldMessages(maxBytes = SHARE_OF_HEAP * heapLimitBytes()): HoldMessage {
  const held = createHeldBytes(maxBytes);
  return (exchange, body) => {
    if (body.length < MIN_BYTES) return;
    const holder = { accountId: senderOf(exchange), signal: abortOf(exchange.res) };
    if (held.hold(holder, COPIES * body.length * bytesOfCharacter(body))) return;
    throw overloaded("Too many long messages are under way. Send this one again.", 1);
  };
}

/** A character that is not in Latin-1 has all others of its text take two bytes. It may be escaped. */
function bytesOfCharacter(body: Buffer): number {
  return isAscii(body) && !body.includes("\\u") ? 1 : 2;
}
