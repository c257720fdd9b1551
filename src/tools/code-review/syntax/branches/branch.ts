import type { Range } from "../range.ts";

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
