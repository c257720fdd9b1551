import type { Definition } from "./facts.ts";
import type { LeftOut } from "./files/left-out.ts";

export interface RepositoryFile {
  /** From the top of the repository, with slashes. */
  path: string;
  bytes: number;
  /** Of what it holds (SHA-1, hexadecimal), so that what was made of it can be kept. */
  hash: string;
  /** Undefined where no language reads it. */
  language: string | undefined;
  isTest: boolean;
  /** Whether tests stand in it, be it one or not. */
  holdsTests: boolean;
  /** In the order of their lines. */
  definitions: readonly Definition[];
}

/** A file of the repository depends on another one. */
export interface Edge {
  from: string;
  to: string;
}

/** A repository as it stood when it was opened: its files, what they define, and which depends on which. */
export interface Repository {
  /** Absolute path of the directory that all paths begin at. */
  top: string;
  /** `owner/name` of where it was cloned from, else the name of its directory. */
  name: string;
  /** What the paths of the directory that was asked for begin with: empty, or with a slash at its end. */
  prefix: string;
  /** All text that people wrote, by path, in order. */
  files: ReadonlyMap<string, RepositoryFile>;
  /** Paths of what is no such text, by why. */
  leftOut: LeftOut;
  /** By both ends, in order; an end may be a file that is left out. */
  edges: readonly Edge[];
  /** Which packages from elsewhere a file imports. */
  packages: readonly { from: string; id: string; name: string }[];
  /** Imports of files that are not there. */
  missing: readonly { from: string; module: string }[];
  /** What a file holds; undefined where it went since, or may not be read. */
  text(path: string): string | undefined;
}

export interface OpenOptions {
  /** Where what was read is kept for the next time; it is read anew each time where this is absent. */
  cacheDirectory?: string;
  signal?: AbortSignal;
  /** Paths that are not there any more: imports of them count as edges. */
  gone?: readonly string[];
}

export { openRepository } from "./open-repository.ts";
