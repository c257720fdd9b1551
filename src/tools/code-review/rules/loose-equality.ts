import type { Rule, Sighting } from "../finding.ts";
import { declaredTypeOf } from "../flow/receivers.ts";
import type { Language } from "../language/language.ts";
import { pathBefore } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isKeyword, MEMBER } from "../syntax/keywords.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { seenAt } from "./sightings/sightings.ts";

export const looseEquality: Rule = {
  id: "loose-equality",
  category: "correctness",
  severity: "info",
  cwe: 597,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "c", "cpp", "csharp", "rust"],
  message: "The comparison converts its operands first, or compares their addresses instead of their values.",
  suggestion: "Compare with === (or equals, strcmp, ==, hash_equals), which looks at type and value.",
  *check(fragment) {
    const { tokens } = fragment;
    for (let index = 0; index < tokens.length; index++) {
      const text = fragment.text(index);
      const fault = notANumber(fragment, index, text) ?? faultOf(fragment, index, text);
      if (fault) yield seenAt(fragment, [index], fault);
    }
  },
};

const COMPARING = /^[!=]==?$/;
const NAN = /^(?:NaN|nan|NAN)$/;
/** What the word belongs to, where it does not stand for itself: `Number.NaN`, `math.nan`, `Float::NAN`. */
const NAN_OWNER = /^(?:Number|math|np|numpy|torch|[dD]ouble|[fF]loat|Single|f(?:32|64))$/;
const BARE_NAN: Partial<Record<Language, RegExp>> = {
  javascript: /^NaN$/,
  php: /^NAN$/,
  c: /^NAN$/,
  cpp: /^NAN$/,
};

/** `rate === NaN`, `x == math.nan`, `x == float("nan")`: no number equals it, not even itself. */
function notANumber(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  if (!COMPARING.test(text) || fragment.tokens[index]?.kind !== "mark") return undefined;
  const close = fragment.tokens[index - 1];
  const before = close?.kind === "close" ? close.partner - 1 : index - 1;
  const behind = MEMBER.has(fragment.text(index + 2)) ? index + 3 : index + 1;
  if (!isNotANumber(fragment, before) && !isNotANumber(fragment, behind)) return undefined;
  return {
    message: `Nothing equals NaN, so this is always ${text.startsWith("!") ? "true" : "false"}.`,
    suggestion: "Ask with the function for it: isNaN(), math.isnan(), Double.isNaN(), is_nan().",
    severity: "warning",
    cwe: 1077,
  };
}

function isNotANumber(fragment: Fragment, at: number): boolean {
  const { language } = fragment;
  const isCall = fragment.text(at + 1) === "(";
  if (language === "python" && fragment.text(at) === "float" && isCall)
    return fragment.isString(at + 2) && NAN.test(fragment.text(at + 2));
  if (!fragment.isWord(at) || !NAN.test(fragment.text(at)) || MEMBER.has(fragment.text(at + 1))) return false;
  if (MEMBER.has(fragment.text(at - 1)))
    return NAN_OWNER.test(fragment.text(at - 2)) && isCall === (language === "go");
  return !isCall && (BARE_NAN[language]?.test(fragment.text(at)) ?? false);
}

function faultOf(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  if (text !== "==" && text !== "!=" && text !== "is") return undefined;
  const [kind, left, right] = [
    fragment.tokens[index]?.kind,
    fragment.tokens[index - 1],
    fragment.tokens[index + 1],
  ];
  // The string "==" is no operator.
  if (!left || !right || kind !== (text === "is" ? "word" : "mark")) return undefined;
  switch (fragment.language) {
    case "javascript":
      return text === "is" ? undefined : javascript(fragment, index, text);
    case "php":
      return text === "is" ? undefined : php(fragment, index, text);
    case "python":
      return text === "is" ? identity(fragment, index) : undefined;
    case "java":
      return text === "is" ? undefined : (addresses(fragment, index, text) ?? objects(fragment, index, text));
    case "c":
    case "cpp":
      return text === "is" ? undefined : addresses(fragment, index, text);
    default:
      return undefined;
  }
}

/** `x == null` is a common test for both null and undefined, and `typeof` always gives a string. */
function javascript(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  const operands = [fragment.text(index - 1), fragment.text(index + 1)];
  if (operands.some((operand) => operand === "null" || operand === "undefined")) return undefined;
  const beforeLeft = pathBefore(fragment, index - 1).start - 1;
  if ([beforeLeft, index + 1].some((at) => fragment.text(at) === "typeof")) return undefined;
  return { message: `${text} converts its operands before it compares them: "0" == 0, "" == 0.` };
}

/** Names of digests and secrets; `$key` alone is that of a list, and `\w*key` of a secret has a word before it. */
const DIGEST =
  /\b(?:md5|sha1|hash|crypt|hash_hmac|strcmp|token|password|passwd|secret|signature|hmac|csrf|nonce|api ?key|otp)\b/i;
const NAMED = /\$\w{0,30}(?:token|password|hash|secret|signature|[a-z0-9_]key)\b/i;
/** Beside these, "0e1" is no number: null, a switch, a text that is no number, a constant of a class. */
const NO_DIGEST = /^(?:null|true|false|''|""|-?\d.*)$/i;

