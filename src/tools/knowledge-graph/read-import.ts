import { isUtf8 } from "node:buffer";
import type { Input } from "../../contract/endpoint.ts";
import { faultsOf, invalidRequest } from "../../contract/faults.ts";
import { packFrames } from "../../contract/frames.ts";
import { type Fault, Problem } from "../../contract/problem.ts";
import {
  ImportLine,
  type knowledgeGraphContract,
  MAX_LINES,
  type NewEntity,
  type NewRelationship,
} from "./contract.ts";
import { relationshipKey } from "./documents.ts";

/** Looked up, or written, in one transaction: some milliseconds of work, for which others wait. */
const MAX_SLICE_ITEMS = 250;
const MAX_SLICE_CHARACTERS = 64 * 1024;

/** Part of an import, as `recordImport` takes it, in this order. */
export type ImportSlice =
  /** Ends of relationships that are to be there already, and where the request names them. */
  | { kind: "ends"; items: [id: string, path: string][] }
  | { kind: "entities"; items: NewEntity[] }
  | { kind: "relationships"; items: [key: string, relationship: NewRelationship][] };

interface Given {
  entities: NewEntity[];
  relationships: NewRelationship[];
  /** Where the request holds the relationship of an index. */
  pathOf: (index: number) => string;
}

/** A JSON body's import in slices, each a frame of JSON. */
export function packImport({ entities, relationships }: Input<typeof knowledgeGraphContract.import>) {
  return packed({ entities, relationships, pathOf: (index) => `relationships.${index}` });
}

/**
 * The same of lines, each a JSON object with an `entity` or a `relationship`.
 *
 * Throws `Problem` `invalid_request`, with all faults up to a hundred, where a line is not as it should be.
 */
export function packLines(body: Uint8Array, maxLines = MAX_LINES) {
  if (!isUtf8(body)) throw new Problem("invalid_json", "The body is not UTF-8.");
  const given = { entities: [] as NewEntity[], relationships: [] as NewRelationship[] };
  const places: number[] = [];
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
    if (relationship) places[given.relationships.push(relationship) - 1] = line;
  }
  if (faults.length > 0) throw invalidRequest(faults.slice(0, MAX_FAULTS));
  return packed({ ...given, pathOf: (index) => `lines.${places[index]}.relationship` });
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
    `The body holds more than ${maxLines.toLocaleString("en")} lines. Send it in parts.`,
  );
}

const NEWLINE = 0x0a;
/** Of the byte order, which UTF-8 has none of: editors write it nevertheless, and RFC 8259 §8.1 lets it be passed over. */
const MARK = Buffer.from("\ufeff");

/** One at a time, so that they are never all there twice. */
function* linesOf(body: Uint8Array): Generator<[line: number, text: string]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (let start = bytes.indexOf(MARK) === 0 ? MARK.length : 0, line = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    yield [line, bytes.toString("utf8", start, end)];
    start = end + 1;
  }
}

/** Of what is given twice, the last; entities before what relates them. */
function packed({ entities, relationships, pathOf }: Given): Uint8Array<ArrayBuffer> {
  const byId = new Map<string, NewEntity>();
  const nameless: NewEntity[] = [];
  for (const entity of entities) {
    if (entity.id === undefined) nameless.push(entity);
    else byId.set(entity.id, entity);
  }
  const ends = new Map<string, string>();
  const byKey = new Map<string, NewRelationship>();
  for (const [index, relationship] of relationships.entries()) {
    for (const end of ["from", "to"] as const) {
      const id = relationship[end];
      if (byId.has(id) || ends.has(id)) continue;
      ends.set(id, `${pathOf(index)}.${end}`);
    }
    byKey.set(relationshipKey(relationship), relationship);
  }
  return packFrames([
    ...framesOf("ends", ends),
    ...framesOf("entities", concat(byId.values(), nameless)),
    ...framesOf("relationships", byKey),
  ]);
}

function* concat<T>(...all: Iterable<T>[]): Generator<T> {
  for (const each of all) yield* each;
}

/** `ImportSlice`s as JSON. */
function* framesOf(kind: ImportSlice["kind"], items: Iterable<unknown>): Generator<Uint8Array> {
  let slice: unknown[] = [];
  for (const item of items) {
    if (slice.push(item) < MAX_SLICE_ITEMS) continue;
    yield* fitting(kind, slice);
    slice = [];
  }
  if (slice.length > 0) yield* fitting(kind, slice);
}

/** Halved until each part fits: to write many at once takes half as long as one by one. */
function* fitting(kind: ImportSlice["kind"], items: unknown[]): Generator<Uint8Array> {
  const text = JSON.stringify({ kind, items });
  if (items.length === 1 || text.length <= MAX_SLICE_CHARACTERS) return yield Buffer.from(text);
  const half = items.length >> 1;
  yield* fitting(kind, items.slice(0, half));
  yield* fitting(kind, items.slice(half));
}
