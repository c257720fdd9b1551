import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperationalError } from "../../system/operational-error.ts";
import { createTally, type Inventory } from "../inventory.ts";
import type { StoreItem } from "../store.ts";
import { BackupDamaged, type Ending, FORMAT, type Heading } from "./layout.ts";

export interface OpenedBackup {
  heading: Heading;
  /** Can be iterated once. The last step throws `BackupDamaged` unless everything was read as it was written. */
  items: AsyncGenerator<StoreItem, Inventory>;
}

/**
 * Opens a backup, which is verified while it is read. Throws `BackupDamaged`, or `OperationalError` for a newer format.
 */
export async function openBackup(from: Readable): Promise<OpenedBackup> {
  const lines = linesOf(from);
  const first = await lines.next();
  const heading = first.done ? undefined : (parsed(first.value) as Heading);
  if (heading?.toolplane !== "backup") throw new BackupDamaged("this is not how one begins");
  if (heading.format !== FORMAT) {
    throw new OperationalError(
      `This backup was written by a newer version (${heading.version}): update this one.`,
    );
  }
  return { heading, items: itemsOf(lines) };
}

async function* itemsOf(lines: AsyncGenerator<string>): AsyncGenerator<StoreItem, Inventory> {
  const tally = createTally();
  let ending: Ending | undefined;
  for await (const line of lines) {
    if (ending) throw new BackupDamaged("something follows its end");
    const item = parsed(line) as StoreItem | Ending;
    if ("end" in item) ending = item;
    else {
      tally.add(item);
      yield item;
    }
  }
  if (!ending) throw new BackupDamaged("its end is missing");
  const found = tally.inventory();
  for (const member of ["documents", "counters", "checksum"] as const) {
    if (found[member] !== ending[member]) throw new BackupDamaged("it holds something else than was written");
  }
  return found;
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new BackupDamaged("a line of it is no record");
}

const NEWLINE = 0x0a;

/** Splits at newlines only: documents may contain any other line separator. */
async function* linesOf(from: Readable): AsyncGenerator<string> {
  const text = from.on("error", (error) => text.destroy(error)).pipe(createGunzip());
  let rest: Buffer[] = [];
  try {
    for await (const piece of text as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
        const line = piece.subarray(start, end);
        yield (rest.length > 0 ? Buffer.concat([...rest, line]) : line).toString("utf8");
        rest = [];
        start = end + 1;
      }
      if (start < piece.length) rest.push(piece.subarray(start));
    }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    throw new BackupDamaged("it cannot be decompressed", { cause: error });
  }
  if (rest.length > 0) throw new BackupDamaged("its last line is cut off");
}
