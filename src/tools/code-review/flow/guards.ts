import type { Branch } from "../syntax/branches/branches.ts";
import { splitAtCommas } from "../syntax/calls.ts";
import type { Definition } from "../syntax/definitions.ts";
import { firstIndex } from "../syntax/first-index.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isKeyword } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";
import { chainFrom, spellingsOf } from "./chain.ts";
import type { Reaching } from "./reaching.ts";
import { rootedAs } from "./rooted.ts";
import { forbiddenAs } from "./sanitizers.ts";
import type { Target } from "./target.ts";

/** Tests of one name that are looked at: the nearest above its use. */
const MAX_TESTS = 20;
/** Tokens of a value whose names are tested along with the one that it is given to. */
const MAX_DERIVED = 30;

const LISTED =
  /^(?:in|includes|contains|Contains|ContainsKey|containsKey|has|include\?|key\?|member\?|in_array|array_key_exists|is_relative_to|isSubsetOf|any)$/;
const SHAPED =
  /^(?:match|matches|fullmatch|test|isdigit|isalnum|isalpha|isnumeric|isdecimal|isidentifier|is_numeric|is_int|ctype_\w{4,6}|preg_match|MatchString|IsMatch|match\?|isInteger|TryParse|isUUID|url_has_allowed_host_and_scheme|is_safe_url|IsLocalUrl)$/;
const ROOTED =
  /^(?:startsWith|startswith|start_with\?|starts_with|str_starts_with|StartsWith|HasPrefix|commonpath|commonprefix|IsLocal)$/;
const BOUNDED = /^(?:strpos|str_contains|endsWith|endswith|end_with\?|EndsWith|HasSuffix|ContainsAny)$/;
const TESTING = [LISTED, SHAPED, ROOTED, BOUNDED, /^indexOf$/];

/** A test of a value, and what a value that passed it is harmless as. */
interface Test {
  branch: Branch;
  /** What passes goes on behind the branch, since the branch leaves; otherwise it goes into it. */
  leaves: boolean;
  serves: (target: Target | undefined) => boolean;
}

/** Finds values that were looked at before they are used: `if name not in ALLOWED: return`. */
export class Guards {
  #tests?: ReadonlyMap<string, readonly Test[]>;

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

  private leadsTo(branch: Branch, at: number, leaves: boolean): boolean {
    if (!leaves) return branch.from <= at && at < branch.to;
    if (branch.to > at) return false;
    const scope = this.fragment.names.functionAt(branch.from);
    const [outer] = this.fragment.branches.outside(branch);
    return at < Math.min(scope?.body.to ?? Infinity, outer?.to ?? Infinity);
  }

  private get tests(): ReadonlyMap<string, readonly Test[]> {
    this.#tests ??= this.collected();
    return this.#tests;
  }

  private collected(): ReadonlyMap<string, readonly Test[]> {
    const tests = new Map<string, Test[]>();
    for (const branch of this.fragment.branches.all) {
      const { condition, chain } = branch;
      if (chain.subject) {
        this.addCase(tests, branch, chain.subject);
        continue;
      }
      if (!condition || condition.to - condition.from > 100) continue;
      const leaves = this.reaching.leaves(branch);
      const serves = served(this.fragment, this.reaching, branch, condition, leaves);
      if (!serves) continue;
      for (const name of this.namesIn(condition, leaves)) {
        const own = tests.get(name);
        if (own) own.push({ branch, leaves, serves });
        else tests.set(name, [{ branch, leaves, serves }]);
      }
    }
    return tests;
  }

