import type { Token } from "../../lexer/token.ts";
import type { Branch } from "../../syntax/branches/branch.ts";
import { pathBefore, splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";
import { literalIn } from "../literal.ts";
import type { ReachingDefinitions } from "../reaching-definitions.ts";
import { isCleaningByArgument, targetsNeeding } from "../sanitizers.ts";
import type { Target } from "../target.ts";
import { rootedAs, staysOnSite } from "./rooted.ts";

const LISTED =
  /^(?:in\??|includes|contains|Contains|ContainsKey|containsKey|has|include\?|key\?|member\?|in_array|array_search|array_key_exists|is_relative_to|isSubsetOf|any)$/;
const SHAPED =
  /^(?:match|matches|fullmatch|test|isdigit|isalnum|isalpha|isnumeric|isdecimal|isidentifier|is_numeric|is_int|ctype_\w{4,6}|preg_match|MatchString|IsMatch|match\?|isInteger|TryParse|isUUID|url_has_allowed_host_and_scheme|is_safe_url|IsLocalUrl|is_?[vV]alid_?\w{2,40}|[iI]s_?(?:[sS]afe|[lL]ocal|[aA]llowed|[tT]rusted|[sS]ame_?(?:[sS]ite|[oO]rigin|[hH]ost))_?\w{0,40})$/;
/** Tests of a character, and what asks them of each one of a text: `name.chars().all(char::is_alphanumeric)`. */
const CHARACTER =
  /^(?:is_(?:ascii_)?(?:alphanumeric|alphabetic|digit|hexdigit|numeric)|[iI]s(?:Letter|Digit|LetterOrDigit|AsciiLetterOrDigit|AsciiDigit|AsciiLetter))$/;
const EACH = /^(?:all|All|allMatch|every)$/;
const ROOTED =
  /^(?:startsWith|startswith|start_with\?|starts_with|str_starts_with|StartsWith|HasPrefix|commonpath|commonprefix|IsLocal|[iI]s_?[pP]ath_?(?:[iI]n(?:side)?|[wW]ithin)\w{0,20}|[iI]s_?(?:[iI]nside|[wW]ithin|[sS]ub|[cC]hild)_?(?:[oO]f)?_?(?:[pP]ath|[dD]ir(?:ectory)?|[fF]older|[rR]oot)\w{0,20})$/;
const BOUNDED = /^(?:strpos|str_contains|ContainsAny)$/;
/** Members that say on which host an address lies, or whether on any. */
const HOST =
  /^(?:netloc|host(?:name)?|Host(?:name)?|getHost|origin|authority|Authority|IsAbs|isAbsolute|IsAbsoluteUri)$/;
const ENDING = /^(?:endsWith|endswith|end_with\?|EndsWith|HasSuffix)$/;
const TESTING = [LISTED, SHAPED, ROOTED, BOUNDED, ENDING, /^indexOf$/];

/** Whether a call of this name tests a value. */
export function isTesting(name: string): boolean {
  return TESTING.some((each) => each.test(name));
}

/** Whether a value that passed a test is harmless for a target. */
export type HarmlessFor = (target: Target | undefined) => boolean;

/** A part of a condition, and the targets that it makes the tested values harmless for. */
export interface Tested {
  operand: Range;
  serves: HarmlessFor;
}

/**
 * Returns what a condition tests. Where each of its operands must hold for the code behind the test, each is a test of
 * its own names: `mode == "edit" && size > 0` says nothing about `size`.
 */
export function testsIn(
  fragment: Fragment,
  reaching: ReachingDefinitions,
  branch: Pick<Branch, "negated">,
  condition: Range,
  leaves: boolean,
): Tested[] {
  const operands = operandsOf(fragment, condition, leaves !== (branch.negated ?? false));
  const tests = operands.flatMap((operand) => {
    const serves = targetsTested(fragment, reaching, branch, operand, leaves);
    return serves ? [{ operand, serves }] : [];
  });
  const isSplit = operands.length > 1;
  // A beginning is both required and forbidden by several operands.
  if (isSplit && staysOnSite(fragment, condition, leaves))
    tests.push({ operand: condition, serves: (target) => target === "address" });
  return tests;
}

/** Returns the operands of `a && b` that is passed, or of `a || b` that is not (`fails`). Otherwise, the whole condition. */
function operandsOf(fragment: Fragment, { from, to }: Range, fails: boolean): Range[] {
  const operands: Range[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    const { kind, partner = -1, text } = fragment.tokens[index] as Token;
    if (kind === "open" && partner > index) index = Math.min(partner, to);
    else if (kind === "string" || !/^(?:&&|\|\||and|or)$/.test(text)) continue;
    else if (/^(?:or|\|\|)$/.test(text) !== fails) return [{ from, to }];
    else {
      operands.push({ from: start, to: index });
      start = index + 1;
    }
  }
  return [...operands, { from: start, to }];
}

/** Returns the targets that a condition makes the tested values harmless for, or undefined if there are none. */
function targetsTested(
  fragment: Fragment,
  reaching: ReachingDefinitions,
  branch: Pick<Branch, "negated">,
  { from, to }: Range,
  leaves: boolean,
): HarmlessFor | undefined {
  // A value found in an allow list continues: into the branch of a positive test, or past that of a negated one.
  const admits = isNegated(fragment, branch, { from, to }) === leaves;
  const characters: string[] = [];
  let [listed, shapeless, rooted, bounded, ending, texts, hosted] = Array<boolean>(7).fill(false);
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    const text = calledAt(fragment, index);
    if (token?.kind === "string") characters.push(text);
    else if (token?.kind === "regex" || SHAPED.test(text)) listed ||= !admitsAnything(fragment, { from, to });
    else if (isCleaningByArgument(fragment, text, index + 1)) listed = true;
    else if (EACH.test(text))
      listed ||= fragment.texts({ from: index, to }).some((word) => CHARACTER.test(word));
    else if (text === "isNaN" || text === "GetInvalidFileNameChars") shapeless = true;
    else if (LISTED.test(text) || text === "indexOf") {
      if (looksForText(fragment, index)) bounded = true;
      else listed = true;
    } else if (ROOTED.test(text)) {
      if (looksForText(fragment, index)) bounded = true;
      else rooted = true;
    } else if (BOUNDED.test(text)) bounded = true;
    else if (ENDING.test(text)) ending = true;
    else if (HOST.test(text) && MEMBER.has(fragment.text(index - 1))) hosted = true;
    else if (/^(?:===?|!==?)$/.test(text) && comparesText(fragment, index)) {
      if (asksForText(fragment, index)) texts = true;
      else listed = true;
    }
  }
  if (admits ? listed : shapeless) return () => true;
  if (isLookUp(fragment, reaching, { from, to }) && admits) return () => true;
  const found = new Set<Target>();
  if (hosted) found.add("address");
  if (texts && admits) found.add("document");
  if (bounded && admits) for (const target of rootedAs(fragment, reaching, { from, to })) found.add(target);
  if (rooted && admits) for (const target of ["path", "address"] as const) found.add(target);
  if (staysOnSite(fragment, { from, to }, leaves)) found.add("address");
  // A name without a slash can still be “..”. So only a search for “..” counts if a value that lacks the text enters.
  const isForbidden = leaves && !wants(fragment, { from, to });
  const parents = characters.filter((text) => text.startsWith(".."));
  const forbidden = isForbidden ? characters : leaves || admits ? [] : parents;
  // A value that does not end with a slash may contain one, so an ending counts only if it is “..”.
  const ruledOut = bounded ? forbidden : ending ? parents.filter((text) => forbidden.includes(text)) : [];
  for (const text of ruledOut) for (const target of targetsNeeding(text)) found.add(target);
  return found.size > 0 ? (target) => target !== undefined && found.has(target) : undefined;
}

