import { firstIndex } from "../../../../system/binary-search.ts";
import type { Branch, Chain } from "../../syntax/branches/branch.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { isKeyword } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";
import { chainFrom, spellingsOf } from "../chain.ts";
import type { ReachingDefinitions } from "../reaching-definitions.ts";
import type { Target } from "../target.ts";
import { type HarmlessFor, isOfTexts, isTesting, testsIn } from "./conditions.ts";
import { resolvesIn, testsBeginning } from "./rooted.ts";

/** Maximum tests of a name, nearest above its use first, that are considered. */
const MAX_TESTS = 20;
/** Maximum tokens of a value whose names count as tested along with the name that it is assigned to. */
const MAX_DERIVED = 30;

/** A test of a value, and the targets for which a value that passed it is harmless. */
interface Test {
  branch: Branch;
  /** Whether a value that passes continues behind the branch, because the branch leaves. Otherwise it enters it. */
  leaves: boolean;
  serves: HarmlessFor;
}

type Tests = Map<string, Test[]>;

/** Finds values that are tested before they are used: `if name not in ALLOWED: return`. */
export class Guards {
  #tests?: Tests;
  /** Tests whose branch may assign another value: `if (!ALLOWED.has(name)) name = "all"`. */
  readonly #replacing: Tests = new Map();
  readonly #otherArms = new Map<Chain, number>();

  constructor(
    private readonly fragment: Fragment,
    private readonly reaching: ReachingDefinitions,
  ) {}

  /** Whether every path to a use of a chain tests the chain or a prefix of it: `req.query.name`. */
  isChainTested(at: number, end: number, target: Target | undefined): boolean {
    const given = this.reaching.definitions(this.fragment.text(at), at);
    return spellingsOf(this.fragment, at, end).some((each) => this.isTested(each, at, given, target));
  }

  /** Whether every path to a use of the name passes a test of its value. */
  isTested(
    name: string,
    at: number,
    definitions: readonly Definition[],
    target: Target | undefined,
  ): boolean {
    const tests = this.tests.get(name);
    if (!tests) return false;
    const latest = definitions.reduce((last, each) => (each.at < at ? Math.max(last, each.at) : last), -1);
    const nearest = firstIndex(tests, ({ branch }) => branch.from > at) - 1;
    for (let index = nearest; index > Math.max(-1, nearest - MAX_TESTS); index--) {
      const { branch, leaves, serves } = tests[index] as Test;
      if (branch.from < latest) return false;
      if (serves(target) && this.leadsTo(branch, at, leaves)) return true;
    }
    return false;
  }

