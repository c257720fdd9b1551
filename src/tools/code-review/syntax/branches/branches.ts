import type { Fragment } from "../fragment.ts";
import { Nesting, NOWHERE } from "../lookup/nesting.ts";
import type { Range } from "../range.ts";
import { bracedBranches } from "./braced.ts";
import { indentedBranches } from "./indented.ts";

/** Maximum nesting of branches. Deeper ones count as part of the branch around them. */
const MAX_DEPTH = 20;

/** One arm of an `if`, `switch`, `match` or loop: statements that run conditionally. */
export interface Branch extends Range {
  /** All arms of the same statement, of which at most one runs. */
  chain: Chain;
  /** The condition, or the patterns of a case; absent for `else` and `default`. */
  condition?: Range;
  /** `unless` */
  negated?: boolean;
}

export interface Chain {
  /** In the order of the text. */
  arms: Branch[];
  /** The value that a `switch` or `match` compares. */
  subject?: Range;
  /** Whether this is a loop, whose body may run any number of times. */
  loop?: boolean;
  /** Whether one of the arms always runs. */
  complete?: boolean;
}

/** The parts of a hunk that run conditionally. */
export class Branches {
  readonly all: readonly Branch[];
  readonly #nesting: Nesting;
  readonly #indexes: ReadonlyMap<Branch, number>;

  constructor(fragment: Fragment) {
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
