import { isDeclared } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { isImport } from "../syntax/imports.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../syntax/range.ts";
import { weaknessOf } from "./weak-names.ts";
import { takesAlgorithm, weaknessOfSpec } from "./weak-specs.ts";

/** Whether a name is called, constructed, or a member or constant of a library, and not a variable or declaration. */
export function isUse(fragment: Fragment, index: number): boolean {
  const { tokens } = fragment;
  const [before, after] = [fragment.text(index - 1), fragment.text(index + 1)];
  const { text } = tokens[index] as { text: string };
  if (
    /^(?:function|defp?|func|fun|fn|sub|class|import|package|namespace|using|struct|enum|interface)$/.test(
      before,
    )
  )
    return false;
  if (after === ":" && (before === "{" || before === ",")) return false;
  if (
    isDeclaration(fragment, index) ||
    isImport(fragment, index) ||
    isColumn(fragment, index) ||
    isField(fragment, index)
  )
    return false;
  const constant = /^(?:k?[A-Z][A-Za-z0-9]{0,30}|[A-Z0-9]{2,20})(?:_[A-Za-z0-9]{1,20}){0,6}$/.test(text);
  if (before === "new" || before === "gcnew" || after === "!") return true;
  // A method of that name generates test data: `fake()->md5()`.
  if (fragment.language === "php" && after === "(" && before === "->") return false;
  if (after === "(") return !isDeclared(fragment, index);
  if (after === "=" || after === ":=" || after === "=>") return false;
  if (MEMBER.has(after)) {
    if (!MEMBER.has(before) && isMadeAbove(fragment, index)) return false;
    return isCallOf(fragment, index + 2) || (constant && after === "::");
  }
  if (MEMBER.has(before)) return constant || after === "::" || LIBRARIES.test(fragment.text(index - 2));
  if ((after === "<" || before === "<") && fragment.language === "rust") return true;
  if (before === ":" && fragment.language === "ruby") return true;
  // `CALG_MD5`, `BCRYPT_MD5_ALGORITHM`, `kCCAlgorithmDES`
  if (SWITCH.test(text) && fragment.language === "other") return false;
  return constant && (text.includes("_") || /^kCC/.test(text));
}

/** A name in a file that says how to build: `if USE_SHA1`, `AM_CONDITIONAL([HAVE_MD5], …)`. */
const SWITCH = /^(?:USE|HAVE|WITH|ENABLE|BUILD)_/;

/** The state of a hash, and a parameter with it: `SHA1_CTX`, `md5_ctx_t`. */
const STATE = /_(?:CTX|ctx|context|state)(?:_t)?$/;

/**
 * Whether a name of C only declares something: a state, which is put to use by a call, `SHA1_CTX sha; SHA1_Init(&sha);`, or
 * a part of the algorithm itself, which its other parts call.
 */
function isDeclaration(fragment: Fragment, index: number): boolean {
  if (fragment.language !== "c" && fragment.language !== "cpp") return false;
  const { text } = fragment.tokens[index] as { text: string };
  if (STATE.test(text)) return fragment.text(index + 1) !== "(";
  const within = fragment.names.functionAt(index)?.name;
  return within !== undefined && weaknessOf(within) !== undefined && ownNamesIn(fragment).has(text);
}

const CONTINUING = /_?(?:Update|Final|update|final)(?:_ret|_ex)?$/;

/** Whether a call goes on with a hash that is begun above it in its function, and reported there: `SHA1_Update(&sha, …)`. */
export function isContinued(fragment: Fragment, name: string, index: number): boolean {
  if (fragment.language !== "c" && fragment.language !== "cpp") return false;
  const stem = name.replace(CONTINUING, "");
  const from = fragment.names.functionAt(index)?.body.from;
  if (stem === name || from === undefined) return false;
  return BEGINNINGS.some((begin) => fragment.usesIn(stem + begin, { from, to: index }).length > 0);
}

const BEGINNINGS = ["_Init", "Init", "_init", "_Init_ex", "_starts", "_starts_ret"];

const ownNamesIn = oncePerFragment(
  (fragment: Fragment): ReadonlySet<string> =>
    new Set(fragment.names.functions.map(({ name }) => name ?? "")),
);

const NAMING = /(?:Constants?|Fields?|Columns?|Keys|Names?|Params?)$/;

/** `row.setMd5(sum)`, `put(Fields.MD5, sum)` of Java: the name under which a value is stored. */
function isColumn(fragment: Fragment, index: number): boolean {
  if (fragment.language !== "java" || !MEMBER.has(fragment.text(index - 1))) return false;
  if (fragment.text(index + 1) === "(") return /^(?:set|with)[A-Z]/.test(fragment.text(index));
  const isNamed = NAMING.test(fragment.text(index - 2));
  return isNamed && !takesAlgorithm(fragment.callAround(index)?.path ?? "");
}

/**
 * `token.Sha1` of Go, `{{.Sha1}}` of its templates: a field of a struct. Packages write their constants and functions in
 * capitals, `crypto.SHA1`.
 */
function isField(fragment: Fragment, index: number): boolean {
  const [before, dot] = [fragment.tokens[index - 2], fragment.tokens[index - 1]];
  const isTemplate = fragment.language === "other" && (dot?.end ?? 0) - 1 > (before?.end ?? 0);
  if (!(fragment.language === "go" || isTemplate) || !MEMBER.has(fragment.text(index - 1))) return false;
  return fragment.text(index + 1) !== "(" && /^[A-Z][a-z]+\d+$/.test(fragment.text(index));
}

/** Whether a variable holds an instance of a weak algorithm, which is reported where it is created. */
function isMadeAbove(fragment: Fragment, index: number): boolean {
  const made = fragment.names.definition(fragment.text(index), index)?.value;
  if (!made || made.to - made.from < 4 || /^(?:require|import)$/.test(fragment.text(made.from))) return false;
  return namesWeakness(fragment, made);
}

export function namesWeakness(fragment: Fragment, { from, to }: Range): boolean {
  return fragment.tokens
    .slice(from, to)
    .some(({ kind, text }) =>
      kind === "string" ? weaknessOfSpec(text) : kind === "word" && weaknessOf(text),
    );
}

/** Owners whose members are algorithms, in any letter case. */
const LIBRARIES =
  /^(?:hashlib|hashes|algorithms|modes|MessageDigest|Digest|crypto|CryptoJS|hash|detail|AESMode|mode)$/;
const USES =
  /^(?:new|New\w{0,16}|create\w{0,20}|start|Encryptor|Decryptor|convert|hash\w{0,10}|Create|compute|Compute|Sum\w{0,8}|sum|digest|hexdigest|base64digest|hash|Hash|HashData|hmac|encrypt|decrypt|init|update|getInstance|file|encode|hex|from|method|generate|__init__|MODE_\w{3}|doFinal)$/;

function isCallOf(fragment: Fragment, at: number): boolean {
  if (!USES.test(fragment.text(at))) return false;
  const [name, next] = [fragment.tokens[at], fragment.tokens[at + 1]];
  const isLast = next === undefined || next.line !== name?.line;
  return isLast || fragment.language === "ruby" || /^(?:\(|::|<|,|\))$/.test(next.text);
}
