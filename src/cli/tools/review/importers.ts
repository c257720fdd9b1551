import type { ImportSearch } from "../../../repository/import-search.ts";
import { testsAmong } from "../../../repository/tests/tests-among.ts";
import { handedOnBy, isFront } from "../../../text/handing-on.ts";
import { type Leads, type ToldImports, textIn } from "./imports.ts";
import type { Search, Snapshot } from "./snapshot.ts";

interface Sources {
  around: Snapshot;
  leads: Leads;
  /** To which the imports of what is found are added. */
  told: ToldImports;
  /** Returns the names of the functions that were changed. */
  names: () => readonly string[];
  /** Ends the search with an error. */
  until: AbortSignal;
}

/** How often one file after the other may hand a function on, on its way to who calls it. */
const MAX_HANDS = 2;
/** The most files that are found, that are looked at since they seem to import others, or since they hold a name. */
const [MAX_FOUND, MAX_LOOKED_AT, MAX_HOLDING] = [200, 200, 500];
/** What stands for any name where one file hands on what another exports: `export * from "./a"`, `from a import *`. */
const ANY_NAME = "(export|import)[[:space:]]*\\*";
/** The most names under which what was changed is handed on that are searched for. */
const MAX_ALIASES = 50;

/** Returns the files that import some others, also by way of files that hand on what those export; no tests. */
export async function importersOf(paths: readonly string[], sources: Sources): Promise<string[]> {
  const { around, leads, told } = sources;
  const isTest = testsAmong([...around.paths]);
  const found = new Set<string>();
  const likely = new Likely(sources, (path) => !found.has(path) && !paths.includes(path) && !isTest(path));
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
      const handed = handedOnBy(path, textIn(around, path) ?? "").filter(
        ({ from }) => from === undefined || targets.includes(own.get(from) ?? ""),
      );
      if (handed.length > 0) handing.push(path);
      likely.add(handed.flatMap(({ aliases }) => aliases));
    }
    targets = handing;
  }
  return [...found];
}

/** The files that are worth a look. */
class Likely {
  readonly #holding = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #aliases = new Set<string>();

  constructor(
    private readonly sources: Sources,
    private readonly isMeant: (path: string) => boolean,
  ) {}

  /** Adds names under which what was changed is handed on. */
  add(aliases: readonly string[]): void {
    for (const alias of aliases) if (this.#aliases.size < MAX_ALIASES) this.#aliases.add(alias);
  }

  /** Returns files that seem to import others: of many, those that hold a name of what was changed, then fronts. */
  async toImport(search: ImportSearch): Promise<string[]> {
    const matching = (await this.found(search)).filter(this.isMeant);
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
    const names = [...this.sources.names(), ...this.#aliases].map((name) => name.replaceAll("$", "\\$"));
    const pattern = [...names, ANY_NAME].join("|");
    const key = [pattern, ...files].join(" ");
    const known = this.#holding.get(key) ?? this.filesHolding(pattern, files);
    this.#holding.set(key, known);
    return known;
  }

  private async filesHolding(pattern: string, files: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.found({ pattern, files, ofWords: true }));
  }

  private found(search: Search): Promise<string[]> {
    const { around, until } = this.sources;
    return around.found({ ...search, until });
  }
}
