import type { Sighting } from "../finding.ts";
import { chainFrom } from "../flow/chain.ts";
import { ownFunctionsOf } from "../flow/functions/own-functions.ts";
import { reachingOf } from "../flow/reaching.ts";
import { receiverPath } from "../flow/receivers.ts";
import type { Language } from "../language/language.ts";
import { seenAt, seenCall } from "../rules/sightings/sightings.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { LITERALS, MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";

/** Calls that give a keyed hash (MAC), with the calls and slices behind them that only write it otherwise. */
const MAC =
  /(?:\bcreateHmac\(\)(?:\.\w{1,20}\(\)){0,8}\.digest\(\)|\bhmac\.(?:new\(\)(?:\.\w{1,20}\(\)){0,4}\.(?:hex)?digest|digest|New\(\)\.Sum)\(\)|^Mac(?:\.getInstance\(\))?\.doFinal\(\)|^HmacUtils(?:\(\))?\.hmac(?:Hex|Sha\d{1,3}(?:Hex)?)?\(\)|^HMAC(?:MD5|SHA(?:1|256|384|512|3_\d{3}))(?:\(\)\.ComputeHash|\.HashData)\(\)|^OpenSSL\.HMAC\.(?:hex|base64)?digest\(\)|^hash_hmac\(\)|\bHmac\w{0,12}\.new_from_slice\(\)[\w.()]{0,20}\.finalize\(\))(?:\.\w{1,20}\(\)|\[\]){0,4}$/;
/** Calls that write bytes in another form. */
const ENCODING =
  /^(?:EncodeToString|hexlify|(?:url_?safe_?|strict_?)?b?(?:64|ase64)_?encode(?:64)?|encode(?:Hex(?:String)?|ToString|_hex)?|To(?:Hex|Base64)String\w{0,8}|formatHex|from|str|string|String|bin2hex|Buffer|concat|format|Sprintf|sprintf|GetString)$/;
/** Calls that compare two values and stop at the first difference. */
const EQUAL: Partial<Record<Language, RegExp>> = {
  go: /^(?:bytes|slices)\.Equal$|^reflect\.DeepEqual$|^strings\.EqualFold$/,
  java: /^Arrays\.equals$|\.equals(?:IgnoreCase)?$/,
  csharp: /\.SequenceEqual$|\.Equals$/,
  javascript: /\.equals$|^Buffer\.compare$|^(?:isEqual|_\.isEqual)$/,
  php: /^str(?:case)?cmp$/,
};
const CONSTANT_TIME: Partial<Record<Language, string>> = {
  javascript: "crypto.timingSafeEqual()",
  python: "hmac.compare_digest()",
  go: "hmac.Equal()",
  java: "MessageDigest.isEqual()",
  csharp: "CryptographicOperations.FixedTimeEquals()",
  ruby: "OpenSSL.secure_compare()",
  php: "hash_equals()",
  rust: "verify_slice()",
};
const OPERATOR = /^[!=]==?$/;
const [MAX_OPERAND, MAX_FOLLOWED] = [60, 3];
/** What was found out about definitions and functions, by how many led to them: many comparisons may lead to the same. */
const known = Array.from({ length: MAX_FOLLOWED }, () => new WeakMap<object, boolean>());
/** What ends an operand of a comparison. */
const BOUND =
  /^(?:[,;?:{}“”]|=|:=|=>|->|&&|\|\||and|or|not|!|return|if|unless|elsif|elif|while|when|then|assert|raise|throw)$/;

/** Finds MACs that are compared in a time that tells how many of their first bytes are right. */
export function* comparedMacs(fragment: Fragment): Iterable<Sighting> {
  const means = CONSTANT_TIME[fragment.language];
  if (!means || fragment.wordsLike(/hmac|^Mac$/i).length === 0) return;
  const more = {
    message: "A signature is compared byte by byte, and the time it takes tells how many are right.",
    suggestion: `Compare in constant time, with ${means}.`,
    severity: "warning",
    cwe: 208,
  } as const;
  for (const [index, { kind, text }] of fragment.tokens.entries()) {
    if (kind !== "mark" || !OPERATOR.test(text)) continue;
    const sides = [leftOf(fragment, index), rightOf(fragment, index)];
    if (isComparison(fragment, sides)) yield seenAt(fragment, [index], more);
  }
  for (const call of fragment.calls) {
    if (EQUAL[fragment.language]?.test(call.path) && isComparison(fragment, comparedBy(call)))
      yield seenCall(fragment, call, more);
  }
}

