import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { MAX_FILE_BYTES } from "../../../repository/files/left-out.ts";
import { defined } from "../../../system/defined.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { readText } from "../../terminal/input.ts";
import type { Io } from "../../terminal/io.ts";
import { diffOfFolder, leftUnread } from "./folder.ts";
import { type Git, gitIn, NoRepository } from "./git.ts";
import { MAX_DIFF_BYTES, pipedText } from "./piped.ts";
import { committed, type Snapshot, workingTree } from "./snapshot.ts";

/** The lines of context around a change, which rules use to follow values back. */
const CONTEXT = 20;
/** Options for the default form of a diff despite the user's configuration. They also disable external drivers. */
const PLAIN = [
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  `--unified=${CONTEXT}`,
];

/** In bytes. A larger changed file is data, and would leave no room for others. */
const MAX_CHANGED_BYTES = 16 << 20;
const ESCAPE = 0x1b;
/** The line that git prints for a file in conflict, among the diffs of others. */
const UNMERGED = /^\* Unmerged path (.*)\n/gm;

export interface Diff {
  text: string;
  /** Set if the diff contains whole files rather than changes. */
  whole?: true;
  /** Set if it must not be sent: without a repository, nobody has chosen these files. */
  unsent?: true;
  /** The files, and all those around them as they are after the change; absent for a diff from stdin. */
  of?: { paths: readonly string[]; around: () => Promise<Snapshot> };
}

export interface Wanted {
  /** Revisions, as git diff takes them, and files or folders to which the review is restricted; or `-` for stdin. */
  words: readonly string[];
  /** Only the staged changes. */
  staged: boolean;
  /** Whole files, changed or not. */
  all: boolean;
}

/**
 * Returns the diff to review: of revisions, of staged changes, from stdin, of whole files, or by default of all
 * changes since the last commit.
 */
export async function diffOf(context: Context, { words, staged, all }: Wanted): Promise<Diff> {
  const { io } = context;
  if (all && staged) throw new UsageError("--staged reviews what was changed, and --all what is there.");
  if (words.includes("-")) {
    if (words.length > 1 || staged || all) throw new UsageError("A diff on stdin takes no other arguments.");
    return { text: uncoloured(await readText(io, "-", MAX_DIFF_BYTES)) };
  }
  const option = words.find(
    (word) => word.startsWith("-") && !existsSync(resolve(io.workingDirectory, word)),
  );
  if (option !== undefined) throw new UsageError(`"${option}" is no revision.`);
  if (words.length === 0 && !staged && !all) {
    const piped = await pipedText(io);
    if (piped !== undefined) return { text: uncoloured(piped) };
  }
  const git = gitIn(context);
  const found = await git(["rev-parse", "--show-toplevel"]).catch((error: unknown) => {
    if (!(error instanceof NoRepository) || staged) throw error;
  });
  if (found === undefined) return { ...(await diffOfFolder(io, words)), whole: true, unsent: true };
  const top = found.trimEnd();
  const { GIT_DIR, GIT_WORK_TREE } = io.environment;
  if (!GIT_DIR && !GIT_WORK_TREE) return diffIn(top, git, io, { words, staged, all });
  const directory = (await git(["rev-parse", "--absolute-git-dir"])).trimEnd();
  const placed = gitIn(context, { GIT_DIR: directory, GIT_WORK_TREE: top });
  return diffIn(top, placed, io, { words, staged, all });
}

/** Returns the diff to review in a repository. */
async function diffIn(top: string, git: Git, io: Io, { words, staged, all }: Wanted): Promise<Diff> {
  const { revs, paths } = await parted(words, git, top, io.workingDirectory);
  const ask = (form: readonly string[], revs: readonly string[], index?: string) =>
    git(
      [
        ...["-C", top, "-c", `core.bigFileThreshold=${all ? MAX_FILE_BYTES : MAX_CHANGED_BYTES}`],
        ...["--literal-pathspecs", "diff", ...PLAIN, ...form, ...revs, "--", ...paths],
      ],
      { ...defined({ index }) },
    );
  const inFiles = () => workingTree(top, io.interrupted, git);
  const diff = async (revs: readonly string[], index?: string, around = inFiles): Promise<Diff> => {
    const text = (await ask([], revs, index)).replace(UNMERGED, (_, path) => {
      io.err.line(`${path} is not merged yet: nothing of it is staged.`);
      return "";
    });
    // Not parsed from the diff, where added lines may look like file names.
    const names = await ask(["--name-only", "-z", "--diff-filter=d"], revs, index);
    return { text, of: { paths: names.split("\0").filter(Boolean), around } };
  };
  if (all) {
    if (revs[0] !== undefined) throw await noFile(revs[0], git);
    const empty = await emptyTree(git);
    return withNewFiles(git, top, io, async (index) => ({
      ...(await diff([empty], index)),
      whole: true as const,
    }));
  }
  if (staged) return diff(["--cached", ...revs], undefined, () => committed(git, top));
  const after = await revisionAfter(revs, git);
  if (after !== undefined) return diff(revs, undefined, () => committed(git, top, after));
  return withNewFiles(git, top, io, async (index) =>
    diff(revs.length > 0 ? revs : [await lastCommit(git)], index),
  );
}

