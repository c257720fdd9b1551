import { textOf } from "../../../repository/files/read-file.ts";
import type { ImportSearch } from "../../../repository/import-search.ts";
import type { Snapshot } from "./snapshot.ts";

/** The imports of a repository's files. */
export interface Leads {
  /** Tells where the imports of files lead, by what is written there. */
  of(paths: readonly string[]): Promise<(readonly [path: string, leads: ReadonlyMap<string, string>])[]>;
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
  async function answer<Answer>(paths: readonly string[], ask: () => Answer): Promise<Answer> {
    await around.fetch(paths);
    for (;;) {
      const answered = ask();
      if (!(await around.fetch())) return answered;
      // They asked for files that say how imports resolve, and had to do without.
      imports = open();
    }
  }
  return {
    of: (paths) => answer(paths, () => paths.map((path) => [path, imports.of(path)] as const)),
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