  /** `case "a":` lets a fixed text in; where others leave, nothing else goes on. */
  private addCase(tests: Map<string, Test[]>, branch: Branch, subject: Range): void {
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
    const isTesting = open < end && TESTING.some((each) => each.test(fragment.text(open - 1)));
    const last = isAsking ? open - 3 : isTesting ? open - 2 : end;
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

/** What a condition makes the values that it looks at harmless as; undefined where it looks at nothing. */
function served(
  fragment: Fragment,
  reaching: Reaching,
  branch: Branch,
  { from, to }: Range,
  leaves: boolean,
): Test["serves"] | undefined {
  // What was found in a list of what is allowed goes on; what was not found there leaves.
  const admits = isNegated(fragment, branch, { from, to }) === leaves;
  const characters: string[] = [];
  let [listed, shapeless, rooted, bounded] = [false, false, false, false];
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    const text = calledAt(fragment, index);
    if (token?.kind === "string") characters.push(text);
    else if (token?.kind === "regex" || SHAPED.test(text)) listed = true;
    else if (text === "isNaN") shapeless = true;
    else if (LISTED.test(text) || text === "indexOf") {
      if (looksForText(fragment, index)) bounded = true;
      else listed = true;
    } else if (ROOTED.test(text)) {
      if (fragment.isString(index + text.length - fragment.text(index).length + 2)) bounded = true;
      else rooted = true;
    } else if (BOUNDED.test(text)) bounded = true;
    else if (/^(?:===?|!==?)$/.test(text) && comparesText(fragment, index)) listed = true;
  }
  if (admits ? listed : shapeless) return () => true;
  if (isLookUp(fragment, reaching, { from, to }) && admits) return () => true;
  const found = new Set<Target>();
  if (bounded && admits) for (const target of rootedAs(fragment, reaching, { from, to })) found.add(target);
  if (rooted && admits) for (const target of ["path", "address"] as const) found.add(target);
  // Without a slash a name can still be “..”, so that it must be that which is not found for the way in.
  const isForbidden = leaves && !wants(fragment, { from, to });
  const parents = characters.filter((text) => text.startsWith(".."));
  const forbidden = isForbidden ? characters : leaves || admits ? [] : parents;
  if (bounded) for (const text of forbidden) for (const target of forbiddenAs(text)) found.add(target);
  return found.size > 0 ? (target) => target !== undefined && found.has(target) : undefined;
}

/** `!name.startsWith("/")`, and nothing else: the text is what a value must have. */
function wants(fragment: Fragment, { from, to }: Range): boolean {
  if (!/^(?:!|not)$/.test(fragment.text(from))) return false;
  return !fragment.tokens
    .slice(from, to)
    .some(({ text }) => /^(?:and|or|&&|\|\||[!=]==?|[<>]=?)$/.test(text));
}

/** The name of a call as its language writes it: Ruby's question mark is a part of it. */
function calledAt(fragment: Fragment, index: number): string {
  const isAsked =
    fragment.language === "ruby" && fragment.text(index + 1) === "?" && fragment.text(index + 2) === "(";
  return isAsked ? `${fragment.text(index)}?` : fragment.text(index);
}

/** `name.includes("..")`, `".." in name`, `strings.Contains(name, "..")`: what is looked for is a text. */
function looksForText(fragment: Fragment, index: number): boolean {
  const { tokens } = fragment;
  const left = tokens[index - 1]?.text === "not" ? index - 2 : index - 1;
  if (fragment.isString(left)) return true;
  // What stands in brackets behind the word is a list: `name in ("a", "b")`.
  if (tokens[index]?.text === "in") return false;
  const open = fragment.text(index + 1) === "?" ? index + 2 : index + 1;
  if (tokens[open]?.text !== "(") return false;
  const args = splitAtCommas(fragment, { from: open + 1, to: tokens[open].partner });
  return args.some(({ from, to }) => to === from + 1 && fragment.isString(from));
}

/** `ALLOWED[name]`, `!ALLOWED[name]`, `isset($allowed[$name])`, `ok := allowed[name]; !ok` of Go. */
function isLookUp(fragment: Fragment, reaching: Reaching, condition: Range): boolean {
  let { from, to } = condition;
  if (/^(?:!|not)$/.test(fragment.text(from))) from++;
  if (fragment.text(from) === "isset" && fragment.tokens[from + 1]?.partner === to - 1) {
    from += 2;
    to--;
  }
  if (fragment.language === "go" && to === from + 1) {
    const [only, ...others] = reaching.definitions(fragment.text(from), from);
    if (only?.kind !== "assign" || others.length > 0) return false;
    ({ from, to } = only.value);
  }
  const open = fragment.tokens[from + 1];
  return fragment.isWord(from) && open?.text === "[" && open.partner === to - 1;
}

function isNegated(fragment: Fragment, { negated = false }: Branch, { from, to }: Range): boolean {
  for (let index = from; index < to; index++) {
    const place = `${fragment.text(index)} ${fragment.text(index + 1)}${fragment.text(index + 2)}`;
    if (/^(?:!==?|>) -1$/.test(place)) return negated;
    if (/^(?:(?:not|!|!==?|false|False) |===? -1$|< 0)/.test(place)) return !negated;
  }
  return negated;
}

/** A comparison with a text that says something, not with an empty one. */
function comparesText(fragment: Fragment, index: number): boolean {
  return [index - 1, index + 1].some((at) => fragment.isString(at) && fragment.text(at).length > 1);
}

/** `"a", "b"`, `'a': case 'b'` */
function isOfTexts(fragment: Fragment, { from, to }: Range): boolean {
  const tokens = fragment.tokens.slice(from, to);
  return tokens.every(
    ({ kind, text }) => kind === "string" || kind === "number" || /^(?:[,|:]|case)$/.test(text),
  );
}