  /** Whether a definition's value reaches the use only if it passes a test: otherwise it is replaced, or the test leaves. */
  isReplaced(
    { name, at: given }: Definition,
    at: number,
    definitions: readonly Definition[],
    target: Target | undefined,
  ): boolean {
    if (this.tests.size === 0 && this.#replacing.size === 0) return false;
    if (definitions.length > 1 && this.isTestedSince(name, given, at, target)) return true;
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

  /** `if (!file.startsWith(folder)) throw …`, before the name is given another value in some cases. */
  private isTestedSince(name: string, given: number, at: number, target: Target | undefined): boolean {
    const tests = this.tests.get(name) ?? [];
    const end = firstIndex(tests, ({ branch }) => branch.from > at);
    return tests
      .slice(Math.max(0, end - MAX_TESTS), end)
      .some(
        ({ branch, leaves, serves }) =>
          leaves && given < branch.from && serves(target) && this.leadsTo(branch, at, true),
      );
  }

  /** Whether the condition of a choice tests the value of one side: `ALLOWED.has(name) ? name : "all"`. */
  isChosen(condition: Range, side: Range, isElse: boolean, target: Target | undefined): boolean {
    const { fragment } = this;
    if (!fragment.isWord(side.from) || chainFrom(fragment, side.from, side.to).end !== side.to) return false;
    const [spelling = ""] = spellingsOf(fragment, side.from, side.to);
    return testsIn(fragment, this.reaching, {}, condition, isElse).some(
      ({ operand, serves }) => serves(target) && this.namesIn(operand, isElse).has(spelling),
    );
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
    for (const { operand, serves } of testsIn(this.fragment, this.reaching, branch, condition, leaves)) {
      for (const [name, isOfPath] of this.namesIn(operand, leaves)) {
        const own = tests.get(name) ?? [];
        tests.set(name, own);
        const servesHere = isOfPath ? (target?: Target) => target === "path" && serves(target) : serves;
        own.push({ branch, leaves, serves: servesHere });
      }
    }
  }

  /** `case "a":` admits a fixed text only. If the `default` arm leaves, nothing else gets past the statement. */
  private addCase(tests: Tests, branch: Branch, subject: Range): void {
    const { fragment } = this;
    const { condition, chain } = branch;
    const leaves = !condition && this.reaching.leaves(branch);
    const isAlone = leaves && this.armsOfOtherValues(chain) === 1;
    if (!isAlone && !this.isOfTexts(condition)) return;
    if (chainFrom(fragment, subject.from, subject.to).end !== subject.to) return;
    const name = spellingsOf(fragment, subject.from, subject.to)[0] as string;
    const own = tests.get(name) ?? [];
    tests.set(name, own);
    own.push({ branch, leaves, serves: () => true });
  }

  /** Counts the arms for other values than fixed texts, such as `default`. */
  private armsOfOtherValues(chain: Chain): number {
    const count =
      this.#otherArms.get(chain) ?? chain.arms.filter((arm) => !this.isOfTexts(arm.condition)).length;
    this.#otherArms.set(chain, count);
    return count;
  }

  private isOfTexts(condition: Range | undefined): boolean {
    return condition !== undefined && isOfTexts(this.fragment, condition);
  }

  /**
   * Returns the names in a condition, and those that their values are derived from: whether only the path is tested that
   * a name leads to, as by `full.startsWith(root)` behind `full = path.resolve(root, name)`.
   */
  private namesIn({ from, to }: Range, leaves: boolean): ReadonlyMap<string, boolean> {
    const found = new Map<string, boolean>();
    const isOfBeginning = testsBeginning(this.fragment, { from, to });
    const add = (name: string, isOfPath: boolean) => found.set(name, isOfPath && found.get(name) !== false);
    for (let index = from; index < to; index++) {
      if (!this.isName(index)) continue;
      const chain = this.chainTested(index, { from, to }, leaves);
      if (chain) add(chain, false);
      // `"key" in form.getlist(name)` tests the contents of the form, not the name.
      if (!leaves && !isSubject(this.fragment, index, from)) continue;
      const name = this.fragment.text(index);
      add(name, false);
      const [only, ...others] = this.reaching.definitions(name, index);
      if (only?.kind !== "assign" || others.length > 0) continue;
      const { value } = only;
      const isPath = isOfBeginning && resolvesIn(this.fragment, value);
      for (let at = value.from; at < Math.min(value.to, value.from + MAX_DERIVED); at++) {
        if (!this.isName(at)) continue;
        add(this.fragment.text(at), isPath);
        const spellings = spellingsOf(this.fragment, at, chainFrom(this.fragment, at, value.to).end);
        // `const { hostname } = new URL(req.query.src)`
        const read = spellings.find((each) => !each.includes("("));
        if (read?.includes(".") || read?.includes("[")) add(read, isPath);
      }
    }
    return found;
  }

  /** Returns the spelling of a chain that a condition tests, without the testing call. */
  private chainTested(start: number, { from, to }: Range, leaves: boolean): string | undefined {
    const { fragment } = this;
    const { end } = chainFrom(fragment, start, to);
    const open = fragment.text(end - 1) === ")" ? (fragment.tokens[end - 1]?.partner ?? -1) : end;
    // Ruby's question mark belongs to the name, with brackets behind it or without.
    const isAsking = fragment.language === "ruby" && fragment.text(open - 1) === "?";
    const isTest = open < end && isTesting(fragment.text(open - 1));
    const last = isAsking ? open - 3 : isTest ? open - 2 : end;
    // A test for presence says nothing about the value.
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

/** Whether a name is the subject of a test: `name in X`, `X.includes(name)`, `name == "a"`, `name.isdigit()`. */
function isSubject(fragment: Fragment, index: number, from: number, end = index + 1): boolean {
  // `in_array($_GET["page"] ?? "", …)`
  const isDefaulted = fragment.text(end) === "??" && fragment.isString(end + 1);
  const [before, after] = [fragment.text(index - 1), fragment.text(isDefaulted ? end + 2 : end)];
  if (index === from || /^(?:and|&&|or|\|\||\(|!|not)$/.test(before)) {
    const isCompared = /^(?:in|not|==|===|!=|!==|\.|->)$/.test(after);
    return isCompared || (before === "(" && after === ")") || after === ",";
  }
  return before === "," && after === ")";
}
