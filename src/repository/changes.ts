import { asUnread, git } from "./files/list-files.ts";

export interface Changes {
  /** Sorted paths, relative to the top. */
  changed: string[];
  /** The changed paths that no longer exist. */
  gone: string[];
}

/**
 * Diffs as names alone, from the top whatever `diff.relative` says. Starts no diff driver or text filter that a repository
 * configures.
 */
const PLAIN = [
  ...["-c", "diff.relative=false"],
  ...["diff", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "-z"],
];

/**
 * Returns the files changed since a commit (by default the last one): staged, unstaged and new files.
 * Rejects if git does not know the commit, if there is no repository, or with `OperationalError` if it has no work tree.
 */
export async function changesSince(
  directory: string,
  commit: string | undefined,
  signal?: AbortSignal,
): Promise<Changes> {
  const ask = (...words: string[]) => git(directory, words, signal);
  const orUnread = (error: unknown) => {
    throw asUnread(error, directory);
  };
  await ask("rev-parse", "--show-toplevel").catch(orUnread);
  const since = commit === undefined ? await lastCommit(ask) : await nameOf(ask, commit);
  const [listed, added] = await Promise.all([
    since === undefined
      ? ask("ls-files", "-z", "--cached", "--full-name", ":/")
      : ask(...PLAIN, since, "--", ":/"),
    ask("ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/"),
  ]).catch(orUnread);
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

/** Returns undefined before the first commit. */
async function lastCommit(ask: Ask): Promise<string | undefined> {
  const commit = await ask("rev-parse", "--quiet", "--verify", "HEAD").catch(() => "");
  return commit.trim() || undefined;
}

/** Resolves a revision to its merge base with HEAD, so what another branch gained since it diverged does not count. */
async function nameOf(ask: Ask, commit: string): Promise<string> {
  const found = (await ask("rev-parse", "--verify", "--end-of-options", `${commit}^{commit}`)).trim();
  return (await ask("merge-base", found, "HEAD").catch(() => found)).trim();
}

/** Returns how to get the commits that a shallow clone lacks, which is what CI checks out; undefined if it lacks none. */
export async function remedyForShallow(directory: string, signal?: AbortSignal): Promise<string | undefined> {
  const answer = await git(directory, ["rev-parse", "--is-shallow-repository"], signal).catch(() => "");
  return answer.trim() === "true"
    ? "This clone is shallow, and lacks older commits and other branches: run `git fetch --unshallow`, or have CI check out all (fetch-depth: 0)."
    : undefined;
}
