import { excessOf } from "../../system/json-values.ts";

/** Longest answer that is held back to be read. A longer one is passed on unread. */
export const MAX_READ_BYTES = 1024 * 1024;

/** A MiB of text is parsed in a few milliseconds, one of empty arrays in 0.4 s, in which nobody else is answered. */
const MOST = { values: 100_000, levels: 256 };

/** Whatever is this short is parsed in no time. */
export const MAX_SHORT_BYTES = 4096;

/** Whether JSON of an upstream is parsed here, on the main thread. */
export function isReadable(json: Buffer): boolean {
  if (json.length <= MAX_SHORT_BYTES) return true;
  return json.length <= MAX_READ_BYTES && excessOf(json, MOST) === undefined;
}
