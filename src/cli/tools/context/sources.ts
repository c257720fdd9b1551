import { existsSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { globPattern } from "../../../repository/files/glob.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { readText } from "../../terminal/input.ts";
import { count } from "../../ui/format.ts";
import { openAt } from "../graph/here.ts";

/** What is searched, by name. */
export interface Source {
  id: string;
  content: string;
}

export interface Sources {
  items: Source[];
  /** Whether a repository was read: it is searched on this machine alone. */
  isRepository: boolean;
}

/** Of a repository, on this machine. */
const MAX_REPOSITORY_BYTES = 64 << 20;
/** Of files that are named one by one: as much as a server takes. */
const MAX_NAMED_BYTES = 16 << 20;
const GLOB = /[*?[]/;

/** Files, directories, globs and stdin, each text once; without a word the repository that people are in. */
export async function sourcesOf(context: Context, words: readonly string[]): Promise<Sources> {
  const named = words.filter((word) => !isMany(context, word));
  const many = words.filter((word) => isMany(context, word));
  const isRepository = words.length === 0 || many.length > 0;
  const items = new Map<string, Source>();
  if (isRepository) {
    for (const source of await fromRepository(context, many)) items.set(source.id, source);
  }
  let left = MAX_NAMED_BYTES;
  for (const id of new Set(named)) {
    const content = await readText(context.io, id, MAX_NAMED_BYTES);
    left -= Buffer.byteLength(content);
    if (left < 0) {
      throw new UsageError(
        `The files hold more than ${MAX_NAMED_BYTES >> 20} MiB together.`,
        "Name fewer, or their directory.",
      );
    }
    items.set(id, { id, content });
  }
  return { items: [...items.values()], isRepository };
}

/** A directory, or a glob that the shell left as it is. */
function isMany({ io }: Context, word: string): boolean {
  if (word === "-") return false;
  const path = resolve(io.workingDirectory, word);
  return existsSync(path) ? statSync(path).isDirectory() : GLOB.test(word);
}

async function fromRepository(context: Context, words: readonly string[]): Promise<Source[]> {
  const { workingDirectory } = context.io;
  const repository = await openAt(context, workingDirectory);
  const patterns = words.map((word) => ({ word, matches: matcherOf(workingDirectory, repository, word) }));
  const paths = [...repository.files.keys()];
  const nameOf = (path: string) =>
    relative(workingDirectory, resolve(repository.top, path)).split(sep).join("/");
  for (const { word, matches } of patterns) {
    if (!paths.some(matches)) {
      throw new UsageError(
        `${word} names no text file${repository.files.size === 0 ? "" : " that git does not ignore"}.`,
        "Name a file, a directory or a glob, or nothing for the whole repository.",
      );
    }
  }
  const chosen = paths.filter(
    (path) => patterns.length === 0 || patterns.some(({ matches }) => matches(path)),
  );
  const sources: Source[] = [];
  let bytes = 0;
  let skipped = 0;
  for (const path of chosen) {
    bytes += repository.files.get(path)?.bytes ?? 0;
    const content = bytes > MAX_REPOSITORY_BYTES ? undefined : repository.text(path);
    if (content === undefined) skipped++;
    else sources.push({ id: nameOf(path), content });
  }
  noteLeftOut(context, repository, skipped);
  return sources;
}

/** Whether a path of the repository is in a directory, or fits a glob, both as seen from where people are. */
function matcherOf(workingDirectory: string, { top }: Repository, word: string): (path: string) => boolean {
  const path = resolve(workingDirectory, word);
  const from = relative(top, path).split(sep).join("/");
  if (existsSync(path)) return (file) => from === "" || file.startsWith(`${from}/`);
  const pattern = globPattern(from);
  if (!pattern)
    throw new UsageError(`${word} is no glob that can be looked for.`, "Use *, ** and ?, a few of them.");
  return (file) => pattern.test(file);
}

function noteLeftOut({ progress, options }: Context, { leftOut }: Repository, skipped: number): void {
  const reasons = Object.entries(leftOut).flatMap(([reason, paths]) =>
    paths.length > 0 ? [`${paths.length} ${reason}`] : [],
  );
  if (skipped > 0)
    progress.note(`${count(skipped, "file")} beyond ${MAX_REPOSITORY_BYTES >> 20} MiB were left out.`);
  if (options.verbose && reasons.length > 0) progress.note(`Left out: ${reasons.join(", ")}.`);
}
