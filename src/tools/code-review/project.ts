import { handedOnBy } from "../../text/handing-on.ts";
import type { FileChange, Hunk, Line } from "./diff/file-change.ts";
import { MAX_WHOLE_LENGTH, wholeWhere } from "./diff/whole-file.ts";
import type { Fragment, OtherFiles } from "./syntax/fragment.ts";
import { fragmentsOf } from "./syntax/fragments.ts";

/** Where the imports of each file lead, by what is written there: `src/app.ts` → `./shell` → `src/shell.ts`. */
export type Imports = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Maximum characters of the files that are kept read, since tokens take a hundred times the memory. */
const MAX_KEPT = 2 << 20;
/** Maximum characters that are read to look functions up: so many, and so many times what was sent, but not more. */
const [LEAST_READ, TIMES_READ, MOST_READ] = [1 << 20, 3, 8 << 20];
/** Maximum files that import a file and are asked for a name, and those with the name that are looked at. */
const [MAX_ASKED, MAX_IMPORTERS] = [1000, 50];
/** Maximum files in a row that hand on what the first one exports. */
const MAX_HANDS = 2;
/** Stands for any file that is imported. */
const ANY = "";
/** Maximum other names under which what a file exports is handed on. */
const MAX_ALIASES = 50;
/** A name of any language. */
const WORD = /[\w$\u0080-\uffff]+/g;
/** Maximum files deep that a value is followed from one function to another. */
const DEEPEST = 3;

/** The files of which one hands something on, or `ANY`, and the names that it gives. */
type Handing = ReadonlyMap<string, readonly string[]>;

/** The files that import one, and the names that those give which hand it on. */
interface Importers {
  paths: readonly string[];
  aliases: readonly string[];
}

/** The files of a review, each of which can look up the functions that it imports from the others. */
export class Project implements OtherFiles {
  readonly #changes: ReadonlyMap<string, FileChange>;
  readonly #contents: ReadonlyMap<string, string>;
  readonly #hunks = new Map<FileChange, readonly Hunk[]>();
  readonly #lines = new Map<string, readonly Line[] | undefined>();
  /** By hunk, the one used last at the end. */
  readonly #kept = new Map<readonly Line[], { fragments: readonly Fragment[]; length: number }>();
  #keptLength = 0;
  readonly #words = new Map<string, ReadonlySet<string>>();
  #left: number;
  #depth = 0;
  #importers?: ReadonlyMap<string, readonly string[]>;
  readonly #handing = new Map<string, Handing>();
  readonly #importersOf = new Map<string, Importers>();

  constructor(
    changes: readonly FileChange[],
    contents: ReadonlyMap<string, string>,
    private readonly leads: Imports,
  ) {
    this.#changes = new Map(changes.map((change) => [change.path, change]));
    const hunks = changes.flatMap(({ hunks }) => hunks);
    let sent = 0;
    for (const { lines } of hunks) sent += lengthOf(lines);
    for (const content of contents.values()) sent += content.length;
    this.#contents = new Map([...contents].filter(([, content]) => content.length <= MAX_WHOLE_LENGTH));
    this.#left = Math.min(LEAST_READ + TIMES_READ * sent, MOST_READ);
  }

  /** Returns the hunks of a change, or its whole file as one if that is known. */
  hunksOf(change: FileChange): readonly Hunk[] {
    const known = this.#hunks.get(change);
    if (known) return known;
    const { hunks } = wholeWhere(change, this.#contents.get(change.path));
    this.#hunks.set(change, hunks);
    return hunks;
  }

  /** Reads a hunk in the languages of its file. */
  fragmentsOf(path: string, lines: readonly Line[]): readonly Fragment[] {
    const kept = this.#kept.get(lines);
    this.#kept.delete(lines);
    const length = kept?.length ?? lengthOf(lines);
    const fragments = kept?.fragments ?? fragmentsOf(path, lines, this);
    if (this.leads.size === 0) return fragments;
    this.#kept.set(lines, { fragments, length });
    if (!kept) this.#keptLength += length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptLength <= MAX_KEPT || oldest === lines) break;
      this.#kept.delete(oldest);
      this.#keptLength -= length;
    }
    return fragments;
  }

