import { hash } from "node:crypto";
import { join } from "node:path";
import { readJson, writeJson } from "../../../client/private-files.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";

/** The state of a session in this directory: the revision of each file, and the user's name. */
export interface LocalCopy {
  author?: string;
  files: Record<string, Base>;
  /** Changes of files whose answers never came. Sent again under their keys, they are applied once. */
  unanswered?: Record<string, Sent>;
}

/** A change as it was sent: what turns a base into the local file of that time. */
export interface Sent {
  idempotencyKey: string;
  base: Base;
  content: string;
  author: string;
  message?: string | undefined;
}

/** The revision that a local file is based on. */
export interface Base {
  revision: number;
  content: string;
}

export function readCopy(context: Context, session: string): LocalCopy {
  return readJson<LocalCopy>(directoryOf(context), nameOf(context, session)) ?? { files: {} };
}

/** Changes the state on disk, which another command may have changed since it was last read. */
export function updateCopy(context: Context, session: string, update: (copy: LocalCopy) => LocalCopy): void {
  keepCopy(context, session, update(readCopy(context, session)));
}

export function keepCopy(context: Context, session: string, copy: LocalCopy): void {
  writeJson(directoryOf(context), nameOf(context, session), copy);
}

function directoryOf({ settings }: Context): string {
  return join(settings.directories.data, "pair");
}

/** Returns the file's name for a session of a server in a directory: each checkout has its own copy. */
function nameOf({ settings, io }: Context, session: string): string {
  const place = JSON.stringify([
    settings.baseUrl.value,
    settings.project.value,
    session,
    io.workingDirectory,
  ]);
  return `${hash("sha256", place, "hex").slice(0, 32)}.json`;
}

/** Returns the user's name in a session. */
export function authorOf({ io }: Context, given: string | undefined, copy?: LocalCopy): string {
  const { USER, LOGNAME, USERNAME } = io.environment;
  const author = given ?? copy?.author ?? (USER || LOGNAME || USERNAME);
  if (author) return author;
  throw new UsageError("Nobody knows your name here.", "Give it: `--as alice`.");
}
