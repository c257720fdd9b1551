import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { RepositoryFiles } from "../../../local/searching/searched-repository.ts";
import { globPattern } from "../../../repository/files/glob.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { count } from "../../ui/format.ts";
import { leftOutWords, openAt } from "../graph/here.ts";

/** The most bytes of a repository to search, all on this machine. */
const MAX_REPOSITORY_BYTES = 64 << 20;

/** Returns the files of the current repository, restricted to the given directories, files and globs, if any. */
export async function filesOf(context: Context, words: readonly string[] = []): Promise<RepositoryFiles> {
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
  let bytes = 0;
  let skipped = 0;
  const files = [...repository.files.values()].map(({ path, hash, bytes: own }) => {
    const isChosen = patterns.length === 0 || patterns.some(({ matches }) => matches(path));
    if (!isChosen) return { path, hash };
    bytes += own;
    if (bytes <= MAX_REPOSITORY_BYTES) return { path, hash, id: nameOf(path) };
    skipped++;
    return { path, hash };
  });
  noteLeftOut(context, repository, skipped);
  return { top: repository.top, cacheDirectory: context.settings.directories.cache, files };
}

/** Returns a function that matches a repository's paths to a directory or glob relative to the working directory. */
function matcherOf(workingDirectory: string, { top }: Repository, word: string): (path: string) => boolean {
  const path = resolve(workingDirectory, word);
  const from = relative(top, path).split(sep).join("/");
  if (existsSync(path)) return (file) => from === "" || file === from || file.startsWith(`${from}/`);
  const pattern = globPattern(from);
  if (!pattern)
    throw new UsageError(`${word} is no glob that can be looked for.`, "Use *, ** and ?, a few of them.");
  return (file) => pattern.test(file);
}

function noteLeftOut({ progress, options }: Context, { leftOut }: Repository, skipped: number): void {
  const reasons = Object.entries(leftOut).flatMap(([reason, paths]) =>
    paths.length > 0 ? [leftOutWords(reason, paths.length)] : [],
  );
  if (skipped > 0)
    progress.note(`${count(skipped, "file")} beyond ${MAX_REPOSITORY_BYTES >> 20} MiB were left out.`);
  if (options.verbose && reasons.length > 0) progress.note(`Left out: ${reasons.join(", ")}.`);
}
