import type { Branch, Chain } from "../syntax/branches/branch.ts";
import type { Branches } from "../syntax/branches/branches.ts";
import { splitAtCommas } from "../syntax/calls.ts";
import type { Definition } from "../syntax/definitions/definition.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../syntax/range.ts";
import { Constants } from "./constants.ts";
import { callsEnding } from "./functions/ending-functions.ts";
import { Guards } from "./guards/guards.ts";
import type { ReachingDefinitions } from "./reaching-definitions.ts";

/** Maximum definitions that are joined at a use of a name, and that are considered, the nearest first. */
const [MAX_JOINED, MAX_LOOKED_AT] = [40, 80];
/** Words that leave the function, so that definitions in the branch do not reach the code behind it. */
const LEAVING = /^(?:return|raise|throw|exit|die|abort|panic|fail)$/;
const SKIPPING = /^(?:continue|break|next)$/;
/** Maximum tokens at the end of a branch that are searched for its last statement. */
const MAX_LAST = 120;

type Liveness = "dead" | "maybe" | "certain";

export const reachingOf = oncePerFragment((fragment: Fragment) => new Reaching(fragment));

/**
 * Reaching definitions: which definitions may have given a name its value at a use. Definitions in branches are
 * joined. Those in a dead branch, or in an arm that excludes the arm of the use, are left out.
 */
export class Reaching implements ReachingDefinitions {
  readonly constants: Constants;
  readonly guards: Guards;
  readonly #branches: Branches;
  readonly #live = new Map<Branch, Liveness>();
  readonly #leaves = new Map<Branch, boolean>();
  readonly #sought = new Map<string, Map<number, readonly Definition[]>>();

  constructor(private readonly fragment: Fragment) {
    this.#branches = fragment.branches;
    this.constants = new Constants(fragment, () => this);
    this.guards = new Guards(fragment, this);
  }

  definitions(name: string, at: number): readonly Definition[] {
    const sought = this.#sought.get(name) ?? new Map<number, readonly Definition[]>();
    this.#sought.set(name, sought);
    const before = sought.get(at);
    if (before) return before;
    sought.set(at, []);
    const found = this.seek(name, at);
    sought.set(at, found);
    return found;
  }

