import type { Branch } from "../../syntax/branches/branches.ts";
import type { Definition } from "../../syntax/definitions/definitions.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { isKeyword } from "../../syntax/keywords.ts";
import { firstIndex } from "../../syntax/lookup/first-index.ts";
import type { Range } from "../../syntax/range.ts";
import { chainFrom, spellingsOf } from "../chain.ts";
import type { Reaching } from "../reaching.ts";
import type { Target } from "../target.ts";
import { isOfTexts, isTesting, type Serves, served } from "./conditions.ts";

/** Tests of one name that are looked at: the nearest above its use. */
const MAX_TESTS = 20;
/** Tokens of a value whose names are tested along with the one that it is given to. */
const MAX_DERIVED = 30;

/** A test of a value, and what a value that passed it is harmless as. */
interface Test {
  branch: Branch;
  /** What passes goes on behind the branch, since the branch leaves; otherwise it goes into it. */
  leaves: boolean;
  serves: Serves;
}

type Tests = Map<string, Test[]>;

/** Finds values that were looked at before they are used: `if name not in ALLOWED: return`. */
export class Guards {
  #tests?: Tests;
  /** Those of branches that may give a name something else: `if (!ALLOWED.has(name)) name = "all"`. */
  readonly #replacing: Tests = new Map();

  constructor(
    private readonly fragment: Fragment,
    private readonly reaching: Reaching,
  ) {}

  /** The same of a chain of members and calls, or of what it begins with: `req.query.name`. */
  isChainTested(at: number, end: number, target: Target | undefined): boolean {
    const given = this.reaching.definitions(this.fragment.text(at), at);
    return spellingsOf(this.fragment, at, end).some((each) => this.isTested(each, at, given, target));
  }

  /** True where every way to a use of the name goes through a test of what it holds. */
  isTested(
    name: string,
    at: number,
    definitions: readonly Definition[],
    target: Target | undefined,
  ): boolean {
    const tests = this.tests.get(name);
    if (!tests) return false;
    const latest = Math.max(-1, ...definitions.map((each) => (each.at < at ? each.at : -1)));
    const nearest = firstIndex(tests, ({ branch }) => branch.from > at) - 1;
    for (let index = nearest; index > Math.max(-1, nearest - MAX_TESTS); index--) {
      const { branch, leaves, serves } = tests[index] as Test;
      if (branch.from < latest) return false;
      if (serves(target) && this.leadsTo(branch, at, leaves)) return true;
    }
    return false;
  }

