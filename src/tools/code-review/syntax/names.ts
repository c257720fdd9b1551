import { type Definition, definitionsOf } from "./definitions.ts";
import type { Fragment } from "./fragment.ts";
import { type FunctionScope, functionsOf } from "./functions.ts";
import { importsOf } from "./imports.ts";
import { indexBy } from "./index-by.ts";

const NOWHERE = -1;

/** What the names of a hunk stand for. Each part is worked out when it is first asked for. */
export class Names {
  #functions?: readonly FunctionScope[];
  #imports?: ReadonlyMap<string, string>;
  #scopes?: { owner: Int32Array; parents: readonly number[]; indexOf: ReadonlyMap<FunctionScope, number> };
  #definitions?: ReadonlyMap<string, readonly Definition[]>;

  constructor(private readonly fragment: Fragment) {}

  get functions(): readonly FunctionScope[] {
    this.#functions ??= functionsOf(this.fragment);
    return this.#functions;
  }

  /** Local names and what they stand for: `cp` → `child_process`. */
  get imports(): ReadonlyMap<string, string> {
    this.#imports ??= importsOf(this.fragment);
    return this.#imports;
  }

  /** What gave the name the value that it has at a token; undefined where nothing in sight did. */
  definition(name: string, at: number): Definition | undefined {
    this.#definitions ??= indexBy(definitionsOf(this.fragment, this.functions), (each) => each.name);
    const list = this.#definitions.get(name);
    if (!list) return undefined;
    const here = this.scopes.owner[at] ?? NOWHERE;
    const before = list.findLast(
      (each) =>
        each.at < at &&
        !(at >= each.value.from && at < each.value.to) &&
        this.within(here, this.scopeOf(each)),
    );
    if (before) return before;
    // A constant of the module may stand below the function that reads it.
    return list.find((each) => {
      const scope = this.scopeOf(each);
      return each.at > at && scope !== here && this.within(here, scope);
    });
  }

  /** The innermost function around a token. */
  functionAt(at: number): FunctionScope | undefined {
    return this.functions[this.scopes.owner[at] ?? NOWHERE];
  }

  /** A call's path with an imported name replaced by what it stands for. */
  resolve(path: string): string {
    if (this.imports.size === 0) return path;
    const end = path.search(/[.([]/);
    const first = end < 0 ? path : path.slice(0, end);
    const module = this.imports.get(first);
    return module === undefined ? path : module + path.slice(first.length);
  }

  /** Which function each token belongs to, and which function that lies in. */
  private get scopes() {
    this.#scopes ??= this.layOut();
    return this.#scopes;
  }

  private layOut() {
    const owner = new Int32Array(this.fragment.tokens.length + 1).fill(NOWHERE);
    const parents: number[] = [];
    const indexOf = new Map<FunctionScope, number>();
    for (const [index, scope] of this.functions.entries()) {
      parents.push(owner[scope.body.from] ?? NOWHERE);
      owner.fill(index, scope.body.from, scope.body.to);
      indexOf.set(scope, index);
    }
    return { owner, parents, indexOf };
  }

  private scopeOf({ function: scope, at }: Definition): number {
    if (scope) return this.scopes.indexOf.get(scope) ?? NOWHERE;
    return this.scopes.owner[at] ?? NOWHERE;
  }

  /** True where `inner` is `scope` or lies within it. */
  private within(inner: number, scope: number): boolean {
    const { parents } = this.scopes;
    for (let index = inner; index !== NOWHERE; index = parents[index] ?? NOWHERE)
      if (index === scope) return true;
    return scope === NOWHERE;
  }
}
