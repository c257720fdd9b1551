import { git } from "./files/list-files.ts";

export interface Changes {
  /** Paths from the top, in order. */
  changed: string[];
  /** Those of them that are not there any more. */
  gone: string[];
}

/** Diffs as names alone; no driver or filter of a repository's own is started for them. */
const PLAIN = ["diff", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "-z"];

/**
 * What was changed since a commit (the last one where none is named): staged, not staged, and new files.
 * Rejects where git knows no such commit, or where there is no repository.
 */
export async function changesSince(
  directory: string,
  commit: string | undefined,
  signal?: AbortSignal,
): Promise<Changes> {
  const ask = (...words: string[]) => git(directory, words, signal);
  const since = commit === undefined ? await lastCommit(ask) : await nameOf(ask, commit);
  const [listed, added] = await Promise.all([
    since === undefined
      ? ask("ls-files", "-z", "--cached", "--full-name", ":/")
      : ask(...PLAIN, since, "--", ":/"),
    ask("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/"),
  ]);
  const parts = listed.split("\0").filter((part) => part !== "");
  const tracked =
    since === undefined
      ? parts.map((path) => ({ path, isGone: false }))
      : parts.flatMap((path, index) => (index % 2 === 1 ? [{ path, isGone: parts[index - 1] === "D" }] : []));
  const changed = [...tracked.map(({ path }) => path), ...added.split("\0").filter((path) => path !== "")];
  return {
    changed: [...new Set(changed)].sort(),
    gone: tracked.filter(({ isGone }) => isGone).map(({ path }) => path),
  };
}

type Ask = (...words: string[]) => Promise<string>;

/** Undefined where nothing was ever committed. */
async function lastCommit(ask: Ask): Promise<string | undefined> {
  await ask("rev-parse", "--show-toplevel");
  const commit = await ask("rev-parse", "--quiet", "--verify", "HEAD").catch(() => "");
  return commit.trim() || undefined;
}

/** Where a branch is named, what it has of its own since is not meant: the commit that both come from counts. */
async function nameOf(ask: Ask, commit: string): Promise<string> {
  const found = (await ask("rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`)).trim();
  return (await ask("merge-base", found, "HEAD").catch(() => found)).trim();
}
