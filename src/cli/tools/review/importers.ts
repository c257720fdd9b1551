import type { ImportSearch } from "../../../repository/import-search.ts";
import { testsAmong } from "../../../repository/tests/tests-among.ts";
import { handedOnBy, isFront } from "../../../text/handing-on.ts";
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
  const likely = new Likely(sources, (path) => !found.has(path) && !paths.includes(path) && !isTest(path));
  /** Whether a text has the name of what was changed. */
  const isNamed = (text: string) => {
    const words = new Set(text.match(/[\w$]+/g));
    return names().some((name) => words.has(name));
  };
  let targets: readonly string[] = paths.filter((path) => !isTest(path));
  for (let hands = 0; hands <= MAX_HANDS && targets.length > 0; hands++) {
    const importing: string[] = [];
    for (const search of await leads.searches(targets)) {
      const candidates = await (hands === 0 ? likely.toImport(search) : likely.toCall(search));
      importing.push(...(await leads.importing(candidates, search)));
    }
    const handing: string[] = [];
    for (const [path, own] of await leads.of(importing.slice(0, MAX_FOUND - found.size))) {
      // What was found between quotes may be no import.
      if (![...own.values()].some((to) => targets.includes(to)) || !told.add(path, own)) continue;
      found.add(path);
      const handsOn = handedOnBy(path, textIn(around, path) ?? "").some(
        ({ from, names: clause }) =>
          (from === undefined || targets.includes(own.get(from) ?? "")) &&
          (clause === undefined || isNamed(clause)),
      );
      if (handsOn) handing.push(path);
    }
    targets = handing;
  }
  return [...found];
}

/** The files that are worth a look. */
class Likely {
  readonly #holding = new Map<readonly string[], Promise<ReadonlySet<string>>>();

  constructor(
    private readonly sources: Sources,
    private readonly isMeant: (path: string) => boolean,
  ) {}

  /** Returns files that seem to import others: of many, those that hold a name of what was changed, then fronts. */
  async toImport(search: ImportSearch): Promise<string[]> {
    const matching = (await this.sources.around.found(search)).filter(this.isMeant);
    if (matching.length <= MAX_LOOKED_AT) return matching;
    const holding = await this.holding(search);
    const rank = (path: string) => (holding.has(path) ? 0 : isFront(path) ? 1 : 2);
    return matching.sort((left, right) => rank(left) - rank(right)).slice(0, MAX_LOOKED_AT);
  }

  /** Returns files that hold a name, which who calls by way of others has to: few of them save a search for imports. */
  async toCall(search: ImportSearch): Promise<string[]> {
    const holding = await this.holding(search);
    return holding.size <= MAX_HOLDING ? [...holding].filter(this.isMeant) : this.toImport(search);
  }

  private holding({ files }: ImportSearch): Promise<ReadonlySet<string>> {
    const known = this.#holding.get(files) ?? this.filesHolding(files);
    this.#holding.set(files, known);
    return known;
  }

  private async filesHolding(files: readonly string[]): Promise<ReadonlySet<string>> {
    const names = this.sources.names().map((name) => name.replaceAll("$", "\\$"));
    const pattern = [...names, ANY_NAME].join("|");
    return new Set(await this.sources.around.found({ pattern, files, ofWords: true }));
  }
}
