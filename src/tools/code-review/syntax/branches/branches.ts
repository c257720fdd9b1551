import type { Fragment } from "../fragment.ts";
import type { Range } from "../range.ts";
import { bracedBranches } from "./braced.ts";
import { indentedBranches } from "./indented.ts";

/** Maximum nesting of branches. Deeper ones count as part of the branch around them. */
const MAX_DEPTH = 20;
const NOWHERE = -1;

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
  readonly #owner: Int32Array;
  readonly #parents: number[] = [];
  readonly #indexes = new Map<Branch, number>();

  constructor(fragment: Fragment) {
    const { language } = fragment;
    const found =
      language === "python" || language === "ruby" ? indentedBranches(fragment) : bracedBranches(fragment);
    this.all = found.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from || b.to - a.to);
    this.#owner = new Int32Array(fragment.tokens.length + 1).fill(NOWHERE);
    const depths: number[] = [];
    for (const [index, branch] of this.all.entries()) {
      const parent = this.#owner[branch.from] ?? NOWHERE;
      const depth = (depths[parent] ?? 0) + 1;
      this.#parents.push(parent);
      depths.push(depth);
      this.#indexes.set(branch, index);
      if (depth <= MAX_DEPTH) this.#owner.fill(index, branch.from, branch.to);
    }
  }

  /** Yields the branches around a token, the innermost first. */
  *around(at: number): Iterable<Branch> {
    for (let index = this.#owner[at] ?? NOWHERE; index !== NOWHERE; index = this.#parents[index] ?? NOWHERE) {
      yield this.all[index] as Branch;
    }
  }

  /** Yields the branches around a branch, the innermost first. */
  *outside(branch: Branch): Iterable<Branch> {
    const own = this.#indexes.get(branch) ?? NOWHERE;
    for (
      let index = this.#parents[own] ?? NOWHERE;
      index !== NOWHERE;
      index = this.#parents[index] ?? NOWHERE
    ) {
      yield this.all[index] as Branch;
    }
  }
}
