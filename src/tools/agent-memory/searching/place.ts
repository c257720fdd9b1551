import { invalidRequest } from "../../../contract/faults.ts";
import type { Place } from "./memory-kind.ts";

/** Formats a place in a list as a cursor. */
export function textOf({ value, id }: Place): string {
  return `${value} ${id}`;
}

/** Parses a cursor. Throws `Problem` `invalid_request` if it is malformed. */
export function placeIn(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, value, id] = /^(\S+) (.+)$/.exec(cursor) ?? [];
  if (id !== undefined && Number.isFinite(Number(value))) return { value: Number(value), id };
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}
