import { execFile } from "node:child_process";
import { basename, resolve } from "node:path";
import { environment } from "../../system/config.ts";
import { isOperational, OperationalError } from "../../system/operational-error.ts";
import { walk } from "./walk.ts";
import { requireWorkTree } from "./work-tree.ts";

export interface Listing {
  top: string;
  prefix: string;
  name: string;
  /** Relative to the top, separated by slashes, sorted, without duplicates. */
  paths: string[];
  /** The paths that a sparse checkout leaves out. */
  sparse: ReadonlySet<string>;
  /** The paths that git does not track yet. */
  untracked: readonly string[];
  /** Why git did not list the files, if it is there and could have. */
  refusal?: UnreadRepository;
}

/** Thrown where git does not read a repository that is there: it belongs to another user, or is damaged. */
export class UnreadRepository extends OperationalError {}

/** Returns the error for what git wrote; undefined if that says something else. Git's own remedy has the path, quoted. */
export function foreignRepository(stderr: string): UnreadRepository | undefined {
  const remedy = /^\s*(git config --global --add safe\.directory .*\S)/m.exec(stderr)?.[1];
  return remedy === undefined
    ? undefined
    : new UnreadRepository(
        `git reads no repository that belongs to somebody else. If you trust it, run \`${remedy}\`.`,
      );
}

/** Thrown with what git said, such as `bad object HEAD`. */
class GitFailure extends Error {}

/**
 * Returns an error of git as one about the repository that a directory is in, if it is in one; otherwise unchanged. Throws
 * as `requireWorkTree` does.
 */
export function asUnread(error: unknown, directory: string): unknown {
  const top = requireWorkTree(directory);
  if (top === undefined || !(error instanceof GitFailure)) return error;
  return new UnreadRepository(`git cannot read the repository in ${top}, and says: ${error.message}.`);
}

/** A directory with more files is refused. */
export const MAX_FILES = 200_000;
const MAX_BYTES = 256 << 20;

/**
 * Lists the files that git tracks or would add, so ignored files are left out. Without git, applies the `.gitignore`
 * files of the directory. Throws `OperationalError` for too many files, or where there are only git's own.
 */
export async function listFiles(directory: string, signal?: AbortSignal): Promise<Listing> {
  const ask = (...words: string[]) => git(directory, words, signal);
  try {
    const [places, listed, remote] = await Promise.all([
      ask("rev-parse", "--show-toplevel", "--show-prefix"),
      ask("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard", "--full-name", ":/"),
      ask("config", "--get", "remote.origin.url").catch(() => ""),
    ]);
    const [top = "", prefix = ""] = places.split("\n");
    // Each line begins with a status letter and a space.
    const tagged = listed.split("\0").filter((line) => line !== "");
    const paths = [...new Set(tagged.map((line) => line.slice(2)))].filter((path) => !isInstalled(path));
    const sparse = new Set(tagged.flatMap((line) => (line.startsWith("S ") ? [line.slice(2)] : [])));
    const untracked = tagged.flatMap((line) => (line.startsWith("? ") ? [line.slice(2)] : []));
    return { top, prefix, name: nameOf(remote, top), paths: bounded(paths.sort(), top), sparse, untracked };
  } catch (error) {
    signal?.throwIfAborted();
    if (isOperational(error) && !(error instanceof UnreadRepository)) throw error;
    const refusal = asUnread(error, directory);
    const top = resolve(directory);
    return {
      top,
      prefix: "",
      name: basename(top),
      paths: bounded(walk(top, MAX_FILES + 1), top),
      sparse: new Set(),
      untracked: [],
      ...(refusal instanceof UnreadRepository && { refusal }),
    };
  }
}

/** Has git take paths as it does by default, whatever is set around it: editors set that for the git that they run. */
export const USUAL_PATHS = {
  GIT_LITERAL_PATHSPECS: "0",
  GIT_GLOB_PATHSPECS: "0",
  GIT_NOGLOB_PATHSPECS: "0",
  GIT_ICASE_PATHSPECS: "0",
};

/**
 * Runs git and returns its output. Rejects with `UnreadRepository` if git refuses to. A repository may be untrusted and
 * carry its own configuration, so git must not start programs that it names.
 */
export function git(directory: string, words: readonly string[], signal?: AbortSignal): Promise<string> {
  const safe = ["-C", directory, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
  return new Promise((done, failed) => {
    const options = { maxBuffer: MAX_BYTES, signal, env: { ...environment(), ...USUAL_PATHS } };
    execFile("git", [...safe, ...words], options, (error, stdout, stderr) =>
      error ? failed(failureOf(error, stderr)) : done(stdout),
    );
  });
}

function failureOf(error: Error, stderr: string): Error {
  // After a word such as `fatal:`, in the user's language.
  const said = /^[^\s:]+ ?: (.*?)\.?$/m.exec(stderr)?.[1];
  return foreignRepository(stderr) ?? (said === undefined ? error : new GitFailure(said, { cause: error }));
}

function isInstalled(path: string): boolean {
  return /(?:^|\/)(?:node_modules|__pycache__|\.git)\//.test(path);
}

function nameOf(remote: string, top: string): string {
  const found = /[/:]([^/:\s]+\/[^/:\s]+?)(?:\.git)?\/?\s*$/.exec(remote)?.[1];
  return found && /^[\w.-]+\/[\w.-]+$/.test(found) && /:/.test(remote) ? found : basename(top);
}

function bounded(paths: string[], top: string): string[] {
  if (paths.length <= MAX_FILES) return paths;
  throw new OperationalError(`${top} holds more than ${MAX_FILES} files. Ask about a directory in it.`);
}