/** Finds comparisons of secrets that look like numbers: `"0e1" == "0e2"` is true in PHP. */
function php(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  const around = fragment.texts({ from: Math.max(0, index - 8), to: index + 8 }).join(" ");
  const secret = DIGEST.test(around.replaceAll("_", " ").replaceAll("$", "")) || NAMED.test(around);
  if (!secret || isNoDigest(fragment, index - 1) || isNoDigest(fragment, index + 1)) return undefined;
  return {
    message: `${text} takes "0e1" and "0e2" for the same number; compare with hash_equals() or ===.`,
    severity: "warning",
  };
}

function isNoDigest(fragment: Fragment, at: number): boolean {
  const text = fragment.text(at);
  // `strcmp($a, $b) == false` holds where one of them is a list.
  if (/^false$/i.test(text)) return fragment.callAround(at - 3)?.name !== "strcmp";
  // PHP compares two texts as numbers only if both are.
  if (fragment.isString(at)) return !/^\d{1,4}e\d{1,80}$/i.test(text);
  if (NO_DIGEST.test(text)) return true;
  const isMember = (from: number) => MEMBER.has(fragment.text(from - 1));
  const end = fragment.isWord(at) && fragment.text(at + 1) === "::" ? at + 2 : at;
  return isMember(end) && /^(?:[A-Z][A-Z0-9_]{2,60}|id)$/.test(fragment.text(end));
}

/** `x is "text"`, `x is 5`. */
function identity(fragment: Fragment, index: number): Omit<Sighting, "places"> | undefined {
  const at = fragment.text(index + 1) === "not" ? index + 2 : index + 1;
  const [left, right] = [fragment.tokens[index - 1], fragment.tokens[at]];
  const literal =
    right?.kind === "string" ||
    right?.kind === "number" ||
    left?.kind === "string" ||
    left?.kind === "number";
  if (!literal) return undefined;
  return {
    message: '"is" asks whether both are the same object, not whether they are equal.',
    severity: "warning",
  };
}

/** `s == "text"` compares addresses in C and Java. */
function addresses(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  const { language } = fragment;
  const sides = [fragment.tokens[index - 1], fragment.tokens[index + 1]];
  const literal = sides.find(
    (token) => token?.kind === "string" && fragment.lines[token.line]?.text[token.column - 1] === '"',
  );
  if (!literal) return undefined;
  if (/\.(?:kt|kts|scala|groovy|gradle)$/.test(fragment.path)) return undefined;
  // std::string compares by value, so only names that are declared as pointers here count.
  if (language === "cpp" && !isPointer(fragment, index)) return undefined;
  if (language === "c" && /^\s{0,20}#/.test(fragment.lines[literal.line]?.text ?? "")) return undefined;
  return { message: `${text} compares the addresses of strings, not their texts.`, severity: "warning" };
}

/** Types whose values Java keeps behind addresses, although they are thought of as values. */
const BOXED = /^(?:String|Integer|Long|Short|Byte|Character|Float|Double)$/;
/** Maximum tokens on either side of a comparison that are searched for one by value. */
const MAX_BESIDE = 20;

/** `a == b` of two names that are declared as `String` or `Integer` compares addresses. */
function objects(fragment: Fragment, index: number, text: string): Omit<Sighting, "places"> | undefined {
  if (
    !fragment.path.endsWith(".java") ||
    !isWholeName(fragment, index - 1) ||
    !isWholeName(fragment, index + 1)
  )
    return undefined;
  const [left, right] = [index - 1, index + 1].map((at) =>
    declaredTypeOf(fragment, fragment.text(at), index),
  );
  if (left === undefined || left !== right || !BOXED.test(left)) return undefined;
  // `a == b || a.equals(b)` saves a comparison by value.
  const beside = fragment.texts({ from: Math.max(0, index - MAX_BESIDE), to: index + MAX_BESIDE });
  if (beside.some((word) => /^equals(?:IgnoreCase)?$/.test(word))) return undefined;
  return {
    message: `${text} compares the addresses of two ${left} objects, not their values.`,
    severity: "warning",
  };
}

/** Whether an operand is a name alone: no member of another, no call, no part of an expression. */
function isWholeName(fragment: Fragment, at: number): boolean {
  if (!fragment.isWord(at) || isKeyword("java", fragment.text(at))) return false;
  return (
    /^(?:\(|&&|\|\||return|=|,|!=|==)$/.test(fragment.text(at - 1)) &&
    /^(?:\)|&&|\|\||;|\?|,|:|!=|==)$/.test(fragment.text(at + 1))
  );
}

function isPointer(fragment: Fragment, index: number): boolean {
  const name = fragment.isWord(index - 1) ? fragment.text(index - 1) : fragment.text(index + 1);
  return (pointersOf(fragment).get(name) ?? index) < index;
}

/** Names that are declared as `char *`, with the index of their first declaration. */
const pointersOf = oncePerFragment((fragment: Fragment) => {
  const pointers = new Map<string, number>();
  for (const at of fragment.words.get("char") ?? []) {
    const name = fragment.text(at + 2);
    if (fragment.text(at + 1) === "*" && !pointers.has(name)) pointers.set(name, at + 2);
  }
  return pointers;
});