/** Separates the words into revisions and paths relative to the top. Throws for a word that could be both. */
async function parted(words: readonly string[], git: Git, top: string, directory: string) {
  const revs: string[] = [];
  const paths: string[] = [];
  for (const word of words) {
    const path = resolve(directory, word);
    if (!existsSync(path)) {
      // No revision begins so, and git would take two of them for files to compare.
      if (isAbsolute(word) || /^\.\.?[/\\]/.test(word)) {
        throw new UsageError(`There is no file or folder "${word}" here.`);
      }
      revs.push(word);
      continue;
    }
    const revision = await git(["rev-parse", "--quiet", "--verify", word]).catch(() => "");
    if (revision !== "") {
      throw new UsageError(
        `"${word}" is a revision, and a file or folder, too.`,
        `Write ./${word} for the file, or refs/heads/${word} for a branch.`,
      );
    }
    const below = relative(top, path);
    if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) throw outside();
    paths.push(below || ".");
  }
  return { revs, paths };
}

/** Returns the error for a word under `--all` that is not a file or folder. */
async function noFile(word: string, git: Git): Promise<UsageError> {
  const revision = await git(["rev-parse", "--quiet", "--verify", word.replace(/\.\..*$/s, "")]).catch(
    () => "",
  );
  return new UsageError(
    revision === ""
      ? `There is no file or folder "${word}" here.`
      : `--all reviews what is there, and "${word}" is a revision.`,
  );
}

function outside(): UsageError {
  return new UsageError(
    "What you named is outside this repository.",
    "Pipe it in: git diff --no-index /dev/null <file> | tool review -",
  );
}

/** Returns the revision to which a diff leads; undefined if that is the working tree. */
async function revisionAfter(revs: readonly string[], git: Git): Promise<string | undefined> {
  if (revs.length === 0) return undefined;
  const named = (await git(["rev-parse", "--revs-only", ...revs]).catch(() => ""))
    .split("\n")
    .filter(Boolean);
  const ends = named.filter((each) => !each.startsWith("^"));
  if (named.length < 2) return undefined;
  // `a b` names it last; `a..b`, `a...b` and a merge with its parents name it first.
  return revs.length === 1 || ends.length > 2 ? ends[0] : ends.at(-1);
}

/** Returns HEAD, or the empty tree if there is no commit. */
async function lastCommit(git: Git): Promise<string> {
  const head = await git(["rev-parse", "--quiet", "--verify", "HEAD"]).catch(() => "");
  return head.trim() || emptyTree(git);
}

async function emptyTree(git: Git): Promise<string> {
  return (await git(["hash-object", "-t", "tree", "/dev/null"])).trim();
}

/** Git's message about a repository without commits inside another, which makes `git add` fail. */
const NOTHING_COMMITTED = /does not have a commit checked out/;

/**
 * Calls `work` with a copy of the index that includes new files, which `git diff` would leave out. The user's own
 * index is not changed. Unreadable files are left out of the copy, since git would fail on them.
 */
async function withNewFiles<T>(
  git: Git,
  top: string,
  { err }: Io,
  work: (index: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "tool-review-"));
  try {
    const index = join(directory, "index");
    const own = resolve(top, (await git(["-C", top, "rev-parse", "--git-path", "index"])).trimEnd());
    await copyWithTime(own, index).catch(() => {});
    const within = (...words: string[]) => git(["-C", top, ...words], { index });
    const listed = async (kind: string) =>
      (await within("ls-files", "-z", kind, "--exclude-standard")).split("\0");
    const note = (without: readonly string[] = []) =>
      within("add", "--intent-to-add", "--ignore-errors", "--", ".", ...without.map(except));
    try {
      await note().catch(async (error: Error) => {
        if (!NOTHING_COMMITTED.test(error.message)) throw error;
        const inner = (await listed("--others")).filter((path) => path.endsWith("/"));
        err.line(`Left out, since each is a repository of its own: ${inner.join(", ")}`);
        await note(inner);
      });
      return await work(index);
    } catch (error) {
      const unreadable = (path: string) => path !== "" && !isReadable(join(top, path));
      const known = (await listed("--cached")).filter(unreadable);
      const unread = known.length + (await listed("--others")).filter(unreadable).length;
      if (unread === 0) throw error;
      err.line(leftUnread(unread));
      if (known.length > 0) await within("update-index", "--skip-worktree", "--", ...known);
      return await work(index);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Copies an index with its time: by that, git tells which files may have changed in the second that it was written. */
async function copyWithTime(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to);
  await utimes(to, atime, mtime);
}

function except(path: string): string {
  return `:(exclude,literal)${path}`;
}

/** Whether git can read a file. Links, which are not followed, and missing files count as readable. */
function isReadable(file: string): boolean {
  try {
    if (lstatSync(file).isFile()) accessSync(file, constants.R_OK);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "EACCES";
  }
}

/** Removes the colours that git adds if configured to `always`; the text then begins with an escape. */
function uncoloured(text: string): string {
  return text.charCodeAt(0) === ESCAPE ? stripVTControlCharacters(text) : text;
}
