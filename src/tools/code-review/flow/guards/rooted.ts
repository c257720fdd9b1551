import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";
import type { ReachingDefinitions } from "../reaching-definitions.ts";
import type { Target } from "../target.ts";

/** Calls that resolve “..” in a path, so that it stays below its beginning. */
const RESOLVING =
  /^(?:resolve|realpath|realpathSync|normalize|normpath|abspath|GetFullPath|getCanonicalPath|getCanonicalFile|toRealPath|expand_path|canonicalize|canonical|Clean|Join|Abs|EvalSymlinks|cleanpath)$/;
/** Tests of how a text begins. Those of `FOUND_AT` count if compared with 0. */
const BEGINNING = /^(?:startsWith|startswith|start_with|starts_with|str_starts_with|StartsWith|HasPrefix)$/;
const FOUND_AT = /^(?:indexOf|strpos|IndexOf|index|find)$/;
/** A folder with a trailing separator: without it, `/data` is a prefix of `/database` too. */
const FOLDER = /\w[\\/]$/;
const HOST = /^https?:\/\/[\w.:-]{1,200}\//i;
/** Maximum tokens of a value that are searched for a resolving call. */
const MAX_TOKENS = 40;

/** Returns the targets for which a required prefix makes a value harmless: a folder, if it is resolved, or a host. */
export function rootedAs(fragment: Fragment, reaching: ReachingDefinitions, condition: Range): Target[] {
  const beginnings = beginningsIn(fragment, condition);
  const found: Target[] = [];
  if (beginnings.some((text) => HOST.test(text))) found.push("address");
  if (beginnings.some((text) => FOLDER.test(text)) && isResolved(fragment, reaching, condition))
    found.push("path");
  return found;
}

/**
 * Whether a condition keeps an address on this site: it must begin with a slash, and not with two. `leaves` says that
 * what fails the condition goes on.
 */
export function staysOnSite(fragment: Fragment, { from, to }: Range, leaves: boolean): boolean {
  const begins = new Set<string>();
  const isForbidden = new Set<string>();
  for (let index = from; index < to; index++) {
    const word = fragment.text(index);
    // With the other connective, one of the tests is enough.
    if (/^(?:and|&&)$/.test(word) ? leaves : /^(?:or|\|\|)$/.test(word) && !leaves) return false;
    if (/^(?:!|not)$/.test(word) && fragment.text(index + 1) === "(") return false;
    if (!BEGINNING.test(word)) continue;
    const { subject, text } = testedAt(fragment, index, from);
    const isWanted = isNegatedCall(fragment, index, from) === leaves;
    if (text === "/" && isWanted) begins.add(subject);
    if (text === "//" && !isWanted) isForbidden.add(subject);
  }
  return [...begins].some((subject) => isForbidden.has(subject));
}

/** Returns what a test of a beginning is about, as it is spelled, and the text that it tests for. */
function testedAt(
  fragment: Fragment,
  name: number,
  from: number,
): { subject: string; text: string | undefined } {
  const open = fragment.text(name + 1) === "?" ? name + 2 : name + 1;
  const close = fragment.tokens[open]?.partner ?? -1;
  let at = open + 1;
  while (at < close && !fragment.isString(at)) at++;
  const words = [
    ...fragment.texts({ from: chainStart(fragment, name, from), to: name }),
    ...fragment.texts({ from: open + 1, to: at }),
  ];
  return { subject: words.join(" "), text: at === close - 1 ? fragment.text(at) : undefined };
}

/** Whether a negation stands before the chain that ends with the name of a call. */
function isNegatedCall(fragment: Fragment, name: number, from: number): boolean {
  const at = chainStart(fragment, name, from);
  return at > from && /^(?:!|not)$/.test(fragment.text(at - 1));
}

/** Returns where the chain begins that ends with the name of a call. */
function chainStart(fragment: Fragment, name: number, from: number): number {
  let at = name;
  while (at - 2 >= from && MEMBER.has(fragment.text(at - 1)) && fragment.isWord(at - 2)) at -= 2;
  return at;
}

/** Returns the prefixes that a condition requires. One that is joined to another text gets a final separator. */
function beginningsIn(fragment: Fragment, { from, to }: Range): string[] {
  const { tokens } = fragment;
  const comparesWithZero = tokens.slice(from, to).some(({ text }) => text === "0");
  const found: string[] = [];
  for (let index = from; index < to; index++) {
    const name = fragment.text(index);
    if (!BEGINNING.test(name) && !(comparesWithZero && FOUND_AT.test(name))) continue;
    const open = fragment.text(index + 1) === "?" ? index + 2 : index + 1;
    const close = tokens[open]?.partner ?? -1;
    for (let at = open + 1; at < close; at++) {
      const isJoined = /^[+.]$/.test(fragment.text(at + 1));
      if (tokens[at]?.kind === "string") found.push(isJoined ? `${fragment.text(at)}/` : fragment.text(at));
    }
  }
  return found;
}

/** Whether a condition resolves the path, or a name in it holds a resolved one. */
function isResolved(fragment: Fragment, reaching: ReachingDefinitions, condition: Range): boolean {
  if (resolvesIn(fragment, condition)) return true;
  for (let index = condition.from; index < condition.to; index++) {
    if (!fragment.isWord(index)) continue;
    const definitions = reaching.definitions(fragment.text(index), index);
    if (definitions.length > 0 && definitions.every(({ value }) => resolvesIn(fragment, value))) return true;
  }
  return false;
}

/** Whether a condition tests how a text begins. */
export function testsBeginning(fragment: Fragment, range: Range): boolean {
  return fragment.texts(range).some((text) => BEGINNING.test(text));
}

/** Whether a value is made by a call that resolves a path. */
export function resolvesIn(fragment: Fragment, { from, to }: Range): boolean {
  for (let index = from; index < Math.min(to, from + MAX_TOKENS); index++)
    if (RESOLVING.test(fragment.text(index)) && fragment.text(index + 1) === "(") return true;
  return false;
}
