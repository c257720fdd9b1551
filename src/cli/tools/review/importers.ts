import { importSearches } from "../../../repository/import-search.ts";
import { testsAmong } from "../../../repository/tests/tests-among.ts";
import { handsOn } from "../../../text/handing-on.ts";
import { type Leads, type ToldImports, textIn } from "./imports.ts";
import type { Snapshot } from "./snapshot.ts";

interface Sources {
  around: Snapshot;
  leadsOf: Leads;
  /** To which the imports of what is found are added. */
  told: ToldImports;
  /** Returns the names of the functions that were changed. */
  names: () => readonly string[];
}

/** How often one file after the other may hand a function on, on its way to who calls it. */
const MAX_HANDS = 2;
/** The most importers of one file: as many as a review looks at. */
const MAX_IMPORTERS = 50;
/** The most files that are searched for the names, and that are looked at to see whether they import what they seem to. */
const [MAX_SEARCHED, MAX_LOOKED_AT] = [1000, 200];

/** Returns the files that import some others, also by way of files that hand on what those export; no tests. */
export async function importersOf(paths: readonly string[], sources: Sources): Promise<string[]> {
  const { around, leadsOf, told } = sources;
  const project = { paths: around.paths, text: (path: string) => textIn(around, path) };
  const isTest = testsAmong([...around.paths]);
  const known = new Set(paths);
  const counts = new Map<string, number>();
  let targets: readonly string[] = paths.filter((path) => !isTest(path));
  for (let hands = 0; hands <= MAX_HANDS && targets.length > 0; hands++) {
    const searches = importSearches(targets, project);
    const matches = await Promise.all(searches.map((search) => around.found(search)));
    const candidates = matches.flat().filter((path) => !known.has(path) && !isTest(path));
    const sought = new Set(targets.filter((path) => (counts.get(path) ?? 0) < MAX_IMPORTERS));
    const handing: string[] = [];
    for (const [path, leads] of await leadsOf(await likeliest(candidates, sources))) {
      const ends = [...new Set(leads.values())].filter((to) => sought.has(to));
      if (ends.length === 0 || !told.add(path, leads)) continue;
      known.add(path);
      for (const to of ends) {
        const count = (counts.get(to) ?? 0) + 1;
        counts.set(to, count);
        if (count >= MAX_IMPORTERS) sought.delete(to);
      }
      const isOfEnd = (specifier: string) => ends.includes(leads.get(specifier) ?? "");
      if (handsOn(path, project.text(path) ?? "", isOfEnd)) handing.push(path);
    }
    targets = handing;
  }
  return [...known].slice(paths.length);
}

/** Returns the files to look at, if there are many those first that hold the name of what was changed. */
async function likeliest(candidates: readonly string[], { around, names }: Sources): Promise<string[]> {
  const searched = candidates.slice(0, MAX_SEARCHED);
  if (searched.length <= MAX_IMPORTERS) return searched;
  await around.fetch(searched);
  const escaped = names().map((name) => name.replaceAll("$", "\\$"));
  const held = new RegExp(`(?<![\\w$])(?:${escaped.join("|")})(?![\\w$])`);
  const holding = new Set(searched.filter((path) => held.test(textIn(around, path) ?? "")));
  return [...holding, ...searched.filter((path) => !holding.has(path))].slice(0, MAX_LOOKED_AT);
}
