import { readJson, writeJson } from "../../client/private-files.ts";

/** A server that a project's file names, and the directory of that file: what a person trusts or does not. */
export interface Pair {
  /** Its real path, whatever links lead to it. */
  directory: string;
  /** Origin alone, as in `https://control.example.com`; names beyond ASCII in Punycode. */
  server: string;
}

export interface TrustedPair extends Pair {
  /** ISO 8601. */
  since: string;
}

/** The pairs that the user has said yes to, in a file that nobody else reads or writes. */
export interface TrustedPairs {
  list(): TrustedPair[];
  has(pair: Pair): boolean;
  add(pair: TrustedPair): void;
  /** Every server of a directory; those that were trusted. */
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
