import { once } from "node:events";
import { fstatSync } from "node:fs";
import type { Io } from "../io.ts";

/** Who starts programs without closing their stdin must not wait for ever. */
const PATIENCE_MS = 2000;

/** What is piped or redirected in; undefined where nothing is, or nothing comes. */
export async function pipedText({ input, err }: Pick<Io, "input" | "err">): Promise<string | undefined> {
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
  const text = await input.text();
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
