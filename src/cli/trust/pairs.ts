import { readJson, writeJson } from "../../client/private-files.ts";

/** A server that a project's file names, and the directory of that file. Trust is granted to such a pair. */
export interface Pair {
  /** The directory's real path, without symbolic links. */
  directory: string;
  /** The server's origin, such as `https://control.example.com`; international names in Punycode. */
  server: string;
}

export interface TrustedPair extends Pair {
  /** When it was trusted, in ISO 8601. */
  since: string;
}

/** The pairs that the user trusts, in a file that only the user can read and write. */
export interface TrustedPairs {
  list(): TrustedPair[];
  has(pair: Pair): boolean;
  add(pair: TrustedPair): void;
  /** Removes every server of a directory, and returns them. */
  remove(directory: string): TrustedPair[];
}

const FILE = "trust.json";

export function createTrustedPairs(configDirectory: string): TrustedPairs {
  function list(): TrustedPair[] {
    const kept = readJson<unknown>(configDirectory, FILE);
    return Array.isArray(kept) ? kept.filter(isPair) : [];
  }
  return {
    list,
    has: (pair) => list().some((each) => isSame(each, pair)),
    add: (pair) => writeJson(configDirectory, FILE, [...list().filter((each) => !isSame(each, pair)), pair]),
    remove(directory) {
      const all = list();
      const removed = all.filter((each) => each.directory === directory);
      if (removed.length > 0) {
        writeJson(
          configDirectory,
          FILE,
          all.filter((each) => each.directory !== directory),
        );
      }
      return removed;
    },
  };
}

function isSame(left: Pair, right: Pair): boolean {
  return left.directory === right.directory && left.server === right.server;
}

function isPair(value: unknown): value is TrustedPair {
  return (
    typeof value === "object" &&
    value !== null &&
    ["directory", "server", "since"].every(
      (name) => name in value && typeof value[name as keyof typeof value] === "string",
    )
  );
}
