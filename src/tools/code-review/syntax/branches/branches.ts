import type { LexedFragment } from "../lexed-fragment.ts";
import { Nesting, NOWHERE } from "../lookup/nesting.ts";
import { bracedBranches } from "./braced.ts";
import type { Branch } from "./branch.ts";
import { indentedBranches } from "./indented.ts";

/** Maximum nesting of branches. Deeper ones count as part of the branch around them. */
const MAX_DEPTH = 20;

/** The parts of a hunk that run conditionally. */
export class Branches {
  readonly all: readonly Branch[];
  readonly #nesting: Nesting;
  readonly #indexes: ReadonlyMap<Branch, number>;

  constructor(fragment: LexedFragment) {
    const { language } = fragment;
    const found =
      language === "python" || language === "ruby" ? indentedBranches(fragment) : bracedBranches(fragment);
    this.all = found.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from || b.to - a.to);
    this.#nesting = new Nesting(this.all, fragment.tokens.length, MAX_DEPTH);
    this.#indexes = new Map(this.all.map((branch, index) => [branch, index]));
  }

  /** Yields the branches around a token, the innermost first. */
  around(at: number): Iterable<Branch> {
    return this.outwards(this.#nesting.innermost(at));
  }

  /** Yields the branches around a branch, the innermost first. */
  outside(branch: Branch): Iterable<Branch> {
    return this.outwards(this.#nesting.parentOf(this.#indexes.get(branch) ?? NOWHERE));
  }

  private *outwards(first: number): Iterable<Branch> {
    for (let index = first; index !== NOWHERE; index = this.#nesting.parentOf(index)) {
      yield this.all[index] as Branch;
    }
  }
}