  /** True where what the definition gave was replaced on the way, unless it passed a test. */
  isReplaced(
    { name, at: given }: Definition,
    at: number,
    definitions: readonly Definition[],
    target: Target | undefined,
  ): boolean {
    if (this.tests.size === 0 && this.#replacing.size === 0) return false;
    const tests = this.#replacing.get(name) ?? [];
    const end = firstIndex(tests, ({ branch }) => branch.from > at);
    return tests
      .slice(Math.max(0, end - MAX_TESTS), end)
      .some(
        ({ branch, serves }) =>
          given < branch.from &&
          this.leadsTo(branch, at, true) &&
          serves(target) &&
          definitions.some((each) => each.kind === "assign" && this.isWithin(each.at, branch)),
      );
  }

  /** `ALLOWED.has(name) ? name : "all"`: one side of a choice, whose condition tests what stands there. */
  isChosen(condition: Range, side: Range, isElse: boolean, target: Target | undefined): boolean {
    const { fragment } = this;
    if (!fragment.isWord(side.from) || chainFrom(fragment, side.from, side.to).end !== side.to) return false;
    const serves = served(fragment, this.reaching, {}, condition, isElse);
    const [spelling = ""] = spellingsOf(fragment, side.from, side.to);
    return serves?.(target) === true && this.namesIn(condition, isElse).has(spelling);
  }

  private isWithin(at: number, branch: Branch): boolean {
    for (const innermost of this.fragment.branches.around(at)) return innermost === branch;
    return false;
  }

  private leadsTo(branch: Branch, at: number, leaves: boolean): boolean {
    if (!leaves) return branch.from <= at && at < branch.to;
    if (branch.to > at) return false;
    const scope = this.fragment.names.functionAt(branch.from);
    const [outer] = this.fragment.branches.outside(branch);
    return at < Math.min(scope?.body.to ?? Infinity, outer?.to ?? Infinity);
  }

  private get tests(): Tests {
    this.#tests ??= this.collected();
    return this.#tests;
  }

  private collected(): Tests {
    const tests: Tests = new Map();
    for (const branch of this.fragment.branches.all) {
      const { condition, chain } = branch;
      if (chain.subject) {
        this.addCase(tests, branch, chain.subject);
        continue;
      }
      if (!condition || condition.to - condition.from > 100) continue;
      this.add(tests, branch, condition, false);
      this.add(this.reaching.skips(branch) ? tests : this.#replacing, branch, condition, true);
    }
    return tests;
  }

  private add(tests: Tests, branch: Branch, condition: Range, leaves: boolean): void {
    const serves = served(this.fragment, this.reaching, branch, condition, leaves);
    if (!serves) return;
    for (const name of this.namesIn(condition, leaves)) {
      const own = tests.get(name);
      if (own) own.push({ branch, leaves, serves });
      else tests.set(name, [{ branch, leaves, serves }]);
    }
  }

  /** `case "a":` lets a fixed text in; where others leave, nothing else goes on. */
  private addCase(tests: Tests, branch: Branch, subject: Range): void {
    const { fragment } = this;
    const { condition, chain } = branch;
    const isFixed = (each?: Range) => each !== undefined && isOfTexts(fragment, each);
    const leaves = !condition && this.reaching.leaves(branch);
    const others = chain.arms.filter((arm) => arm !== branch);
    if (!isFixed(condition) && !(leaves && others.every((arm) => isFixed(arm.condition)))) return;
    if (chainFrom(fragment, subject.from, subject.to).end !== subject.to) return;
    const name = spellingsOf(fragment, subject.from, subject.to)[0] as string;
    const own = tests.get(name) ?? [];
    tests.set(name, own);
    own.push({ branch, leaves, serves: () => true });
  }

  /** The names of a condition, and those that went into their values. */
  private namesIn({ from, to }: Range, leaves: boolean): ReadonlySet<string> {
    const found = new Set<string>();
    for (let index = from; index < to; index++) {
      if (!this.isName(index)) continue;
      const chain = this.chainTested(index, { from, to }, leaves);
      if (chain) found.add(chain);
      // `"key" in form.getlist(name)` looks at what the form holds, not at the name.
      if (!leaves && !isSubject(this.fragment, index, from)) continue;
      const name = this.fragment.text(index);
      found.add(name);
      const [only, ...others] = this.reaching.definitions(name, index);
      if (only?.kind !== "assign" || others.length > 0) continue;
      const { value } = only;
      for (let at = value.from; at < Math.min(value.to, value.from + MAX_DERIVED); at++) {
        if (this.isName(at)) found.add(this.fragment.text(at));
      }
    }
    return found;
  }

  /** A chain that is what a condition tests, as it is spelled, without the call that tests it. */
  private chainTested(start: number, { from, to }: Range, leaves: boolean): string | undefined {
    const { fragment } = this;
    const { end } = chainFrom(fragment, start, to);
    const open = fragment.text(end - 1) === ")" ? (fragment.tokens[end - 1]?.partner ?? -1) : end;
    // Ruby's question mark belongs to the name, with brackets behind it or without.
    const isAsking = fragment.language === "ruby" && fragment.text(open - 1) === "?";
    const isTest = open < end && isTesting(fragment.text(open - 1));
    const last = isAsking ? open - 3 : isTest ? open - 2 : end;
    // That it is there says nothing of what it is.
    const isAskedFor = (last === to && start <= from + 1) || fragment.text(start - 2) === "isset";
    if (last <= start + 1 || isAskedFor) return undefined;
    const isKey = leaves && fragment.text(start - 1) === "[" && fragment.text(last) === "]";
    if (!isKey && !isSubject(fragment, start, from, last)) return undefined;
    return spellingsOf(fragment, start, last)[0];
  }

  private isName(index: number): boolean {
    const { fragment } = this;
    if (!fragment.isWord(index) || isKeyword(fragment.language, fragment.text(index))) return false;
    return !/^(?:\.|->|::|\?\.)$/.test(fragment.text(index - 1)) && fragment.text(index + 1) !== "(";
  }
}

/** The name is what is tested: `name in X`, `X.includes(name)`, `name == "a"`, `name.isdigit()`. */
function isSubject(fragment: Fragment, index: number, from: number, end = index + 1): boolean {
  const [before, after] = [fragment.text(index - 1), fragment.text(end)];
  if (index === from || /^(?:and|&&|or|\|\||\(|!|not)$/.test(before)) {
    const isCompared = /^(?:in|not|==|===|!=|!==|\.|->)$/.test(after);
    return isCompared || (before === "(" && after === ")") || after === ",";
  }
  return before === "," && after === ")";
}
