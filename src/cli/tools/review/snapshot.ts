import { MAX_FILE_BYTES } from "../../../repository/files/left-out.ts";
import { listFiles } from "../../../repository/files/list-files.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import { defined } from "../../../system/defined.ts";
import type { Git } from "./git.ts";

/** All files of a repository in one of its states: those beside the changes that are reviewed. */
export interface Snapshot {
  paths: ReadonlySet<string>;
  /** Undefined if there is no such file, it is longer than `MAX_FILE_BYTES`, or it has to be fetched first. */
  contents(path: string): Buffer | undefined;
  /** Fetches files, and those of which contents were asked in vain. Returns whether there were any. */
  fetch(paths?: readonly string[]): Promise<boolean>;
  /** Returns the files in which git finds something. */
  found(search: Search): Promise<string[]>;
}

export interface Search {
  /** An extended regular expression (POSIX), for lines. */
  pattern: string;
  /** The endings of the files to search, such as `*.py`. */
  files: readonly string[];
  /** Whether no word may go on before or behind what matches. */
  ofWords?: boolean;
  /** Ends it with an error. */
  until?: AbortSignal;
}

/** The most files that are searched apart from all others. */
const MAX_APART = 500;

/**
 * Returns the files as they are in the working tree, new ones included.
 *
 * @param git without it, searches find nothing
 */
export async function workingTree(top: string, signal: AbortSignal, git?: Git): Promise<Snapshot> {
  const listed = await listFiles(top, signal).catch(() => undefined);
  signal.throwIfAborted();
  const reader = readerOf(top);
  const read = new Map<string, Buffer | undefined>();
  return {
    paths: new Set(listed?.paths),
    contents(path) {
      if (!read.has(path)) read.set(path, reader.contents(path));
      return read.get(path);
    },
    fetch: async () => false,
    async found(search) {
      if (!git) return [];
      const untracked = among(search, (listed?.untracked ?? []).slice(0, MAX_APART));
      const found = await Promise.all([
        grep(git, top, search),
        // Git would take twice as long for all if it looked for others everywhere.
        untracked.files.length > 0 ? grep(git, top, untracked, "--untracked") : [],
      ]);
      return found.flat();
    },
  };
}

/** A regular file as git lists it, of the index or of a tree: `100644 <id> 0	path`, `100644 blob <id>	path`. */
const LISTED = /^100\d{3} (?:blob )?([\da-f]{40,64})(?: 0)?\t(.*)$/s;

const NAMES_OF_CHANGED = ["diff", "--name-only", "-z", "--no-color", "--no-ext-diff", "--no-renames"];

/**
 * Returns the files as they are in a revision, or else as they are staged. Those that are the same in the working tree,
 * mostly all, are read and searched there, which takes half the time.
 */
export async function committed(git: Git, top: string, revision?: string): Promise<Snapshot> {
  const [listed, changed] = await Promise.all([
    revision
      ? git(["-C", top, "ls-tree", "-r", "--full-tree", "-z", revision]).catch(() => "")
      : git(["-C", top, "ls-files", "--stage", "-z"]).catch(() => ""),
    git(["-C", top, ...NAMES_OF_CHANGED, ...(revision ? [revision] : []), "--"]).catch(() => undefined),
  ]);
  const ids = new Map<string, string>();
  for (const line of listed.split("\0")) {
    const [, id, path] = LISTED.exec(line) ?? [];
    if (id && path) ids.set(path, id);
  }
  const others = new Set(changed?.split("\0").filter((path) => ids.has(path)) ?? ids.keys());
  const reader = readerOf(top);
  const read = new Map<string, Buffer | undefined>();
  const asked = new Set<string>();
  function contents(path: string): Buffer | undefined {
    if (read.has(path) || !ids.has(path)) return read.get(path);
    const found = others.has(path) ? undefined : reader.contents(path);
    if (found) read.set(path, found);
    else asked.add(path);
    return found;
  }
  return {
    paths: new Set(ids.keys()),
    contents,
    async fetch(paths = []) {
      for (const path of paths) contents(path);
      const wanted = [...asked];
      asked.clear();
      if (wanted.length === 0) return false;
      const texts = await blobs(
        git,
        top,
        wanted.map((path) => ids.get(path) as string),
      );
      for (const [index, path] of wanted.entries()) read.set(path, texts[index]);
      return true;
    },
    async found(search) {
      const where = revision ?? "--cached";
      const isApart = others.size <= MAX_APART;
      const inTree = isApart ? among(search, others) : search;
      const [same, apart] = await Promise.all([
        isApart ? grep(git, top, search) : [],
        inTree.files.length > 0 ? grep(git, top, inTree, where) : [],
      ]);
      // Of a revision, git names each file as `<revision>:<path>`.
      const named = revision ? apart.map((path) => path.slice(revision.length + 1)) : apart;
      return [...same.filter((path) => ids.has(path) && !others.has(path)), ...named];
    },
  };
}

/** Returns the contents of objects, each undefined where it is missing or too long. */
async function blobs(git: Git, top: string, ids: readonly string[]): Promise<(Buffer | undefined)[]> {
  const input = `${ids.join("\n")}\n`;
  const output = await git(["-C", top, "cat-file", "--batch"], { input, asBytes: true, isLocal: true }).catch(
    () => "",
  );
  let at = 0;
  return ids.map(() => {
    const end = output.indexOf("\n", at);
    const size = /^[\da-f]+ blob (\d+)$/.exec(output.slice(at, Math.max(at, end)))?.[1];
    at = end < 0 ? output.length : end + 1;
    if (size === undefined) return undefined;
    const text = output.slice(at, at + Number(size));
    at += Number(size) + 1;
    return text.length > MAX_FILE_BYTES ? undefined : Buffer.from(text, "latin1");
  });
}

/** Restricts a search to some files. */
function among({ files, ...search }: Search, paths: Iterable<string>): Search {
  const meant = [...paths].filter((path) => files.some((glob) => path.endsWith(glob.slice(1))));
  return { ...search, files: meant.map((path) => `:(literal)${path}`) };
}

/**
 * Returns the files with a line that matches. That none has, git says by a failure.
 *
 * @param where a revision, or an option for other files than those that are tracked
 */
async function grep(git: Git, top: string, search: Search, where?: string): Promise<string[]> {
  const { pattern, files, ofWords, until } = search;
  const form = [
    "-I",
    "-l",
    "-z",
    "--no-color",
    "--no-recurse-submodules",
    ...(ofWords ? ["-w"] : []),
    "-E",
    "-e",
    pattern,
  ];
  const words = ["-C", top, "grep", ...form, ...(where === undefined ? [] : [where]), "--", ...files];
  const found = await git(words, { isLocal: true, ...defined({ until }) }).catch(() => "");
  until?.throwIfAborted();
  return found.split("\0").filter((path) => path !== "");
}