function comparedBy({ start, at, args }: Call): Range[] {
  const [first, second] = args;
  if (!first) return [];
  return second ? [first, second] : [{ from: start, to: at - 1 }, first];
}

function isComparison(fragment: Fragment, sides: readonly Range[]): boolean {
  const isFixed = ({ from, to }: Range) =>
    to - from === 1 && (!fragment.isWord(from) || LITERALS.has(fragment.text(from)));
  return (
    sides.every(({ from, to }) => from < to) &&
    !sides.some(isFixed) &&
    sides.some((side) => isMac(fragment, side))
  );
}

function leftOf(fragment: Fragment, operator: number): Range {
  let from = operator;
  while (from - 1 >= 0 && operator - from < MAX_OPERAND) {
    const before = fragment.tokens[from - 1];
    if (before?.kind === "close" && before.partner >= 0) from = before.partner;
    else if (before?.kind === "open" || (before?.kind !== "string" && BOUND.test(before?.text ?? ";"))) break;
    else from--;
  }
  return { from, to: operator };
}

function rightOf(fragment: Fragment, operator: number): Range {
  let to = operator + 1;
  while (to - operator < MAX_OPERAND) {
    const token = fragment.tokens[to];
    const isApart = token?.line !== fragment.lineOf(to - 1) && !MEMBER.has(token?.text ?? "");
    if (token?.kind === "open" && token.partner > to && !(token.text === "{" && to > operator + 1))
      to = token.partner + 1;
    else if (!token || token.kind === "close" || token.kind === "open") break;
    else if ((token.kind !== "string" && BOUND.test(token.text)) || (isApart && to > operator + 1)) break;
    else to++;
  }
  return { from: operator + 1, to };
}

/** Whether an expression is a MAC, perhaps in another form or with a text before it: `"sha256=" + mac.hexdigest()`. */
function isMac(fragment: Fragment, { from, to }: Range, depth = 0): boolean {
  for (let index = from; index < to; index++) {
    const token = fragment.tokens[index];
    if (token?.kind !== "word" || MEMBER.has(fragment.text(index - 1))) continue;
    const { path, end, given } = chainFrom(fragment, index, to);
    if (MAC.test(receiverPath(fragment, path, index).replaceAll("&", ""))) return true;
    if (depth < MAX_FOLLOWED && isGivenMac(fragment, path, index, depth)) return true;
    const isWritten =
      /[)\]]$/.test(path) && (path.match(/\w{1,40}(?=\(\))/g) ?? []).some((name) => ENCODING.test(name));
    if (isWritten && given.some((range) => isMac(fragment, range, depth))) return true;
    index = end - 1;
  }
  return false;
}

/** Whether a name holds a MAC, or a function of this file returns one. */
function isGivenMac(fragment: Fragment, path: string, at: number, depth: number): boolean {
  if (/^[\w$]{1,80}$/.test(path)) {
    const definitions = reachingOf(fragment).definitions(path, at);
    return definitions.some(
      (each) => each.kind === "assign" && givesMac(fragment, each, [each.value], depth),
    );
  }
  const own = ownFunctionsOf(fragment);
  const scope = path.endsWith("()") ? own.calledBy(path, at) : undefined;
  return scope !== undefined && givesMac(fragment, scope, own.returns.get(scope) ?? [], depth);
}

/** Whether one of the values that a definition or a function gives is a MAC. Each is looked at once. */
function givesMac(fragment: Fragment, giver: object, values: readonly Range[], depth: number): boolean {
  const before = known[depth]?.get(giver);
  if (before !== undefined) return before;
  const isOne = values.some((value) => isMac(fragment, value, depth + 1));
  known[depth]?.set(giver, isOne);
  return isOne;
}