  private seek(name: string, at: number): Definition[] {
    const { names } = this.fragment;
    const found: Definition[] = [];
    const covered = new Map<Chain, Set<Branch>>();
    const own = new Map([...this.#branches.around(at)].map((branch) => [branch.chain, branch]));
    let looked = 0;
    for (const definition of names.before(name, at)) {
      if (++looked > MAX_LOOKED_AT) break;
      if (this.isCutOff(definition.at, at, own)) continue;
      found.push(definition);
      if (!setsWholeValue(definition)) continue;
      if (this.isCertain(definition.at, at, covered) || found.length >= MAX_JOINED) return found;
    }
    if (found.some(setsWholeValue)) return found;
    // A constant of the module may be defined below the function that reads it.
    const behind = names.behind(name, at);
    return behind ? [...found, behind] : found;
  }

  /** Whether the code at `from` has always run when `at` is reached (dominance). */
  isCertain(from: number, at: number, covered = new Map<Chain, Set<Branch>>()): boolean {
    for (const branch of this.#branches.around(from)) {
      if (branch.from <= at && at < branch.to) return true;
      if (this.liveness(branch) === "certain") continue;
      const arms = covered.get(branch.chain) ?? new Set();
      covered.set(branch.chain, arms.add(branch));
      const all =
        branch.chain.complete && branch.chain.arms.every((arm) => arms.has(arm) || this.endsOrDead(arm));
      if (!all) return false;
    }
    return true;
  }

  private endsOrDead(arm: Branch): boolean {
    return this.liveness(arm) === "dead" || this.leaves(arm);
  }

  /** Whether control cannot flow from `from` to `at`: out of a dead branch, another arm, or one that leaves. */
  private isCutOff(from: number, at: number, own: ReadonlyMap<Chain, Branch>): boolean {
    for (const branch of this.#branches.around(from)) {
      if (branch.from <= at && at < branch.to) return false;
      if (this.liveness(branch) === "dead") return true;
      if (this.leaves(branch)) return true;
      if (branch.chain.loop) continue;
      const other = own.get(branch.chain);
      if (other && other !== branch) return true;
    }
    return false;
  }

  skips(branch: Branch): boolean {
    return this.leaves(branch) || this.endsLeaving(branch, SKIPPING);
  }

  leaves(branch: Branch): boolean {
    const before = this.#leaves.get(branch);
    if (before !== undefined) return before;
    const leaves = this.endsLeaving(branch, LEAVING);
    this.#leaves.set(branch, leaves);
    return leaves;
  }

  private endsLeaving({ from, to, chain }: Branch, words: RegExp): boolean {
    if (chain.loop) return false;
    const { fragment } = this;
    const inner = this.innermost(to - 1);
    for (let index = to - 1; index >= Math.max(from, to - MAX_LAST); index--) {
      const token = fragment.tokens[index];
      if (token?.kind === "close" && token.partner > from) index = token.partner;
      if (token?.kind !== "word" || !(words.test(token.text) || callsEnding(fragment, index))) continue;
      return this.innermost(index)?.from === from || inner?.from === from;
    }
    return false;
  }

  private innermost(at: number): Branch | undefined {
    for (const branch of this.#branches.around(at)) return branch;
    return undefined;
  }

  private liveness(branch: Branch): Liveness {
    const before = this.#live.get(branch);
    if (before) return before;
    this.#live.set(branch, "maybe");
    const { chain } = branch;
    if (chain.loop) return "maybe";
    const lives = chain.subject ? this.chosen(chain, chain.subject) : this.tested(chain);
    for (const [index, arm] of chain.arms.entries()) this.#live.set(arm, lives[index] as Liveness);
    return this.#live.get(branch) as Liveness;
  }

  private tested({ arms }: Chain): Liveness[] {
    let reached: Liveness = "certain";
    return arms.map(({ condition, negated }): Liveness => {
      if (reached === "dead") return "dead";
      const value = condition ? this.constants.of(condition) : undefined;
      const truth = value === undefined ? undefined : Boolean(value) !== Boolean(negated);
      // An arm without a condition is an `else`, or an error handler, which may not run.
      if (!condition) return arms.length > 1 ? reached : "maybe";
      if (truth === false) return "dead";
      const here: Liveness = truth === true ? reached : "maybe";
      reached = truth === true ? "dead" : "maybe";
      return here;
    });
  }

  private chosen({ arms }: Chain, subject: Range): Liveness[] {
    const value = this.constants.of(subject);
    const unclear = arms.map((): Liveness => "maybe");
    if (value === undefined) return unclear;
    let taken = -1;
    for (const [index, { condition }] of arms.entries()) {
      if (!condition || taken >= 0) continue;
      const patterns = this.patternsIn(condition).map((range) => this.constants.of(range));
      if (patterns.includes(value)) taken = index;
      else if (patterns.includes(undefined)) return unclear;
    }
    if (taken < 0) taken = arms.findIndex(({ condition }) => !condition);
    return arms.map((_, index) => (index === taken ? "certain" : "dead"));
  }

  /** `'A' | 'B'`, `"A", "B"`, and `'A': case 'B'` of adjacent labels. */
  private patternsIn({ from, to }: Range): Range[] {
    const parts: Range[] = [];
    let start = from;
    for (let index = from; index < to; index++) {
      const token = this.fragment.tokens[index];
      const splits = token?.kind === "mark" && (token.text === "|" || token.text === ":");
      if (!splits && token?.text !== "case") continue;
      parts.push({ from: start, to: index });
      start = index + 1;
    }
    parts.push({ from: start, to });
    return parts.filter(({ from, to }) => from < to).flatMap((part) => splitAtCommas(this.fragment, part));
  }
}

/** Whether a definition sets the whole value. Others add to it, or set or drop a member. */
export function setsWholeValue({ kind }: Definition): boolean {
  return kind === "assign" || kind === "each" || kind === "parameter";
}
