import type { Range } from "../range.ts";

/** Not within any range. */
export const NOWHERE = -1;

/** Which of several nested ranges each token is in. Ranges are named by their index. */
export class Nesting {
  readonly #innermost: Int32Array;
  readonly #parents: number[] = [];

  /**
   * @param ranges in the order in which they begin, the outer one of two first
   * @param count of all tokens
   * @param maxDepth maximum nesting. Deeper ranges count as part of the one around them.
   */
  constructor(ranges: readonly Range[], count: number, maxDepth: number) {
    this.#innermost = new Int32Array(count + 1).fill(NOWHERE);
    const depths: number[] = [];
    for (const [index, { from, to }] of ranges.entries()) {
      const parent = this.innermost(from);
      const depth = (depths[parent] ?? 0) + 1;
      this.#parents.push(parent);
      depths.push(depth);
      if (depth <= maxDepth) this.#innermost.fill(index, from, to);
    }
  }

  /** Returns the innermost range around a token. */
  innermost(token: number): number {
    return this.#innermost[token] ?? NOWHERE;
  }

  /** Returns the range around a range. */
  parentOf(range: number): number {
    return this.#parents[range] ?? NOWHERE;
  }
}
