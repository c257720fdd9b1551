import { constants, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";

/** What a short command says. A pipe takes so much at once or nothing (POSIX: `PIPE_BUF`). */
const MAX_BYTES = 4096;

/** Writes a text, or as much as whoever reads takes now, and gives the rest. */
export type WriteAtOnce = (text: string) => string | Buffer;

/**
 * Writes to one of the process's own descriptors without Node's stream, which takes longer to load than a short command
 * takes otherwise. Undefined where it may be a terminal, or would wait for its reader. Throws what the system says.
 */
export function writeAtOnce(descriptor: 1 | 2): WriteAtOnce | undefined {
  const to = withoutWaiting(descriptor);
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

/** A descriptor of the same that never waits. */
function withoutWaiting(descriptor: 1 | 2): number | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const what = fstatSync(descriptor);
    if (what.isCharacterDevice()) return what.rdev === statSync(devNull).rdev ? descriptor : undefined;
    // Opened anew, since it may be shared with a shell that wants to wait. What is a socket has room.
    return what.isFIFO()
      ? openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
      : descriptor;
  } catch {
    return undefined;
  }
}
