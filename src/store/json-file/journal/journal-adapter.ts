import { randomBytes } from "node:crypto";
import { rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Adapter } from "lowdb";
import type { Clock } from "../../../system/clock.ts";
import type { Log } from "../../../system/log.ts";
import { errorCode } from "../../../system/operational-error.ts";
import { othersFirst } from "../../../system/others-first.ts";
import { StoreUnavailable } from "../../store.ts";
import type { Tables } from "../tables.ts";
import { encodeGroup } from "./group.ts";
import { JOURNAL, SNAPSHOT, UNFINISHED } from "./layout.ts";
import { load } from "./load.ts";
import {
  createFile,
  type OpenOutputFile,
  type OutputFile,
  replaceByCopy,
  syncDirectory,
} from "./output-file.ts";
import { headingOf } from "./reading.ts";
import { encodeRecord } from "./record.ts";

/** Length of a buffered part, in characters. */
const PART = 1 << 20;
const PROBE = "probe";
const PROBE_BYTES = 64 * 1024;
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: ": is the disk full, or are its inodes used up (df -i)?",
  EDQUOT: ": is this user's share of the disk used up?",
  EFBIG: ": may a file get no longer (ulimit -f)?",
  EMFILE: ": may this process open no more files (ulimit -n)?",
};

/** For how long the journal counts as in place once it was looked at: looking before each group takes a tenth of the time. */
const IN_PLACE_MS = 100;

/**
 * What would be written now would continue a journal that the next rotation replaces. Another start puts this right: the
 * files, as they are, continue each other.
 */
export class HalfRotated extends Error {}

/**
 * A lowdb adapter over a snapshot and a journal. A `write` appends what changed since the last one as one group, which
 * is durable once a later `sync` has resolved.
 */
