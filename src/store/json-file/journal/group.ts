import { crc32 } from "node:zlib";
import type { InputFile } from "./input-file.ts";

/**
 * Encodes records as a group: a header line with the group's number, the length of its records in bytes and their
 * CRC-32 (seeded with the number), then the records, one per line. A group is read as a whole or not at all.
 *
 *     {"group":12,"bytes":345,"check":"1a2b3c4d"}
 *
 * If groups before it were still in flight, the header also names the last one on the medium. Those in between may be
 * missing after a power failure although this one is there.
 *
 *     {"group":12,"synced":10,"bytes":345,"check":"1a2b3c4d"}
 *
 * `ending` ends every line: a newline, in a snapshot preceded by the comma of its JSON array.
 *
 * @param records in parts, which need not be copied into one buffer.
 * @param synced the number of the last group on the medium.
 * @returns the group in as many parts, the header with the first.
 */
export function encodeGroup(
  number: number,
  records: readonly Buffer[],
  ending: string,
  synced = number - 1,
): Buffer[] {
  const [first = Buffer.alloc(0), ...rest] = records;
  return [Buffer.concat([Buffer.from(headerOf({ number, synced }, records, ending)), first]), ...rest];
}

export interface Group {
  number: number;
  /** Valid until the next group is read. */
  records: Buffer;
  /** The line of the first record. */
  line: number;
}

/** Reads one group after another. Stops before the first thing that is not a whole group. */
export class GroupReader {
  /** The line of the next group's header. Line 1 is the heading of the file. */
  line = 2;

  constructor(
    readonly file: InputFile,
    readonly ending: string,
    /** The number of the next group. */
    public number: number,
  ) {}

  next(): Group | undefined {
    const { file, ending, number } = this;
    const header = readHeader(file.peekLine(MAX_HEADER_LENGTH));
    if (header?.number !== number) return undefined;
    const bytes = file.peek(header.line.length + header.bytes);
    const records = bytes.subarray(header.line.length);
    if (headerOf(header, [records], ending) !== header.line) return undefined;
    file.skip(bytes.length);
    const group = { number, records, line: this.line + 1 };
    this.number++;
    this.line += 1 + countLines(records);
    return group;
  }

  /** The line where reading stopped: the first that is not JSON, or else the line of the header. */
  get faultyLine(): number {
    const header = readHeader(this.file.peekLine(MAX_HEADER_LENGTH));
    if (!header) return this.line;
    const records = this.file.peek(header.line.length + header.bytes).subarray(header.line.length);
    if (records.at(-1) !== NEWLINE) return this.line;
    let line = this.line + 1;
    for (const [start, end] of linesOf(records, this.ending)) {
      if (!isJson(records.toString("utf8", start, end))) return line;
      line++;
    }
    return this.line;
  }
}

const HEADER =
  /^\{"group":(\d{1,15})(?:,"synced":(\d{1,15}))?,"bytes":(\d{1,12}),"check":"[0-9a-f]{8}"\},?\n$/;
const MAX_HEADER_LENGTH = 100;

/** The contents of a group's header. */
interface Header {
  line: string;
  number: number;
  synced: number;
  bytes: number;
}

function readHeader(line: string | undefined): Header | undefined {
  const found = line && HEADER.exec(line);
  if (!found) return undefined;
  const number = Number(found[1]);
  const synced = found[2] === undefined ? number - 1 : Number(found[2]);
  return { line, number, synced, bytes: Number(found[3]) };
}

/**
 * Whether `bytes`, which should begin with group `missing`, contain a whole group that was written only after `missing`
 * was on the medium. Then `missing` is damaged rather than unfinished.
 */
export function provesDamage(bytes: Buffer, missing: number, ending: string): boolean {
  for (let start = 0; ; start++) {
    start = bytes.indexOf('{"group":', start);
    const newline = bytes.indexOf(NEWLINE, start);
    if (start === -1 || newline === -1) return false;
    const header = readHeader(
      bytes.toString("latin1", start, Math.min(newline + 1, start + MAX_HEADER_LENGTH)),
    );
    if (!header || (header.number > missing && header.synced < missing)) continue;
    const records = bytes.subarray(newline + 1, newline + 1 + header.bytes);
    if (header.line === headerOf(header, [records], ending)) return true;
  }
}

/** Yields the bounds of each line in a group's records, without its ending. */
export function* linesOf(records: Buffer, ending: string): Generator<[start: number, end: number]> {
  for (let start = 0; start < records.length; ) {
    const newline = records.indexOf(NEWLINE, start);
    const end = newline === -1 ? records.length : newline + 1 - ending.length;
    yield [start, end];
    start = end + ending.length;
  }
}

const NEWLINE = 0x0a;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function countLines(records: Buffer): number {
  let lines = 0;
  for (let at = records.indexOf(NEWLINE); at !== -1; at = records.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function headerOf(
  { number, synced }: Pick<Header, "number" | "synced">,
  records: readonly Buffer[],
  ending: string,
): string {
  const syncedMember = synced === number - 1 ? "" : `,"synced":${synced}`;
  const seed = syncedMember === "" ? number : crc32(syncedMember, number);
  const check = records.reduce((sum, part) => crc32(part, sum), seed);
  const bytes = records.reduce((sum, part) => sum + part.length, 0);
  return `{"group":${number}${syncedMember},"bytes":${bytes},"check":"${check.toString(16).padStart(8, "0")}"}${ending}`;
}
