import { firstIndex } from "../../system/binary-search.ts";
import type { Row } from "./row.ts";

/** Maximum number of entries in a chunk. Removing some moves few others. */
const MAX_CHUNK = 1024;
/** Number of outdated entries, beyond half the rows, that are kept before clearing begins. */
const SLACK = 4096;
/** Deletions beyond this number, and beyond that of the rows, are forgotten: starting over is then cheaper. */
const MAX_DELETIONS = 20_000;
/** Bytes that an entry counts for in a page, since skipping outdated entries takes time, too. */
const ENTRY_BYTES = 16;

/** Consecutive writes. A mark is twice the version, plus one for a deletion. */
interface Chunk {
  ids: string[];
  marks: number[];
}

export interface LogPage {
  /** The newest state of each document; without a row it was deleted. */
  entries: { id: string; row: Row | undefined }[];
  /** The last version that the page covers. */
  version: number;
  more: boolean;
}

/**
 * The ids of a table in the order of writing, to find what was written since a version without scanning the rest. When
 * an id is written again, its older entry is outdated: it is skipped, and cleared gradually as further entries come.
 */
export class WriteLog {
  /** The version up to which deletions have been forgotten. */
  horizon = 0;
  readonly #rows: ReadonlyMap<string, Row>;
  readonly #chunks: Chunk[] = [];
  #size = 0;
  #deletions = 0;
  /** Index of the chunk to clear next. */
  #next = 0;

  constructor(rows: ReadonlyMap<string, Row>) {
    this.#rows = rows;
  }

  /** Version of the last write, as far as it is known. */
  get version(): number {
    return Math.max(this.horizon, versionOf(this.#chunks.at(-1)?.marks.at(-1)));
  }

  /** @param version higher than any before it. */
  add(id: string, version: number, deleted: boolean): void {
    let last = this.#chunks.at(-1);
    if (!last || last.ids.length >= MAX_CHUNK) {
      last = { ids: [], marks: [] };
      this.#chunks.push(last);
    }
    last.ids.push(id);
    last.marks.push(2 * version + Number(deleted));
    this.#size++;
    if (deleted && ++this.#deletions > Math.max(MAX_DELETIONS, this.#rows.size)) this.#forgetHalf();
    if (this.#size > 1.5 * this.#rows.size + this.#deletions + SLACK) this.#clearNext();
  }

  /** Undoes the last write, so that `before` is the row of the id again. */
  undo(id: string, version: number, before: Row | undefined): void {
    const last = this.#chunks.at(-1);
    if (last && versionOf(last.marks.at(-1)) === version) {
      if (isDeletion(last.marks.pop())) this.#deletions--;
      last.ids.pop();
      this.#size--;
      if (last.ids.length === 0) this.#chunks.pop();
    }
    if (before) this.#restore(id, before.version);
  }

  /** Returns what was written after a version, up to about `maxBytes`, but at least one document. */
  page(since: number, maxBytes: number): LogPage {
    const entries: LogPage["entries"] = [];
    const gone = new Set<string>();
    let version = since;
    let bytes = 0;
    for (let at = this.#chunkBehind(since); at < this.#chunks.length; at++) {
      const { ids, marks } = this.#chunks[at] as Chunk;
      for (let index = placeBehind(marks, since); index < ids.length; index++) {
        if (bytes >= maxBytes) return { entries, version, more: true };
        bytes += ENTRY_BYTES;
        const [id, mark] = [ids[index] as string, marks[index] as number];
        version = versionOf(mark);
        const row = this.#rows.get(id);
        if (row ? row.version !== version : !isDeletion(mark) || gone.has(id)) continue;
        if (!row) gone.add(id);
        entries.push({ id, row });
        bytes += id.length + (row ? String(row.content).length : 0);
      }
    }
    return { entries, version, more: false };
  }

  /**
   * Drops what `add` leaves to bursts: deletions that outnumber the rows, since starting over is then cheaper, and most
   * outdated entries. Otherwise the ids of a space that somebody has emptied would stay. None of its writes may be undone
   * any more.
   */
  trim(): void {
    if (this.#deletions > this.#rows.size) {
      this.horizon = this.version;
      this.#deletions = 0;
    }
    if (this.#size <= 2 * (this.#rows.size + this.#deletions)) return;
    this.#next = 0;
    for (let left = this.#chunks.length; left > 0; left--) this.#clearNext();
  }

  /** Forgets the older half of the deletions. */
  #forgetHalf(): void {
    let left = Math.ceil(this.#deletions / 2);
    this.#deletions -= left;
    for (const { marks } of this.#chunks) {
      for (const mark of marks) {
        if (!isDeletion(mark) || versionOf(mark) <= this.horizon) continue;
        if (--left > 0) continue;
        this.horizon = versionOf(mark);
        return;
      }
    }
  }

  /** Restores an older entry if it was cleared while a newer one existed. */
  #restore(id: string, version: number): void {
    const at = Math.min(this.#chunkBehind(version - 1), Math.max(0, this.#chunks.length - 1));
    const chunk = this.#chunks[at];
    if (!chunk) {
      this.add(id, version, false);
      return;
    }
    const index = placeBehind(chunk.marks, version - 1);
    if (versionOf(chunk.marks[index]) === version) return;
    chunk.ids.splice(index, 0, id);
    chunk.marks.splice(index, 0, 2 * version);
    this.#size++;
  }

  /** Clears outdated entries from one chunk, and merges a small one into the chunk before it. */
  #clearNext(): void {
    if (this.#next >= this.#chunks.length) this.#next = 0;
    const at = this.#next++;
    const chunk = this.#chunks[at] as Chunk;
    const kept: Chunk = { ids: [], marks: [] };
    for (const [index, id] of chunk.ids.entries()) {
      const mark = chunk.marks[index] as number;
      if (!this.#keeps(id, mark)) continue;
      kept.ids.push(id);
      kept.marks.push(mark);
    }
    this.#size -= chunk.ids.length - kept.ids.length;
    const before = this.#chunks[at - 1];
    if (kept.ids.length > 0 && (!before || before.ids.length + kept.ids.length > MAX_CHUNK)) {
      this.#chunks[at] = kept;
      return;
    }
    before?.ids.push(...kept.ids);
    before?.marks.push(...kept.marks);
    this.#chunks.splice(at, 1);
    this.#next = at;
  }

  /** Whether an entry stays. A deletion stays even if its id was written again, since that write may be undone. */
  #keeps(id: string, mark: number): boolean {
    const version = versionOf(mark);
    return isDeletion(mark) ? version > this.horizon : this.#rows.get(id)?.version === version;
  }

  /** Returns the index of the first chunk with an entry after a version. */
  #chunkBehind(version: number): number {
    return firstIndex(this.#chunks, ({ marks }) => versionOf(marks.at(-1)) > version);
  }
}

function versionOf(mark = 0): number {
  return Math.floor(mark / 2);
}

function isDeletion(mark = 0): boolean {
  return mark % 2 === 1;
}

function placeBehind(marks: readonly number[], version: number): number {
  return firstIndex(marks, (mark) => versionOf(mark) > version);
}
