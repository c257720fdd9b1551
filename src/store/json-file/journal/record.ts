import type { Row } from "../row.ts";

/**
 * Encodes a write as a record: one line of a file, with its members in the order given here, so that its parts can be
 * cut out of the bytes without parsing the document.
 *
 *     {"put":"notes","space":"acc_1/web","id":"n1","expiresAt":1767225600000,"value":{"text":"…"}}
 *     {"count":"usage","space":"acc_1/web","id":"2026-01-15","value":7}
 *     {"delete":"notes","space":"acc_1/web","id":"n1"}
 *     {"forget":"usage","space":"acc_1/web","id":"2026-01-15"}
 *
 * `forget` deletes a counter, which may have the same name and id as a document.
 */
export function encodeRecord(
  table: { kind: "put" | "count"; key: string },
  id: string,
  row: Row | undefined,
): string {
  const key = `${table.key}${JSON.stringify(id)}`;
  if (!row) return `{"${table.kind === "put" ? "delete" : "forget"}":${key}}`;
  const expiry = row.expiresAt === Number.POSITIVE_INFINITY ? "" : `,"expiresAt":${row.expiresAt}`;
  return `{"${table.kind}":${key}${expiry},"value":${row.content}}`;
}

/** Returns the bytes before an id, the same for all of a table: `"notes","space":"acc_1/web","id":`. */
export function tableKey(name: string, space: string): string {
  return `${JSON.stringify(name)},"space":${JSON.stringify(space)},"id":`;
}

/** Whether a record deletes a document or counter, and so has no value. */
export function isDeletion({ kind }: Pick<RecordParts, "kind">): boolean {
  return kind === "delete" || kind === "forget";
}

export function isOfCounter({ kind }: Pick<RecordParts, "kind">): boolean {
  return kind === "count" || kind === "forget";
}

/** The offsets of a record's parts in the bytes that contain it. */
export interface RecordParts {
  kind: "put" | "count" | "delete" | "forget";
  /** Offset of the part that `tableKey` returns. */
  key: number;
  id: number;
  idEnd: number;
  expiresAt: number;
  value: number;
  valueEnd: number;
}

const KINDS = { 112: "put", 99: "count", 100: "delete", 102: "forget" } as const;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7d;
const COMMA = 0x2c;
const LETTER_E = 0x65;

/** Locates the parts of the record in `bytes` from `start` to `end`; undefined if it is malformed. */
export function locateRecord(bytes: Buffer, start: number, end: number): RecordParts | undefined {
  const kind = KINDS[bytes[start + 2] as keyof typeof KINDS];
  if (!kind || bytes[end - 1] !== BRACE) return undefined;
  const key = start + `{"${kind}":`.length;
  const space = endOfString(bytes, key) + `,"space":`.length;
  const id = endOfString(bytes, space) + `,"id":`.length;
  const idEnd = endOfString(bytes, id);
  const parts = {
    kind,
    key,
    id,
    idEnd,
    expiresAt: Number.POSITIVE_INFINITY,
    value: end - 1,
    valueEnd: end - 1,
  };
  if (isDeletion(parts)) return idEnd === end - 1 ? parts : undefined;
  let value = idEnd;
  if (bytes[value + 2] === LETTER_E) {
    value += `,"expiresAt":`.length;
    const comma = bytes.indexOf(COMMA, value);
    parts.expiresAt = Number(bytes.toString("latin1", value, comma));
    value = comma;
  }
  parts.value = value + `,"value":`.length;
  return parts.value < end && !Number.isNaN(parts.expiresAt) ? parts : undefined;
}

/** Reads the JSON string in `bytes` from `start` to `end`, its quotes included. */
export function readString(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString("utf8", start + 1, end - 1);
  return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
}

/** Returns the index after the JSON string that begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}
