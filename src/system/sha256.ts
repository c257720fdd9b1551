import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * SHA-256 of a text, in hexadecimal digits. For names of files, which every command asks for: to load `node:crypto` takes
 * longer than all else that a short command does.
 */
export function sha256(text: string): string {
  return bytesToHex(digest(Buffer.from(text)));
}