const ANYTHING = /^[/#~%]?\^?\(?\.[*+]\)?\$?(?:[/#~%]\w{0,6})?$/;

/** Whether an expression matches everything and so tests nothing: `preg_match("/^.*$/", $name)`. */
function admitsAnything(fragment: Fragment, { from, to }: Range): boolean {
  for (let at = from; at < to; at++) {
    const { kind, text } = fragment.tokens[at] as { kind: string; text: string };
    const pattern = kind === "word" ? literalIn(fragment, { from: at, to: at + 1 })?.text : text;
    if (pattern !== undefined && kind !== "mark" && ANYTHING.test(pattern)) return true;
  }
  return false;
}

/** Whether a condition is a negated test alone, `!name.startsWith("/")`: the text is required, not forbidden. */
function wants(fragment: Fragment, { from, to }: Range): boolean {
  if (!/^(?:!|not)$/.test(fragment.text(from))) return false;
  return !fragment.tokens
    .slice(from, to)
    .some(({ text }) => /^(?:and|or|&&|\|\||[!=]==?|[<>]=?)$/.test(text));
}

/** Returns the name of a call, including Ruby's question mark. */
function calledAt(fragment: Fragment, index: number): string {
  const isAsked =
    fragment.language === "ruby" && fragment.text(index + 1) === "?" && fragment.text(index + 2) === "(";
  return isAsked ? `${fragment.text(index)}?` : fragment.text(index);
}

/** Whether a test searches for a literal: `name.includes("..")`, `".." in name`, `strings.Contains(name, "..")`. */
function looksForText(fragment: Fragment, index: number): boolean {
  const { tokens } = fragment;
  const left = tokens[index - 1]?.text === "not" ? index - 2 : index - 1;
  if (fragment.isString(left)) return true;
  // Brackets behind `in` are a list: `name in ("a", "b")`.
  if (tokens[index]?.text === "in") return false;
  const open = fragment.text(index + 1) === "?" ? index + 2 : index + 1;
  if (tokens[open]?.text !== "(") return false;
  const args = splitAtCommas(fragment, { from: open + 1, to: tokens[open].partner });
  return args.some(({ from, to }) => to === from + 1 && fragment.isString(from));
}

/** Maximum tokens of what a key is looked up in. */
const MAX_LIST = 6;

/** Whether a condition looks a key up: `ALLOWED[name]`, `isset($allowed[$name])`, `ok := allowed[name]; !ok` of Go. */
function isLookUp(fragment: Fragment, reaching: ReachingDefinitions, condition: Range): boolean {
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
  let list = from;
  // `self::ALLOWED[$name]`, `this.allowed[name]`
  while (MEMBER.has(fragment.text(list + 1)) && fragment.isWord(list + 2) && list < from + MAX_LIST)
    list += 2;
  const open = fragment.tokens[list + 1];
  return fragment.isWord(from) && open?.text === "[" && open.partner === to - 1;
}

function isNegated(
  fragment: Fragment,
  { negated = false }: Pick<Branch, "negated">,
  condition: Range,
): boolean {
  const { from, to } = operandOfTest(fragment, condition);
  for (let index = from; index < to; index++) {
    // `!!allowed.has(name)` only converts to a boolean.
    if (fragment.text(index) === "!" && fragment.text(index + 1) === "!") index += 2;
    const place = `${fragment.text(index)} ${fragment.text(index + 1)}${fragment.text(index + 2)}`;
    if (/^(?:(?:!==?|>) -1$|!==? (?:false|null)\b)/i.test(place)) return negated;
    if (/^(?:(?:not|!|!==?|false|False) |===? -1$|< 0)/.test(place)) return !negated;
  }
  return negated;
}

/** Whether a comparison is with a text of at least two characters. */
function comparesText(fragment: Fragment, index: number): boolean {
  return [index - 1, index + 1].some((at) => fragment.isString(at) && fragment.text(at).length > 1);
}

/** Whether a comparison asks whether a value is a text at all: `typeof name === "string"`. */
function asksForText(fragment: Fragment, index: number): boolean {
  return (
    fragment.language === "javascript" &&
    [index - 1, index + 1].some((at) => fragment.isString(at) && fragment.text(at) === "string") &&
    fragment.text(pathBefore(fragment, index - 1).start - 1) === "typeof"
  );
}

/** Whether a range consists of literals and what separates them: `"a", "b"`, `'a': case 'b'`. */
export function isOfTexts(fragment: Fragment, { from, to }: Range): boolean {
  const tokens = fragment.tokens.slice(from, to);
  return tokens.every(
    ({ kind, text }) => kind === "string" || kind === "number" || /^(?:[,|:]|case)$/.test(text),
  );
}

/** Returns the operand of `!isEmpty(name) && ALLOWED.has(name)` that tests the value. */
function operandOfTest(fragment: Fragment, { from, to }: Range): Range {
  // A negation before brackets around the rest applies to all of it.
  if (fragment.tokens[from + 1]?.partner === to - 1) return { from, to };
  let [start, tested] = [from, false];
  for (let index = from; index < to; index++) {
    const text = calledAt(fragment, index);
    if (/^(?:&&|\|\||and|or)$/.test(text)) {
      if (tested) return { from: start, to: index };
      start = index + 1;
    } else if (isTesting(text) || /^[!=]==?$/.test(text)) tested = true;
  }
  return tested ? { from: start, to } : { from, to };
}
