import { closeSync, fdatasyncSync, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { encodeGroup } from "./group.ts";
import { SNAPSHOT } from "./layout.ts";

const GROUP_BYTES = 1 << 18;
/** Bytes between two syncs: few enough not to delay a journal on the same disk for long. */
const SYNC_BYTES = 1 << 22;

/** Writes a new snapshot, record by record. */
export class SnapshotWriter {
  bytes = 0;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #ending = Buffer.from(SNAPSHOT.ending);
  #records = Buffer.allocUnsafe(2 * GROUP_BYTES);
  #length = 0;
  #groups = 0;
  #unsynced = 0;

  constructor(path: string, group: number) {
    this.#path = path;
    this.#descriptor = openSync(path, "w", 0o600);
    this.#write(Buffer.from(SNAPSHOT.heading(group)));
  }

  add(bytes: Buffer, start: number, end: number): void {
    const length = this.#length + end - start + this.#ending.length;
    if (length > this.#records.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#records.copy(larger, 0, 0, this.#length);
      this.#records = larger;
    }
    bytes.copy(this.#records, this.#length, start, end);
    this.#ending.copy(this.#records, length - this.#ending.length);
    this.#length = length;
    if (length >= GROUP_BYTES) this.#endGroup();
  }

  /** Completes the snapshot. It is durable when this returns. */
  finish(): void {
    if (this.#length > 0) this.#endGroup();
    this.#write(Buffer.from(SNAPSHOT.closing(this.#groups)));
    fdatasyncSync(this.#descriptor);
  }

  /** Whether its path leads to its file. A process that has taken the directory over begins one of its own there. */
  isInPlace(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === fstatSync(this.#descriptor).ino;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #endGroup(): void {
    const records = this.#records.subarray(0, this.#length);
    for (const part of encodeGroup(++this.#groups, [records], SNAPSHOT.ending)) this.#write(part);
    this.#length = 0;
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    this.bytes += bytes.length;
    this.#unsynced += bytes.length;
    if (this.#unsynced < SYNC_BYTES) return;
    fdatasyncSync(this.#descriptor);
    this.#unsynced = 0;
  }
}
