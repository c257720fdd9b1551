import { textOf } from "../../../repository/files/read-file.ts";
import type { ImportSearch } from "../../../repository/import-search.ts";
import type { Snapshot } from "./snapshot.ts";

/** The imports of a repository's files. */
export interface Leads {
  /** Tells where the imports of files lead, by what is written there. */
  of(paths: readonly string[]): Promise<(readonly [path: string, leads: ReadonlyMap<string, string>])[]>;
  /** Returns searches for the files that may import some others. */
  searches(targets: readonly string[]): Promise<ImportSearch[]>;
  /** Returns the files that import one of those that were searched for. */
  importing(paths: readonly string[], search: ImportSearch): Promise<string[]>;
}

/** How far imports are followed: to what a file imports, and what that imports. */
const DEEPEST = 2;
/** The most files beyond those reviewed whose imports are followed: a review of many files stays a matter of seconds. */
const MAX_BEYOND = 200;
/** The most characters of all imports together. */
const MAX_LENGTH = 2 << 20;

/** Where imports lead, as far as a review is told. */
export class ToldImports {
  readonly all: Record<string, Record<string, string>> = {};
  #length = 0;

  /** Returns whether there was room. */
  add(path: string, leads: ReadonlyMap<string, string>): boolean {
    for (const [as, to] of leads) this.#length += as.length + to.length;
    if (this.#length > MAX_LENGTH) return false;
    if (leads.size > 0) this.all[path] = Object.fromEntries(leads);
    return true;
  }
}

export async function openLeads(around: Snapshot): Promise<Leads> {
  const { openImports } = await import("../../../repository/imports.ts");
  const open = () => openImports({ paths: around.paths, text: (path) => textIn(around, path) });
  let imports = open();
  let last: Promise<unknown> = Promise.resolve();
  /** Answers one question after the other, so that each hears of what it asked for and was not there. */
  function answer<Answer>(paths: readonly string[], ask: () => Answer): Promise<Answer> {
    const answered = last.then(async () => {
      await around.fetch(paths);
      for (;;) {
        const found = ask();
        if (!(await around.fetch())) return found;
        // Files that say how imports resolve were not at hand.
        imports = open();
      }
    });
    last = answered.catch(() => {});
    return answered;
  }
  return {
    of: (paths) => answer(paths, () => paths.map((path) => [path, imports.of(path)] as const)),
    searches: (targets) => answer([], () => imports.searches(targets)),
    importing: (paths, search) =>
      answer(paths, () => paths.filter((path) => imports.isImporting(path, search))),
  };
}

/** Tells where the imports of files and of what these import lead. Returns the files beyond them, the nearest first. */
export async function followImports(
  paths: readonly string[],
  leads: Leads,
  told: ToldImports,
): Promise<string[]> {
  const known = new Set(paths);
  let from: readonly string[] = paths;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const next: string[] = [];
    for (const [path, own] of await leads.of(from)) {
      if (!told.add(path, own)) return [...known].slice(paths.length);
      for (const to of own.values()) {
        if (!known.has(to)) next.push(to);
        known.add(to);
      }
    }
    from = next.slice(0, MAX_BEYOND);
  }
  return [...known].slice(paths.length);
}

export function textIn(around: Snapshot, path: string): string | undefined {
  const contents = around.contents(path);
  return contents && textOf(contents);
}
