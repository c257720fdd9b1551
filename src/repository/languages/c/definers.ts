import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";

type Includes = (path: string, facts: Facts) => readonly Target[];

/** Includes of includes that are followed to see whether a file knows a header. */
const [MAX_DEPTH, MAX_REACHED] = [4, 500];
/** A name that more headers declare says little of which one is meant. */
const MAX_DECLARING = 64;

/** Returns, by header, the files that include it and define what it declares. */
export function definersOf(
  facts: ReadonlyMap<string, Facts>,
  includesOf: Includes,
): ReadonlyMap<string, readonly string[]> {
  const declaring = new Map<string, string[]>();
  for (const [path, { uses = [] }] of facts) for (const name of uses) addTo(declaring, name, path);
  const definers = new Map<string, string[]>();
  for (const [path, { definitions }] of facts) {
    const headers = new Set(
      definitions.flatMap(({ name }) => (declaring.get(name) ?? []).slice(0, MAX_DECLARING)),
    );
    headers.delete(path);
    if (headers.size === 0) continue;
    for (const header of reached(path, facts, includesOf))
      if (headers.has(header)) addTo(definers, header, path);
  }
  return definers;
}

/** Returns the files that one includes, and those that they include in turn, up to some steps. */
function reached(from: string, facts: ReadonlyMap<string, Facts>, includesOf: Includes): ReadonlySet<string> {
  const all = new Set([from]);
  let edge = [from];
  for (let depth = 0; depth < MAX_DEPTH && all.size < MAX_REACHED; depth++) {
    const further: string[] = [];
    for (const path of edge) {
      const own = facts.get(path);
      for (const target of own ? includesOf(path, own) : []) {
        if (target.kind !== "file" || all.has(target.path)) continue;
        all.add(target.path);
        further.push(target.path);
      }
    }
    edge = further;
  }
  all.delete(from);
  return all;
}
