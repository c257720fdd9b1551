import { firstIndex } from "../../../system/binary-search.ts";
import type { Definition } from "./definitions/definition.ts";
import { definitionsOf } from "./definitions/definitions.ts";
import { type FunctionScope, functionsOf } from "./functions/functions.ts";
import { importsOf } from "./imports.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import { indexBy } from "./lookup/index-by.ts";
import { Nesting, NOWHERE } from "./lookup/nesting.ts";

/** Maximum nesting of functions. Deeper ones count as part of the function around them. */
const MAX_DEPTH = 50;
/** Maximum definitions of a name, nearest first, that are searched for one in scope. */
const MAX_LOOKED_AT = 300;

/** Name resolution in a hunk. Each part is computed on first use. */
export class Names {
  #functions?: readonly FunctionScope[];
  #functionsByStart?: ReadonlyMap<number, FunctionScope>;
  #imports?: ReadonlyMap<string, string>;
  #nesting?: Nesting;
  #indexes?: ReadonlyMap<FunctionScope, number>;
  #definitions?: ReadonlyMap<string, readonly Definition[]>;
  readonly #sought = new Map<string, Map<number, Definition | undefined>>();

  constructor(private readonly fragment: LexedFragment) {}

  get functions(): readonly FunctionScope[] {
    this.#functions ??= functionsOf(this.fragment);
    return this.#functions;
  }

  /** The outermost function that begins at a token. */
  get functionsByStart(): ReadonlyMap<number, FunctionScope> {
    this.#functionsByStart ??= new Map(this.functions.toReversed().map((scope) => [scope.start, scope]));
    return this.#functionsByStart;
  }

  /** Imported names by local name: `cp` → `child_process`. */
  get imports(): ReadonlyMap<string, string> {
    this.#imports ??= importsOf(this.fragment);
    return this.#imports;
  }

  /** Returns the definition that gave a name its value at a token, or undefined if none is in scope. */
  definition(name: string, at: number): Definition | undefined {
    const sought = this.#sought.get(name) ?? new Map<number, Definition | undefined>();
    this.#sought.set(name, sought);
    if (!sought.has(at)) sought.set(at, this.seek(name, at));
    return sought.get(at);
  }

  private seek(name: string, at: number): Definition | undefined {
    for (const each of this.before(name, at)) if (each.kind !== "member" && each.kind !== "drop") return each;
    return this.behind(name, at);
  }

  /** Yields the definitions of a name above a token that are in scope there, the nearest first. */
  *before(name: string, at: number): Iterable<Definition> {
    const list = this.definitions.get(name);
    if (!list) return;
    const here = this.nesting.innermost(at);
    const next = firstIndex(list, (each) => each.at > at);
    for (let index = next; index >= Math.max(0, next - MAX_LOOKED_AT); index--) {
      const each = list[index];
      if (!each) continue;
      const isOwnValue = at >= each.value.from && at < each.value.to;
      const isSeen = (each.since ?? each.at) < at && (each.until === undefined || at < each.until);
      if (isSeen && !isOwnValue && this.within(here, this.scopeOf(each))) yield each;
    }
  }

  /** Returns a definition below a token, in a scope around the token's own function. */
  behind(name: string, at: number): Definition | undefined {
    const list = this.definitions.get(name);
    if (!list) return undefined;
    const here = this.nesting.innermost(at);
    const next = firstIndex(list, (each) => each.at > at);
    return list.slice(next, next + MAX_LOOKED_AT).find((each) => {
      const scope = this.scopeOf(each);
      return each.kind !== "member" && each.kind !== "drop" && scope !== here && this.within(here, scope);
    });
  }

  /** Returns all definitions of a name, in any scope. */
  all(name: string): readonly Definition[] {
    return this.definitions.get(name) ?? [];
  }

  private get definitions(): ReadonlyMap<string, readonly Definition[]> {
    this.#definitions ??= indexBy(definitionsOf(this.fragment, this.functions), (each) => each.name);
    return this.#definitions;
  }

  /** Returns the innermost function around a token. */
  functionAt(at: number): FunctionScope | undefined {
    return this.functions[this.nesting.innermost(at)];
  }

  /** Yields the functions around a token, the innermost first. */
  *functionsAround(at: number): Iterable<FunctionScope> {
    for (let index = this.nesting.innermost(at); index !== NOWHERE; index = this.nesting.parentOf(index))
      yield this.functions[index] as FunctionScope;
  }

  /** Returns a call's path with an imported name replaced by its module. */
  resolve(path: string): string {
    // Java allows a package before the class.
    if (this.fragment.language === "java") return path.replace(/^(?:[a-z]\w{0,30}\.){2,8}(?=[A-Z])/, "");
    if (this.imports.size === 0) return path;
    const end = path.search(/[.([]/);
    const first = end < 0 ? path : path.slice(0, end);
    const module = this.imports.get(first);
    return module === undefined ? path : module + path.slice(first.length);
  }

  private get nesting(): Nesting {
    this.#nesting ??= new Nesting(
      this.functions.map(({ body }) => body),
      this.fragment.tokens.length,
      MAX_DEPTH,
    );
    return this.#nesting;
  }

  private scopeOf({ function: scope, at }: Definition): number {
    if (!scope) return this.nesting.innermost(at);
    this.#indexes ??= new Map(this.functions.map((each, index) => [each, index]));
    return this.#indexes.get(scope) ?? NOWHERE;
  }

  /** Whether `inner` is `scope` or is nested in it. */
  private within(inner: number, scope: number): boolean {
    for (let index = inner; index !== NOWHERE; index = this.nesting.parentOf(index))
      if (index === scope) return true;
    return scope === NOWHERE;
  }
}
