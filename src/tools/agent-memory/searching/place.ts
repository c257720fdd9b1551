import { invalidRequest } from "../../../contract/faults.ts";
import type { Place } from "./memory-kind.ts";

/** A place in a list as its cursor. */
export function textOf({ value, id }: Place): string {
  return `${value} ${id}`;
}

/** The other way round. `Problem` `invalid_request` for what is no cursor. */
export function placeIn(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, value, id] = /^(\S+) (.+)$/.exec(cursor) ?? [];
  if (id !== undefined && Number.isFinite(Number(value))) return { value: Number(value), id };
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}
