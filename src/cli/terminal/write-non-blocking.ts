import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";

/** Enough for a short command. A pipe accepts a write of up to this size atomically (`PIPE_BUF` of POSIX). */
const MAX_BYTES = 4096;

/** Writes as much of a text as is possible without blocking, and returns the rest. */
export type WriteNonBlocking = (text: string) => string | Buffer;

/**
 * Returns a function that writes to a descriptor without Node's stream, which takes longer to load than the rest of a
 * short command. Returns undefined if it may be a terminal, or the write could block. Throws the system's errors.
 */
export function writeNonBlocking(descriptor: 1 | 2): WriteNonBlocking | undefined {
  const to = nonBlockingDescriptor(descriptor);
  if (to === undefined) return undefined;
  let left = MAX_BYTES;
  return (text) => {
    const bytes = Buffer.from(text);
    left -= bytes.length;
    if (left < 0) return text;
    let written = 0;
    while (written < bytes.length) {
      try {
        written += writeSync(to, bytes, written);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
        left = 0;
        return bytes.subarray(written);
      }
    }
    return "";
  };
}

/**
 * Returns a stream into a file; undefined if the descriptor leads to none. Node's own takes a write that was cut off, as
 * when the disk fills up, for a whole one.
 */
export function fileStream(descriptor: 1 | 2): NodeJS.WriteStream | undefined {
  if (!leadsToFile(descriptor)) return undefined;
  const { Writable } = process.getBuiltinModule("node:stream");
  const stream = new Writable({
    write(bytes: Buffer, _, done) {
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      } catch (error) {
        return done(error as Error);
      }
      done();
    },
  });
  // Typed as Node types its own, which has no members of a terminal in this case either.
  return stream as unknown as NodeJS.WriteStream;
}

export function leadsToFile(descriptor: 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** Returns a non-blocking descriptor of the same file. */
function nonBlockingDescriptor(descriptor: 1 | 2): number | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const what = fstatSync(descriptor);
    if (what.isCharacterDevice()) return what.rdev === statSync(devNull).rdev ? descriptor : undefined;
    // Opened again, since a shell that shares the descriptor may rely on blocking. A socket's buffer has room.
    return what.isFIFO()
      ? openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
      : descriptor;
  } catch {
    return undefined;
  }
}
