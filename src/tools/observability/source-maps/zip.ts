import { inflateRawSync } from "node:zlib";
import { Problem } from "../../../contract/problem.ts";

/** A file in an archive. */
export interface ZipEntry {
  name: string;
  /** Its bytes as they are in the archive. */
  bytes: Buffer;
  method: number;
}

const STORED = 0;
const DEFLATED = 8;
const END = 0x06054b50;
const IN_DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;

/**
 * Reads the entries of a zip archive (PKWARE APPNOTE 6.3) from its directory. Other data may precede the
 * archive. Nothing is unpacked, and nothing is written under a name. Throws `Problem` if it is no zip
 * archive, encrypted, split, or longer than 4 GiB.
 */
export function entriesOf(archive: Buffer, maxEntries: number): Map<string, ZipEntry> {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > maxEntries) throw malformed(`it holds more than ${maxEntries} files`);
  const size = archive.readUInt32LE(end + 12);
  // Data before the archive shifts all of its offsets.
  const before = end - size - archive.readUInt32LE(end + 16);
  if (before < 0) throw malformed("its directory lies outside of it");
  const entries = new Map<string, ZipEntry>();
  let at = end - size;
  for (let index = 0; index < count; index++) {
    require(archive, at, 46, IN_DIRECTORY);
    const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)];
    const length = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const more = archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    const local = before + archive.readUInt32LE(at + 42);
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    if (flags & 1) throw malformed("it is encrypted");
    if (method !== STORED && method !== DEFLATED) throw malformed("it is packed in a way that is not known");
    require(archive, local, 30, LOCAL);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    if (start + length > archive.length) throw malformed("a file of it ends outside of it");
    entries.set(name, { name, method, bytes: archive.subarray(start, start + length) });
    at += 46 + nameLength + more;
  }
  return entries;
}

/** Unpacks an entry. Throws `Problem` if it is broken, or has more than `maxBytes` whatever size the archive states. */
export function unpacked({ name, method, bytes }: ZipEntry, maxBytes: number): Buffer {
  const tooLong = () => malformed(`${shown(name)} has more than ${maxBytes / 1024 / 1024} MiB unpacked`);
  if (method === STORED) {
    if (bytes.length > maxBytes) throw tooLong();
    return bytes;
  }
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLong();
    throw malformed(`${shown(name)} is broken`);
  }
}

export function malformed(why: string): Problem {
  return new Problem("invalid_request", `This is no bundle as sentry-cli makes it: ${why}.`);
}

/** Quotes an untrusted name for a message. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at--) {
    if (archive.readUInt32LE(at) === END) return at;
  }
  throw malformed("it is no zip archive");
}

function require(archive: Buffer, at: number, length: number, signature: number): void {
  if (at >= 0 && at + length <= archive.length && archive.readUInt32LE(at) === signature) return;
  throw malformed("its directory does not fit it");
}
