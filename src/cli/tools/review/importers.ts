import { testsAmong } from "../../../repository/tests/tests-among.ts";
import { handsOn, isFront } from "../../../text/handing-on.ts";
import { type Leads, type ToldImports, textIn } from "./imports.ts";
import type { Snapshot } from "./snapshot.ts";

interface Sources {
  around: Snapshot;
  leads: Leads;
  /** To which the imports of what is found are added. */
  told: ToldImports;
  /** Returns the names of the functions that were changed. */
  names: () => readonly string[];
}

/** How often one file after the other may hand a function on, on its way to who calls it. */
const MAX_HANDS = 2;
/** The most files that are found, that are looked at since they seem to import others, or since they hold a name. */
const [MAX_FOUND, MAX_LOOKED_AT, MAX_HOLDING] = [200, 200, 500];
/** What stands for any name where one file hands on what another exports: `export * from "./a"`, `from a import *`. */
const ANY_NAME = "(export|import)[[:space:]]*\\*";

/** Returns the files that import some others, also by way of files that hand on what those export; no tests. */
export async function importersOf(paths: readonly string[], sources: Sources): Promise<string[]> {
  const { around, leads, told, names } = sources;
  const isTest = testsAmong([...around.paths]);
  const found = new Set<string>();
  const holders = new Map<readonly string[], Promise<ReadonlySet<string>>>();
  /** Returns the files that hold the name of what was changed, or hand on whatever another exports. */
  const holding = (files: readonly string[]) => {
    const pattern = [...names().map((name) => name.replaceAll("$", "\\$")), ANY_NAME].join("|");
    const known = holders.get(files) ?? around.found({ pattern, files, ofWords: true }).then(asSet);
    holders.set(files, known);
    return known;
  };
  const isOther = (path: string) => !found.has(path) && !paths.includes(path) && !isTest(path);
  let targets: readonly string[] = paths.filter((path) => !isTest(path));
  for (let hands = 0; hands <= MAX_HANDS && targets.length > 0; hands++) {
    const importing: string[] = [];
    for (const search of await leads.searches(targets)) {
      const held = hands > 0 ? await holding(search.files) : undefined;
      // Who calls by way of another file needs the name: looking at those that hold it saves a search.
      const isFew = held !== undefined && held.size <= MAX_HOLDING;
      const matching = (isFew ? [...held] : await around.found(search)).filter(isOther);
      const isMany = !isFew && matching.length > MAX_LOOKED_AT;
      const likeliest = isMany ? ordered(matching, await holding(search.files)) : matching;
      importing.push(
        ...(await leads.importing(likeliest.slice(0, isFew ? MAX_HOLDING : MAX_LOOKED_AT), search)),
      );
    }
    const handing: string[] = [];
    for (const [path, own] of await leads.of(importing.slice(0, MAX_FOUND - found.size))) {
      // What was found between quotes may be no import.
      if (![...own.values()].some((to) => targets.includes(to)) || !told.add(path, own)) continue;
      found.add(path);
      const isOfTarget = (specifier: string) => targets.includes(own.get(specifier) ?? "");
      const isMeant = (clause: string) => {
        const words = new Set(clause.match(/[\w$]+/g));
        return names().some((name) => words.has(name));
      };
      if (handsOn(path, textIn(around, path) ?? "", isOfTarget, isMeant)) handing.push(path);
    }
    targets = handing;
  }
  return [...found];
}

function asSet(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths);
}

/** Returns files in their order, those first that hold a name, then those that may hand it on. */
function ordered(paths: readonly string[], holding: ReadonlySet<string>): string[] {
  const rank = (path: string) => (holding.has(path) ? 0 : isFront(path) ? 1 : 2);
  return paths.toSorted((left, right) => rank(left) - rank(right));
}
