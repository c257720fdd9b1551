import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isInGit } from "../../../tools/pair/in-git.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { replaceFile } from "../../replace-file.ts";
import { readBytes } from "../../terminal/input.ts";

/** Returns the path of a local file in a session: relative, with forward slashes. */
export function sessionPath({ io }: Context, file: string): string {
  return pathWithin(io.workingDirectory, resolve(io.workingDirectory, file), file);
}

function pathWithin(directory: string, target: string, file: string): string {
  const path = relative(directory, target).split(sep).join("/");
  if (isInGit(path)) throw new UsageError(`${file} is git's own, which no session has.`);
  if (path !== "" && path !== ".." && !path.startsWith("../") && !isAbsolute(path)) return path;
  throw new UsageError(`${file} is not within this directory.`, "Change to one that all files are in.");
}

/** Reads a file. Throws if it is not UTF-8, since its bytes could not be restored. */
export async function readText({ io }: Context, path: string): Promise<string> {
  const bytes = await readBytes(io, path);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8 text.`, "Sessions hold only text files.");
  }
}

/** Throws `UsageError` if a path, also through links, leads to a place that a session may not write to. */
export async function checkPlace(context: Context, path: string): Promise<void> {
  const { workingDirectory } = context.io;
  const target = resolve(workingDirectory, sessionPath(context, path));
  pathWithin(await realpath(workingDirectory), await placeOf(target), path);
}

export async function writeText(context: Context, path: string, content: string): Promise<void> {
  await checkPlace(context, path);
  replaceFile(await placeOf(resolve(context.io.workingDirectory, path)), content);
}

/** Resolves the links in a path that may not exist, since other participants choose paths and links lead anywhere. */
async function placeOf(target: string, links = MAX_LINKS): Promise<string> {
  const found = await realpath(target).catch(() => undefined);
  if (found !== undefined) return found;
  const folder = await placeOf(dirname(target), links);
  const link = await readlink(join(folder, basename(target))).catch(() => undefined);
  if (link === undefined) return join(folder, basename(target));
  if (links === 0) throw new UsageError(`${target} is a link that leads in a circle.`);
  return placeOf(resolve(folder, link), links - 1);
}

/** The most links to follow, as in Linux. */
const MAX_LINKS = 40;
