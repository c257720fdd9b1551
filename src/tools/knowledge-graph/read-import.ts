import { isUtf8 } from "node:buffer";
import type { Input } from "../../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../../contract/faults.ts";
import { type Fault, Problem } from "../../contract/problem.ts";
import { grouped } from "../../text/grouped.ts";
import { type knowledgeGraphContract, MAX_LINES } from "./contract.ts";
import { relationshipKey } from "./documents.ts";
import { ImportLine, type NewEntity, type NewRelationship } from "./graph-contract.ts";

/**
 * Bounds of a slice, which is looked up or written in one transaction: some milliseconds of work, for which others
 * wait.
 */
const MAX_SLICE_ITEMS = 250;
const MAX_SLICE_CHARACTERS = 64 * 1024;

/** A part of an import, as `recordImport` takes it. Kinds come in this order. */
export type ImportSlice =
  /** Ends of relationships that have to exist already, each with the place where the request first names it. */
  | { kind: "ends"; of: Listing; items: [id: string, place: number][] }
  | { kind: "entities"; items: NewEntity[] }
  | { kind: "relationships"; items: [key: string, relationship: NewRelationship][] };

/** How a request lists its relationships. */
type Listing = "members" | "lines";

interface Given {
  entities: NewEntity[];
  relationships: NewRelationship[];
  of: Listing;
  /** The line of each relationship, where that is not its index. */
  lines?: number[];
}

/** Packs the import of a JSON body into slices, each as JSON. */
export function packImport({ entities, relationships }: Input<typeof knowledgeGraphContract.import>) {
  return packed({ entities, relationships, of: "members" });
}

/** Returns the path in the request of the end at a place. */
export function pathOfEnd(of: Listing, place: number): string {
  const index = place >> 1;
  return `${of === "lines" ? `lines.${index}.relationship` : `relationships.${index}`}.${ENDS[place & 1]}`;
}

const ENDS = ["from", "to"] as const;

/**
 * Packs an import of lines, each a JSON object with an `entity` or a `relationship`, into slices.
 *
 * Throws `Problem` `invalid_request`, with up to a hundred faults, if a line is invalid.
 */
export function packLines(body: Uint8Array, maxLines = MAX_LINES) {
  if (!isUtf8(body)) throw new Problem("invalid_json", "The body is not UTF-8.");
  const given = { entities: [] as NewEntity[], relationships: [] as NewRelationship[] };
  const lines: number[] = [];
  const faults: Fault[] = [];
  let count = 0;
  for (const [line, text] of linesOf(body)) {
    if (text.trim() === "") continue;
    if (++count > maxLines) throw tooMany(maxLines);
    const parsed = ImportLine.safeParse(parsedLine(text, line));
    if (!parsed.success) {
      for (const { path, message } of faultsOf(parsed.error)) {
        faults.push({ path: path === "" ? `lines.${line}` : `lines.${line}.${path}`, message });
      }
      if (faults.length >= MAX_FAULTS) break;
      continue;
    }
    const { entity, relationship } = parsed.data;
    if (entity) given.entities.push(entity);
    if (relationship) lines[given.relationships.push(relationship) - 1] = line;
  }
  if (faults.length > 0) throw invalidRequest(faults.slice(0, MAX_FAULTS));
  return packed({ ...given, of: "lines", lines });
}

const MAX_FAULTS = 100;

function parsedLine(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem("invalid_json", `Line ${line + 1}: ${(error as Error).message}`);
  }
}

function tooMany(maxLines: number): Problem {
  return new Problem(
    "payload_too_large",
    `The body holds more than ${grouped(maxLines)} lines. Send it in parts.`,
  );
}

const NEWLINE = 0x0a;
/** The byte order mark. UTF-8 has no byte order, but editors write it, and RFC 8259 §8.1 allows it to be ignored. */
const MARK = Buffer.from("\ufeff");

/** Yields lines one at a time, so that they are never all in memory twice. */
function* linesOf(body: Uint8Array): Generator<[line: number, text: string]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (let start = bytes.indexOf(MARK) === 0 ? MARK.length : 0, line = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    yield [line, bytes.toString("utf8", start, end)];
    start = end + 1;
  }
}

/** Yields slices: the last of what is given twice, and entities before their relationships. */
function* packed({ entities, relationships, of, lines }: Given): Generator<Uint8Array> {
  const byId = new Map<string, NewEntity>();
  const nameless: NewEntity[] = [];
  for (const given of entities) {
    const entity = withoutTimes(given);
    if (entity.id === undefined) nameless.push(entity);
    else byId.set(entity.id, entity);
  }
  // Places are numbers: to build and send a path for each would take longer than everything else.
  const ends = new Map<string, number>();
  for (const [index, relationship] of relationships.entries()) {
    for (const [which, end] of ENDS.entries()) {
      const id = relationship[end];
      if (!byId.has(id) && !ends.has(id)) ends.set(id, 2 * (lines?.[index] ?? index) + which);
    }
  }
  yield* slicesOf({ kind: "ends", of }, ends);
  yield* slicesOf({ kind: "entities" }, concat(byId.values(), nameless));
  const byKey = new Map<string, NewRelationship>();
  for (const given of relationships) byKey.set(relationshipKey(given), withoutTimes(given));
  yield* slicesOf({ kind: "relationships" }, byKey);
}

/** Drops what is not read. Only the body bounds its size, so it must not reach the main thread. */
function withoutTimes<Given extends object>(given: Given & { createdAt?: unknown; updatedAt?: unknown }) {
  if (given.createdAt === undefined && given.updatedAt === undefined) return given;
  const { createdAt: _, updatedAt: __, ...rest } = given;
  return rest as Given;
}

function* concat<T>(...all: Iterable<T>[]): Generator<T> {
  for (const each of all) yield* each;
}

type Head = Pick<ImportSlice, "kind"> & { of?: Listing };

/** Yields `ImportSlice`s as JSON. */
function* slicesOf(head: Head, items: Iterable<unknown>): Generator<Uint8Array> {
  let slice: unknown[] = [];
  for (const item of items) {
    if (slice.push(item) < MAX_SLICE_ITEMS) continue;
    yield* fitting(head, slice);
    slice = [];
  }
  if (slice.length > 0) yield* fitting(head, slice);
}

/** Halves a slice until each part fits. To write many items at once takes half as long as one by one. */
function* fitting(head: Head, items: unknown[]): Generator<Uint8Array> {
  const text = JSON.stringify({ ...head, items });
  if (items.length === 1 || text.length <= MAX_SLICE_CHARACTERS) return yield Buffer.from(text);
  const half = items.length >> 1;
  yield* fitting(head, items.slice(0, half));
  yield* fitting(head, items.slice(half));
}
