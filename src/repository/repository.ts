import type { Definition } from "./facts.ts";
import type { LeftOut } from "./files/left-out.ts";
import type { UnreadRepository } from "./files/list-files.ts";

export interface RepositoryFile {
  /** From the top of the repository, with slashes. */
  path: string;
  bytes: number;
  /** SHA-1 of the contents, hexadecimal: a cache key for what is computed from them. */
  hash: string;
  /** Undefined where no language reads it. */
  language: string | undefined;
  isTest: boolean;
  /** Whether it contains tests, even if it is not a test file. */
  holdsTests: boolean;
  /** In the order of their lines. */
  definitions: readonly Definition[];
}

/** A dependency of the file `from` on the file `to`. */
export interface Edge {
  from: string;
  to: string;
}

/** A repository as it was when opened: its files, what they define, and their dependencies. */
export interface Repository {
  /** Absolute path of the directory that all paths are relative to. */
  top: string;
  /** `owner/name` of the remote that it was cloned from, else the name of its directory. */
  name: string;
  /** Prefix of the paths in the directory that was asked for: empty, or ending with a slash. */
  prefix: string;
  /** Text files written by people, by path, sorted. */
  files: ReadonlyMap<string, RepositoryFile>;
  /** Paths of the other files, by reason. */
  leftOut: LeftOut;
  /** The files that links lead to, by the paths that the links add. */
  linked: ReadonlyMap<string, string>;
  /** Sorted by both ends. An end may be a file that is left out. */
  edges: readonly Edge[];
  /** The external packages that each file imports. */
  packages: readonly { from: string; id: string; name: string }[];
  /** Imports of files that do not exist. */
  missing: readonly { from: string; module: string }[];
  /** Returns the contents of a file; undefined if it was removed since or may not be read. */
  text(path: string): string | undefined;
  /**
   * Set if git did not list the files of a repository that is there, so that `.gitignore` alone chose them and `name` is
   * the directory's.
   */
  refusal?: UnreadRepository;
}

export interface OpenOptions {
  /** Directory of the cache. Without it, everything is read again each time. */
  cacheDirectory?: string;
  signal?: AbortSignal;
  /** Deleted paths. Imports of them count as edges. */
  gone?: readonly string[];
}