export class JournalAdapter implements Adapter<Tables> {
  /** The number of the last group. */
  group = 0;
  /** Sizes of the files in bytes; `oldJournalBytes` is 0 if there is no old journal. */
  snapshotBytes = 0;
  oldJournalBytes = 0;
  journalBytes = 0;
  /** When the snapshot was last written, in milliseconds since the epoch; without one, when the journal was begun. */
  mergedAt = 0;
  #file: OutputFile | undefined;
  /** The number of the last group that is on the medium. */
  #synced = 0;
  /** Whether the last group is empty, so that no acknowledged write is in it. */
  #sealed = true;
  #failed = false;
  /** When the journal was last seen in its place, on the monotonic clock. */
  #seenAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly directory: string,
    readonly openFile: OpenOutputFile,
    readonly log: Log,
    readonly clock: Pick<Clock, "monotonic">,
    readonly followed: ReadonlySet<string> = new Set(),
    /** Whether another process may still write to the journal that is there: this one then goes on in a copy. */
    readonly isContested = false,
  ) {}

  async read(): Promise<Tables> {
    const loaded = load(this.directory, this.log, this.followed);
    this.group = loaded.group;
    this.#synced = loaded.group;
    this.snapshotBytes = loaded.snapshotBytes;
    this.oldJournalBytes = loaded.oldJournalBytes;
    this.journalBytes = loaded.journalBytes;
    for (const name of [SNAPSHOT.name + UNFINISHED, JOURNAL.name + UNFINISHED, PROBE]) {
      await rm(this.#path(name), { force: true });
    }
    if (this.oldJournalBytes === 0) await rm(this.#path(JOURNAL.oldName), { force: true });
    else await truncate(this.#path(JOURNAL.oldName), this.oldJournalBytes);
    if (this.journalBytes === 0) {
      await this.#begin();
    } else {
      if (this.isContested) await replaceByCopy(this.#path(JOURNAL.name));
      this.#file = await this.openFile(this.#path(JOURNAL.name));
      await this.#file.truncate(this.journalBytes);
      // Before anything is added that an older version would misread.
      await this.#file.write(Buffer.from(JOURNAL.updated(headingOf(this.#path(JOURNAL.name)))), 0);
      // Writes of a killed process may still be in the page cache only.
      await this.#file.sync();
    }
    const snapshot = await stat(this.#path(SNAPSHOT.name)).catch(() => undefined);
    this.mergedAt = snapshot?.mtimeMs ?? (await stat(this.#path(JOURNAL.name))).birthtimeMs;
    return loaded.tables;
  }

  /** Whether nothing was written since the journal was begun. */
  get isEmpty(): boolean {
    return this.journalBytes === JOURNAL.heading(this.group).length;
  }

  async write(tables: Tables): Promise<void> {
    const parts: Buffer[] = [];
    let records = "";
    // All changes are taken at once and encoded piece by piece. What is written meanwhile belongs to the next group.
    for (const { table, id, row } of tables.save()) {
      records += `${encodeRecord(table, id, row)}\n`;
      if (records.length < PART) continue;
      // A large import would otherwise be in the heap twice: as rows and as one long string.
      parts.push(Buffer.from(records));
      records = "";
      await othersFirst();
    }
    parts.push(Buffer.from(records));
    // After a failure even an empty group is of use: it shows whether the disk takes writes again.
    if (parts.some(({ length }) => length > 0) || this.#failed) await this.#append(parts);
  }

  /** Resolves when all groups written so far are on the medium. */
  async sync(): Promise<void> {
    const { group } = this;
    await this.#file?.sync();
    this.#synced = Math.max(this.#synced, group);
  }

  /** Appends an empty group, so that everything before it is known to be complete. */
  async seal(): Promise<void> {
    if (this.#sealed) return;
    await this.#append([]);
    await this.sync();
  }

  /**
   * Sets the journal aside for a compaction and begins a new one. Nothing may be written meanwhile.
   *
   * @throws HalfRotated if nothing may be written any more
   */
  async rotate(): Promise<void> {
    const previous = this.#file;
    await this.#assertInPlace();
    await rename(this.#path(JOURNAL.name), this.#path(JOURNAL.oldName));
    const bytes = this.journalBytes;
    try {
      await this.#begin();
    } catch (error) {
      await rename(this.#path(JOURNAL.oldName), this.#path(JOURNAL.name)).catch((cause) => {
        throw new HalfRotated("the journal was set aside and cannot be put back", { cause });
      });
      throw error;
    }
    this.oldJournalBytes = bytes;
    await previous?.close();
  }

  /** Removes the old journal once a compaction has merged it into the snapshot. */
  async merged(snapshotBytes: number): Promise<void> {
    this.snapshotBytes = snapshotBytes;
    await rm(this.#path(JOURNAL.oldName), { force: true });
    this.oldJournalBytes = 0;
  }

  /** @throws StoreUnavailable where the disk does not take what a request may write */
  async probe(): Promise<void> {
    const path = this.#path(PROBE);
    try {
      await writeFile(path, "", { mode: 0o600 });
      const file = await this.openFile(path);
      try {
        // Random, since a file system may compress. Not synced, since a write that has no room fails by itself.
        await file.write(randomBytes(PROBE_BYTES), 0);
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw unwritable(cause);
    } finally {
      await rm(path, { force: true });
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #begin(): Promise<void> {
    const path = this.#path(JOURNAL.name);
    const heading = JOURNAL.heading(this.group);
    await createFile(path, heading);
    await syncDirectory(this.directory);
    this.#file = await this.openFile(path);
    this.journalBytes = heading.length;
  }

  async #append(records: readonly Buffer[]): Promise<void> {
    const file = this.#file as OutputFile;
    if (this.clock.monotonic() - this.#seenAt > IN_PLACE_MS) await this.#assertInPlace();
    let end = this.journalBytes;
    try {
      for (const part of encodeGroup(this.group + 1, records, JOURNAL.ending, this.#synced)) {
        await file.write(part, end);
        end += part.length;
      }
      this.#failed = false;
    } catch (cause) {
      this.#failed = true;
      await file.truncate(this.journalBytes);
      throw unwritable(cause);
    }
    this.group++;
    this.#sealed = records.every(({ length }) => length === 0);
    this.journalBytes = end;
  }

  /**
   * Whoever copies an older directory over this one, or removes the journal, does not see that it goes on being written:
   * at the next start nothing of that would be found.
   */
  async #assertInPlace(): Promise<void> {
    const now = this.clock.monotonic();
    if (await this.#file?.isInPlace(this.journalBytes)) {
      this.#seenAt = now;
      return;
    }
    throw new Error(
      `${this.#path(JOURNAL.name)} was removed, replaced or changed by another program: stop the server before restoring files`,
    );
  }

  #path(name: string): string {
    return join(this.directory, name);
  }
}

/** The cause's own message says what else it may be: a broken disk, or no more files that may be opened. */
function unwritable(cause: unknown): StoreUnavailable {
  const hint = HINTS[errorCode(cause) ?? ""] ?? "";
  return new StoreUnavailable(`the journal cannot be written${hint}`, { cause });
}