  file(path: string): Fragment | undefined {
    const lines = this.linesOf(path);
    if (!lines) return undefined;
    if (!this.#kept.has(lines)) {
      this.#left -= lengthOf(lines);
      if (this.#left < 0) return undefined;
    }
    return this.fragmentsOf(path, lines).find(({ language }) => language !== "markup");
  }

  private linesOf(path: string): readonly Line[] | undefined {
    if (this.#lines.has(path)) return this.#lines.get(path);
    const change = this.#changes.get(path);
    const content = this.#contents.get(path);
    const hunks = change && change.kind !== "deleted" ? this.hunksOf(change) : [];
    const lines =
      hunks.length === 1 ? hunks[0]?.lines : content === undefined ? undefined : unchanged(content);
    this.#lines.set(path, lines);
    return lines;
  }

  imports(path: string): boolean {
    return this.leads.has(path);
  }

  importedAs(from: string, path: string): { path: string; rest: string } | undefined {
    const leads = this.leads.get(from);
    if (!leads) return undefined;
    for (let end = path.length; end > 0; end--) {
      if (end < path.length && !/[.(]/.test(path[end] as string)) continue;
      const found = leads.get(path.slice(0, end));
      if (found !== undefined) return { path: found, rest: path.slice(end) };
    }
    return undefined;
  }

  isImported(path: string): boolean {
    this.#importers ??= importersIn(this.leads, this.#changes);
    return this.#importers.has(path);
  }

  /** Whether a file imports any that is not changed. */
  leavesDiff(path: string): boolean {
    const leads = this.leads.get(path);
    return leads !== undefined && [...leads.values()].some((to) => !this.#changes.has(to));
  }

  importersOf(path: string, names: readonly string[]): readonly string[] {
    const { paths } = this.importersOfFile(path);
    const holding = names.includes("default") ? paths : paths.filter((each) => this.holds(each, names));
    return holding.slice(0, MAX_IMPORTERS);
  }

  aliasesOf(path: string): readonly string[] {
    return this.importersOfFile(path).aliases;
  }

  /** Returns the files that import one, also by way of files that hand on what it exports. */
  private importersOfFile(path: string): Importers {
    const before = this.#importersOf.get(path);
    if (before) return before;
    this.#importers ??= importersIn(this.leads, this.#changes);
    const found = new Set<string>();
    const aliases = new Set<string>();
    let ends = [path];
    for (let hands = 0; hands <= MAX_HANDS && ends.length > 0; hands++) {
      const handing: string[] = [];
      for (const end of ends) {
        for (const each of this.#importers.get(end) ?? []) {
          if (found.size >= MAX_ASKED) break;
          if (each === path || found.has(each)) continue;
          found.add(each);
          const handed = this.handingOf(each).get(end) ?? this.handingOf(each).get(ANY);
          if (!handed) continue;
          handing.push(each);
          for (const alias of handed) if (aliases.size < MAX_ALIASES) aliases.add(alias);
        }
      }
      ends = handing;
    }
    const all = { paths: [...found], aliases: [...aliases] };
    this.#importersOf.set(path, all);
    return all;
  }

  private handingOf(path: string): Handing {
    const before = this.#handing.get(path);
    if (before) return before;
    const handing = new Map<string, readonly string[]>();
    for (const { from, aliases } of handedOnBy(path, this.textOf(path))) {
      const end = from === undefined ? ANY : this.leads.get(path)?.get(from);
      if (end !== undefined)
        handing.set(end, [...(handing.get(end) ?? []), ...aliases].slice(0, MAX_ALIASES));
    }
    this.#handing.set(path, handing);
    return handing;
  }

  private holds(path: string, names: readonly string[]): boolean {
    const words = this.#words.get(path) ?? this.wordsOf(path);
    this.#words.set(path, words);
    return names.some((name) => words.has(name));
  }

  private wordsOf(path: string): ReadonlySet<string> {
    return new Set(this.textOf(path).match(WORD));
  }

  private textOf(path: string): string {
    return this.#contents.get(path) ?? (this.linesOf(path) ?? []).map(({ text }) => text).join("\n");
  }

  visit<T>(work: () => T): T | undefined {
    if (this.#depth >= DEEPEST) return undefined;
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}

function unchanged(content: string): Line[] {
  return content
    .split("\n")
    .map((text, index) => ({ number: index + 1, text: text.replace(/\r$/, ""), added: false }));
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((length, { text }) => length + text.length + 1, 0);
}

/** Returns the files that import each, those that are changed first, then by their paths. */
function importersIn(
  leads: Imports,
  changed: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  const paths = [...leads.keys()].sort();
  const ordered = [
    ...paths.filter((path) => changed.has(path)),
    ...paths.filter((path) => !changed.has(path)),
  ];
  for (const from of ordered) {
    for (const path of new Set(leads.get(from)?.values())) {
      const known = importers.get(path);
      if (known) known.push(from);
      else importers.set(path, [from]);
    }
  }
  return importers;
}
