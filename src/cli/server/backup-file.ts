import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { addAbortSignal, PassThrough, pipeline, type Readable, Writable } from "node:stream";
import { errorCode, OperationalError } from "../../system/operational-error.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "./store-work.ts";

const UNFINISHED = ".unfinished";

/** Writes a backup to a file, atomically and readable by its owner only, or to stdout (`-`), until Ctrl-C. */
export async function writeTo(path: string, io: Io, write: (to: Writable) => Promise<void>): Promise<void> {
  if (path === "-") {
    if (io.out.terminal)
      throw new UsageError(
        "A backup is not text: it cannot go to a terminal.",
        "Name a file, or pipe it on.",
      );
    io.out.outliveReader();
    return write(addAbortSignal(io.interrupted, passedOnTo(io.out.stream))).catch(rethrowReaderGone);
  }
  if (existsSync(path)) throw new UsageError(`${path} exists already.`, "Name another file, or remove it.");
  if (!existsSync(dirname(path)))
    throw new UsageError(`There is no folder ${dirname(path)}.`, `Make it first: mkdir -p ${dirname(path)}`);
  const unfinished = path + UNFINISHED;
  const file = await open(unfinished, "w", 0o600);
  try {
    await file.chmod(0o600);
    await write(addAbortSignal(io.interrupted, file.createWriteStream({ flush: true })));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    // A write to a full disk does not say to which file.
    throw isFullDisk(error) ? Object.assign(error, { path }) : error;
  }
}

function rethrowReaderGone(error: unknown): never {
  if (errorCode(error) !== "EPIPE") throw error;
  throw new OperationalError(
    "What reads the backup has ended, and the backup is not whole there: see what it says.",
  );
}

function isFullDisk(error: unknown): error is Error {
  return (
    error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "EFBIG"].includes(String(error.code))
  );
}

/** Opens a file for reading, or stdin (`-`), until Ctrl-C. */
export async function readFrom(path: string, io: Io): Promise<Readable> {
  if (path === "-") {
    // What ends is a stream behind stdin, which itself may wait for its next piece without end.
    return addAbortSignal(
      io.interrupted,
      pipeline(io.input.pieces(), new PassThrough(), () => {}),
    );
  }
  const found = await stat(path).catch(() => undefined);
  const next = "Name a file that tool backup wrote.";
  if (!found) throw new UsageError(`There is no ${path}.`, next);
  if (found.isDirectory()) throw new UsageError(`${path} is a directory.`, next);
  return addAbortSignal(io.interrupted, createReadStream(path));
}

/** Whether a path can be read twice, unlike stdin, a named pipe or a shell's `<(…)`. */
export async function isReadTwice(path: string): Promise<boolean> {
  return (
    path !== "-" &&
    (await stat(path)
      .then((found) => found.isFile())
      .catch(() => false))
  );
}

/** Reads a backup to its end and returns its heading and inventory. Throws `BackupDamaged`. */
export async function examined(context: Context, file: string) {
  const { openBackup } = await import("../../store/backup/read-backup.ts");
  const { heading, items } = await openBackup(await readFrom(file, context.io));
  const progress = counted(context, "Verifying");
  const read = async () => {
    for (let count = 1; ; count++) {
      const next = await items.next();
      if (next.done) return next.value;
      progress.tell(count);
    }
  };
  return { heading, inventory: await progress.during(read()) };
}

/** Returns a stream that writes to the process's own stream but does not end it. */
function passedOnTo(stream: NodeJS.WriteStream): Writable {
  return new Writable({
    write: (piece, _, done) => void stream.write(piece, (error) => done(error)),
  });
}
