import type { Line } from "../diff/file-change.ts";
import type { Language } from "../language/language.ts";
import type { Lexis } from "../lexer/lexis.ts";
import { Branches } from "./branches/branches.ts";
import { type Call, callsOf } from "./calls.ts";
import { LexedFragment, pick } from "./lexed-fragment.ts";
import { indexBy } from "./lookup/index-by.ts";
import { Nesting } from "./lookup/nesting.ts";
import { Names } from "./names.ts";

/** The other files of a review, in which a fragment looks up the functions that it calls and who calls its own. */
export interface OtherFiles {
  /** Returns a file as far as it is known, to look something up in it. */
  file(path: string): Fragment | undefined;
  /** Whether it is known where any import of a file leads. */
  imports(path: string): boolean;
  /** Returns the file that the beginning of a path leads to, `./shell` of `./shell.run()`, and the rest of the path. */
  importedAs(from: string, path: string): { path: string; rest: string } | undefined;
  /** Whether any file is known to import this one. */
  isImported(path: string): boolean;
  /** Returns the files that import one and hold a name. */
  importersOf(path: string, names: readonly string[]): readonly string[];
  /** Returns other names under which files hand on what one exports: `export { find as findUser } from "./users"`. */
  aliasesOf(path: string): readonly string[];
  /** Follows a value into another file. Returns undefined if that is too deep. */
  visit<T>(work: () => T): T | undefined;
}

/** The new side of a hunk as rules see it: lines, tokens, and structures built from them, each computed once. */
export class Fragment extends LexedFragment {
  #calls?: readonly Call[];
  #callsByName?: ReadonlyMap<string, readonly Call[]>;
  #callsAround?: { sorted: readonly Call[]; nesting: Nesting };
  #names?: Names;
  #branches?: Branches;

  constructor(
    path: string,
    language: Language,
    lines: readonly Line[],
    lexis: Lexis,
    readonly project?: OtherFiles,
  ) {
    super(path, language, lines, lexis);
  }

  /** Every call, in the order of the text. */
  get calls(): readonly Call[] {
    this.#calls ??= callsOf(this);
    return this.#calls;
  }

  /** Returns calls whose last word matches. Each distinct word is tested once. */
  callsOf(names: RegExp): readonly Call[] {
    this.#callsByName ??= indexBy(this.calls, ({ name }) => name);
    return pick(this.#callsByName, names);
  }

  /** Returns calls whose last word is this one. */
  callsNamed(name: string): readonly Call[] {
    this.#callsByName ??= indexBy(this.calls, ({ name }) => name);
    return this.#callsByName.get(name) ?? [];
  }

  /** Returns the innermost call whose arguments contain a token. */
  callAround(at: number): Call | undefined {
    this.#callsAround ??= nested(this);
    const { sorted, nesting } = this.#callsAround;
    return sorted[nesting.innermost(at)];
  }

  /** Yields the call whose name is at `at`, and then those around it, the innermost first. */
  *callsAround(at: number): Generator<Call> {
    for (let call = this.callAround(at + 1); call; call = this.callAround(call.at)) yield call;
  }

  /** Functions, definitions and imports. */
  get names(): Names {
    this.#names ??= new Names(this);
    return this.#names;
  }

  /** Conditional statements. */
  get branches(): Branches {
    this.#branches ??= new Branches(this);
    return this.#branches;
  }
}

/** Maximum nesting of calls. Deeper ones count as part of the call around them. */
const MAX_CALL_DEPTH = 50;

function nested({ tokens, calls }: Fragment) {
  const sorted = [...calls].sort((a, b) => a.at - b.at || b.end - a.end);
  const ranges = sorted.map(({ at, end }) => ({ from: at + 1, to: end }));
  return { sorted, nesting: new Nesting(ranges, tokens.length, MAX_CALL_DEPTH) };
}
