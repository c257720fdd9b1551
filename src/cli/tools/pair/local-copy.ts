import { hash } from "node:crypto";
import { join } from "node:path";
import { readJson, writeJson } from "../../../client/private-files.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";

/** What this directory knows of a session: which revision of each file it holds, and under which name one works. */
export interface LocalCopy {
  author?: string;
  files: Record<string, Base>;
}

/** What a file here was made of. */
export interface Base {
  revision: number;
  content: string;
}

export function readCopy(context: Context, session: string): LocalCopy {
  return readJson<LocalCopy>(directoryOf(context), nameOf(context, session)) ?? { files: {} };
}

export function keepCopy(context: Context, session: string, copy: LocalCopy): void {
  writeJson(directoryOf(context), nameOf(context, session), copy);
}

function directoryOf({ settings }: Context): string {
  return join(settings.directories.data, "pair");
}

/** Of a session of a server in a directory: two checkouts are two copies. */
function nameOf({ settings, io }: Context, session: string): string {
  const place = JSON.stringify([
    settings.baseUrl.value,
    settings.project.value,
    session,
    io.workingDirectory,
  ]);
  return `${hash("sha256", place, "hex").slice(0, 32)}.json`;
}

/** Under which name somebody works in a session. */
export function authorOf({ io }: Context, given: string | undefined, copy?: LocalCopy): string {
  const { USER, LOGNAME, USERNAME } = io.environment;
  const author = given ?? copy?.author ?? (USER || LOGNAME || USERNAME);
  if (author) return author;
  throw new UsageError("Nobody knows your name here.", "Give it: `--as alice`.");
}
