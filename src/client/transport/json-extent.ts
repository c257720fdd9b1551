import { excessOf } from "../../system/json-values.ts";

/** A document up to this size takes little memory, whatever it contains. */
const HARMLESS_BYTES = 1 << 20;
/** Bounds memory: an empty object takes twenty times the two bytes of its text. */
const MOST = { values: 5_000_000, levels: 1000 };

/** Returns why a JSON document must not be parsed, as a phrase that follows "JSON"; undefined if it may be. */
export function whyNotParsed(json: Buffer): string | undefined {
  const excess = json.length > HARMLESS_BYTES && excessOf(json, MOST);
  if (!excess) return undefined;
  return `of more than ${excess === "values" ? `${MOST.values / 1e6} million` : MOST.levels} ${excess}`;
}
