import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/**
 * Returns the SHA-256 of a text in hexadecimal. For file names, which every command needs: loading `node:crypto`
 * would take longer than all the rest of a short command.
 */
export function sha256(text: string): string {
  return bytesToHex(digest(Buffer.from(text)));
}
