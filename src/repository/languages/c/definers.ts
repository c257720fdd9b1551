import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";

type Includes = (path: string, facts: Facts) => readonly Target[];

/** Includes of includes that are followed to see which headers a file knows. */
const [MAX_DEPTH, MAX_REACHED] = [6, 1000];
/** A name that more files declare or define says little of which one is meant. */
const MAX_FILES = 64;

/**
 * Returns a function that finds the files that define what a file uses. A function is used by its name; the members of a
 * class, whose names say little, by whoever includes the header of the class, so that the header leads to them. A file
 * defines what a header declares if it knows the header, since a static function may have the same name, or if it alone
 * defines the name.
 */
export function definersBy(
  all: ReadonlyMap<string, Facts>,
  includesOf: Includes,
): (path: string, facts: Facts) => readonly string[] {
  const declaring = new Map<string, string[]>();
  for (const [path, { declares = [] }] of all) for (const name of declares) addTo(declaring, name, path);
  const headersOf = (name: string) => (declaring.get(name) ?? []).slice(0, MAX_FILES);

  const defining = new Map<string, string[]>();
  /** By header, the files that define functions that it declares, by name, and those that define members. */
  const functions = new Map<string, Map<string, string[]>>();
  const members = new Map<string, Set<string>>();
  for (const [path, facts] of all) {
    const names = new Set(facts.definitions.map(({ name }) => name).filter((name) => declaring.has(name)));
    // What a file reaches is not kept: it may be a thousand files for each of many.
    const known = names.size > 0 ? reached(path, facts) : names;
    for (const name of names) {
      addTo(defining, name, path);
      for (const header of headersOf(name)) {
        if (header === path || !known.has(header)) continue;
        if (name.includes(".")) {
          const ofHeader = members.get(header) ?? new Set();
          members.set(header, ofHeader.add(path));
        } else {
          const ofHeader = functions.get(header) ?? new Map<string, string[]>();
          functions.set(header, ofHeader);
          addTo(ofHeader, name, path);
        }
      }
    }
  }

  /** Returns the files that define a function that a header declares. */
  function definersOf(name: string, header: string): readonly string[] {
    const sure = functions.get(header)?.get(name);
    if (sure) return sure.slice(0, MAX_FILES);
    const paths = defining.get(name) ?? [];
    return paths.length > 1 ? [] : paths;
  }

  /** Returns a file with those that it includes, and those that they include in turn, up to some steps. */
  function reached(from: string, facts: Facts): ReadonlySet<string> {
    const found = new Set([from]);
    let edge: [path: string, facts: Facts][] = [[from, facts]];
    for (let depth = 0; depth < MAX_DEPTH && edge.length > 0; depth++) {
      const further: typeof edge = [];
      for (const [path, own] of edge) {
        for (const target of includesOf(path, own)) {
          if (target.kind !== "file" || found.has(target.path) || found.size > MAX_REACHED) continue;
          found.add(target.path);
          const next = all.get(target.path);
          if (next) further.push([target.path, next]);
        }
      }
      edge = further;
    }
    return found;
  }

  return (path, facts) => {
    const names = (facts.uses ?? []).filter((name) => declaring.has(name));
    const known = names.length > 0 ? reached(path, facts) : new Set();
    const used = names.flatMap((name) =>
      headersOf(name).flatMap((header) => (known.has(header) ? definersOf(name, header) : [])),
    );
    return [...used, ...(members.get(path) ?? [])];
  };
}
