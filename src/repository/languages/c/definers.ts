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

  const defining = new Map<string, string[]>();
  for (const [path, { definitions }] of all)
    for (const name of new Set(definitions.map((each) => each.name)))
      if (declaring.has(name)) addTo(defining, name, path);

  /** By header, the files that define functions that it declares, by name, and those that define members. */
  const functions = new Map<string, Map<string, readonly string[]>>();
  const members = new Map<string, Set<string>>();
  const known = new Map<string, ReadonlySet<string>>();
  const knows = (path: string, header: string) => {
    const headers = known.get(path) ?? reached(path, all.get(path) as Facts);
    known.set(path, headers);
    return headers.has(header);
  };
  for (const [name, paths] of defining) {
    for (const header of (declaring.get(name) ?? []).slice(0, MAX_FILES)) {
      const sure = paths.slice(0, MAX_FILES).filter((path) => path !== header && knows(path, header));
      const found = sure.length > 0 || paths.length > 1 ? sure : paths;
      if (name.includes(".")) {
        const ofHeader = members.get(header) ?? new Set();
        members.set(header, ofHeader);
        for (const path of sure) ofHeader.add(path);
      } else {
        const ofHeader = functions.get(header) ?? new Map<string, readonly string[]>();
        functions.set(header, ofHeader);
        ofHeader.set(name, found);
      }
    }
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
    const headers = names.length > 0 ? [...reached(path, facts)] : [];
    const used = headers.flatMap((header) => {
      const ofHeader = functions.get(header);
      return ofHeader ? names.flatMap((name) => ofHeader.get(name) ?? []) : [];
    });
    return [...used, ...(members.get(path) ?? [])];
  };
}
