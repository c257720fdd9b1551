import { MAX_FILE_BYTES } from "../../../repository/files/left-out.ts";
import { listFiles } from "../../../repository/files/list-files.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
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

/** The most files that git does not track and that are searched. */
const MAX_UNTRACKED = 500;

export interface Search {
  /** An extended regular expression (POSIX), for lines. */
  pattern: string;
  /** The endings of the files to search, such as `*.py`. */
  files: readonly string[];
  /** Whether no word may go on before or behind what matches. */
  ofWords?: boolean;
}

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
      const isMeant = (path: string) => search.files.some((glob) => path.endsWith(glob.slice(1)));
      const untracked = listed?.untracked.filter(isMeant).slice(0, MAX_UNTRACKED) ?? [];
      const found = grep(git, top, search);
      // Git would take twice as long for all if it looked for others everywhere.
      const others = { ...search, files: untracked.map((path) => `:(literal)${path}`) };
      return [...(await found), ...(untracked.length > 0 ? await grep(git, top, others, "--untracked") : [])];
    },
  };
}

/** A regular file as git lists it, of the index or of a tree: `100644 <id> 0	path`, `100644 blob <id>	path`. */
const LISTED = /^100\d{3} (?:blob )?([\da-f]{40,64})(?: 0)?\t(.*)$/s;

/** Returns the files as they are in a revision, or else as they are staged. */
export async function committed(git: Git, top: string, revision?: string): Promise<Snapshot> {
  const listing = revision ? ["ls-tree", "-r", "--full-tree", "-z", revision] : ["ls-files", "--stage", "-z"];
  const listed = await git(["-C", top, ...listing]).catch(() => "");
  const ids = new Map<string, string>();
  for (const line of listed.split("\0")) {
    const [, id, path] = LISTED.exec(line) ?? [];
    if (id && path) ids.set(path, id);
  }
  const fetched = new Map<string, Buffer | undefined>();
  const asked = new Set<string>();
  return {
    paths: new Set(ids.keys()),
    contents(path) {
      if (!fetched.has(path)) asked.add(path);
      return fetched.get(path);
    },
    async fetch(paths = []) {
      const wanted = [...new Set([...paths, ...asked])].filter((path) => ids.has(path) && !fetched.has(path));
      asked.clear();
      if (wanted.length === 0) return false;
      const contents = await blobs(
        git,
        top,
        wanted.map((path) => ids.get(path) as string),
      );
      for (const [index, path] of wanted.entries()) fetched.set(path, contents[index]);
      return true;
    },
    found: async (search) => {
      const found = await grep(git, top, search, revision ?? "--cached");
      // Of a revision, git names each file as `<revision>:<path>`.
      return revision ? found.map((path) => path.slice(revision.length + 1)) : found;
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

/**
 * Returns the files with a line that matches. That none has, git says by a failure.
 *
 * @param where a revision, or an option for other files than those that are tracked
 */
async function grep(git: Git, top: string, search: Search, where?: string): Promise<string[]> {
  const { pattern, files, ofWords } = search;
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
  const found = await git(words, { isLocal: true }).catch(() => "");
  return found.split("\0").filter((path) => path !== "");
}
