import { once } from "node:events";
import { fstatSync } from "node:fs";
import { UsageError } from "../../exit-codes.ts";
import { readText } from "../../terminal/input.ts";
import type { Io } from "../../terminal/io.ts";

/** The largest diff in one request, which leaves room for other members and JSON's escapes. */
export const MAX_DIFF_BYTES = 60 << 20;
/** The longest wait for input, since some callers keep stdin open without writing to it. */
const PATIENCE_MS = 2000;

export function tooMuch(): UsageError {
  return new UsageError(
    "What is to be reviewed is larger than 60 MB.",
    "Review it in parts, such as folder by folder.",
  );
}

/** Returns the text on stdin; undefined if nothing is piped or redirected in, or nothing arrives. */
export async function pipedText(io: Io): Promise<string | undefined> {
  const { input, err } = io;
  if (input.terminal || !isPiped()) return undefined;
  const { stream } = input;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  if (stream.readableLength === 0 && !stream.readableEnded) {
    try {
      await once(stream, "readable", { signal: patience });
    } catch {
      stream.destroy();
      err.line("Nothing came on stdin: reviewing what was changed since the last commit.");
      return undefined;
    }
  }
  const text = await readText(io, "-", MAX_DIFF_BYTES);
  return text.trim() === "" ? undefined : text;
}

function isPiped(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false;
  }
}
