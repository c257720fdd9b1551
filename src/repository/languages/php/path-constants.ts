import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import { nearest } from "../classes/namespace-table.ts";
import type { Project } from "../language.ts";
import { HERE } from "./paths.ts";

const CONSTANT = /\{([^{}]*)\}/;
/** How many constants a path may be made of, one in another, and how many places it may be in. */
const [MAX_CONSTANTS, MAX_PLACES] = [8, 16];

/**
 * Returns a function that finds where a path with constants (`{ROOT}/shop.php`) may be. Files may define a constant as
 * different things: that of the nearest file comes first.
 */
export function placesBy(facts: Project["facts"]): (path: string, from: string) => readonly string[] {
  const definers = new Map<string, string[]>();
  const values = new Map<string, Map<string, string>>();
  for (const [file, { macros = [] }] of facts) {
    for (const macro of macros) {
      const name = macro.slice(0, macro.indexOf(" "));
      const own = values.get(name) ?? new Map<string, string>();
      values.set(name, own);
      if (!own.has(file)) addTo(definers, name, file);
      own.set(file, inRepository(macro.slice(name.length + 1), file));
    }
  }

  /** Returns the values of a constant, without duplicates. */
  function valuesOf(name: string, from: string): string[] {
    const files = definers.get(name) ?? [];
    const first = nearest(files, from);
    if (first === undefined) return [];
    const own = values.get(name) as Map<string, string>;
    return [...new Set([own.get(first) as string, ...own.values()])].slice(0, MAX_PLACES);
  }

  return (path, from) => {
    let places = [inRepository(path, from)];
    for (let count = 0; count < MAX_CONSTANTS && places.some((each) => CONSTANT.test(each)); count++)
      places = places.flatMap((each) => replaced(each, (name) => valuesOf(name, from))).slice(0, MAX_PLACES);
    return places.filter((each) => !CONSTANT.test(each)).map((each) => posix.normalize(each));
  };
}

/** Returns a path from the top of the repository, if it is from the directory of the file that has it. */
function inRepository(path: string, file: string): string {
  return path.startsWith(HERE) ? posix.dirname(file) + path.slice(HERE.length) : path;
}

/** Returns a path with each value of its first constant. */
function replaced(path: string, valuesOf: (name: string) => readonly string[]): string[] {
  const match = CONSTANT.exec(path);
  if (!match) return [path];
  const [whole, name = ""] = match;
  return valuesOf(name).map(
    (value) => path.slice(0, match.index) + value + path.slice(match.index + whole.length),
  );
}
