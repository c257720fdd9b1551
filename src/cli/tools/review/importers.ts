import { importSearches } from "../../../repository/import-search.ts";
import { testsAmong } from "../../../repository/tests/tests-among.ts";
import { handsOn } from "../../../text/handing-on.ts";
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
/** The most files that are looked at since they may import the files, and that are found to. */
const [MAX_LOOKED_AT, MAX_FOUND] = [1000, 200];
/** The most importers of one file: as many as a review looks at. */
const MAX_IMPORTERS = 50;

/** Returns the files that import some others, also by way of files that hand on what those export; no tests. */
export async function importersOf(paths: readonly string[], sources: Sources): Promise<string[]> {
  const { around, leads, told } = sources;
  const project = { paths: around.paths, text: (path: string) => textIn(around, path) };
  const isTest = testsAmong([...around.paths]);
  const known = new Set(paths);
  let targets: readonly string[] = paths.filter((path) => !isTest(path));
  for (let hands = 0; hands <= MAX_HANDS && targets.length > 0; hands++) {
    const counts = new Map(targets.map((path) => [path, 0]));
    const importing: string[] = [];
    for (const search of importSearches(targets, project)) {
      const candidates = (await around.found(search)).filter((path) => !known.has(path) && !isTest(path));
      importing.push(...(await leads.importing(candidates.slice(0, MAX_LOOKED_AT), search)));
    }
    const handing: string[] = [];
    for (const [path, own] of await leads.of(likeliest(importing, sources))) {
      const ends = new Set(
        [...own.values()].filter((to) => (counts.get(to) ?? MAX_IMPORTERS) < MAX_IMPORTERS),
      );
      if (ends.size === 0 || !told.add(path, own)) continue;
      known.add(path);
      for (const to of ends) counts.set(to, (counts.get(to) ?? 0) + 1);
      if (handsOn(path, project.text(path) ?? "", (as) => ends.has(own.get(as) ?? ""))) handing.push(path);
    }
    targets = handing;
  }
  return [...known].slice(paths.length);
}

/** Returns those of many importers first that hold the name of what was changed. */
function likeliest(importing: readonly string[], { around, names }: Sources): string[] {
  if (importing.length <= MAX_IMPORTERS) return [...importing];
  const escaped = names().map((name) => name.replaceAll("$", "\\$"));
  const held = new RegExp(`(?<![\\w$])(?:${escaped.join("|")})(?![\\w$])`);
  const holding = new Set(importing.filter((path) => held.test(textIn(around, path) ?? "")));
  return [...holding, ...importing.filter((path) => !holding.has(path))].slice(0, MAX_FOUND);
}
