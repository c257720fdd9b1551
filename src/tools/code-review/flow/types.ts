import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { EVERY_LANGUAGE } from "../taint/files.ts";
import { chainFrom } from "./chain.ts";
import { declarationOf } from "./declared/imported.ts";
import { HARMLESS_TYPES } from "./sanitizers.ts";

/** Languages that write the type before the name. */
const TYPE_FIRST = new Set(["java", "csharp", "c", "cpp", "php"]);
/** Languages that do not check declared types at run time. */
const UNCHECKED = new Set(["javascript", "python"]);

/** Maximum names that share a type. */
const MAX_TOGETHER = 20;

/** Whether a name is declared with a type that cannot hold text, such as a number: `int id`, `id: i64`, `id int`. */
export function isDeclaredHarmless(fragment: Fragment, at: number): boolean {
  if (TYPE_FIRST.has(fragment.language) && isTypeBefore(fragment, at)) return true;
  if (fragment.language === "rust" && isExtractedHarmless(fragment, at)) return true;
  if (fragment.language === "python")
    return fragment.text(at + 1) === ":" && isPythonType(fragment, at + 2, MAX_WRAPPED);
  if (fragment.language !== "go") return fragment.text(at + 1) === ":" && isTypeAt(fragment, at + 2);
  let type = at + 1;
  // `first, second int`
  const most = type + 2 * MAX_TOGETHER;
  while (type < most && fragment.text(type) === "," && fragment.isWord(type + 1)) type += 2;
  return isTypeAt(fragment, type);
}

/** Whether a language checks declared types at run time. */
export function areTypesChecked({ language }: Fragment): boolean {
  return !UNCHECKED.has(language);
}

function isTypeBefore(fragment: Fragment, at: number): boolean {
  // C# marks a nullable type with a question mark.
  const type = fragment.text(at - 1) === "?" ? at - 2 : at - 1;
  const name = fragment.text(type);
  const isHarmless = HARMLESS_TYPES.has(name) || (fragment.isWord(type) && isEnumeration(fragment, name));
  return isHarmless && fragment.text(type - 1) !== "|";
}

const EXTRACTORS = new Set(EVERY_LANGUAGE.requestTypes);
/** Maximum tokens of an extractor's type. */
const MAX_TYPE = 20;

/** Whether an extractor holds only harmless types: `Path(id): Path<i64>`, `Path((a, b)): Path<(i64, u32)>`. */
function isExtractedHarmless(fragment: Fragment, at: number): boolean {
  let open = at + 1;
  while (open < at + MAX_TYPE && /^(?:\)|,|:|::|\w{1,60})$/.test(fragment.text(open))) open++;
  if (fragment.text(open) !== "<" || !EXTRACTORS.has(fragment.text(open - 1))) return false;
  let words = 0;
  for (let index = open + 1; index < open + MAX_TYPE && !/^>/.test(fragment.text(index)); index++) {
    if (!fragment.isWord(index)) continue;
    words++;
    if (!isTypeAt(fragment, index)) return false;
  }
  return words > 0;
}

/** Whether a type is an enumeration, whose values are names in the program. */
export function isEnumeration(fragment: Fragment, type: string): boolean {
  // An enumeration of another file that is not at hand is recognised by its name.
  if (/(?:^|[a-z])Enum$/.test(type) || enumerationsOf(fragment).has(type)) return true;
  const { file, name } = declarationOf(fragment, type);
  return file !== fragment && enumerationsOf(file).has(name);
}

const enumerationsOf = oncePerFragment(
  (fragment: Fragment) =>
    new Set([
      ...fragment.wordsLike(/^enum(?:eration)?$/).map((at) => fragment.text(at + 1)),
      ...fragment.wordsLike(/^(?:Str|Int)?Enum$/).flatMap((at) => classBefore(fragment, at)),
    ]),
);

/** Maximum tokens of a class's head before a base. */
const MAX_BASES = 12;

/** Returns the name of the Python class that has a base here, `class Kind(str, Enum)`, if one has. */
function classBefore(fragment: Fragment, base: number): readonly string[] {
  let at = base;
  while (
    at > base - MAX_BASES &&
    fragment.text(at) !== "class" &&
    fragment.lineOf(at) === fragment.lineOf(base)
  )
    at--;
  return fragment.text(at) === "class" ? [fragment.text(at + 1)] : [];
}

/** Types of Python around others, and how many of them may be in each other. */
const [WRAPPING, MAX_WRAPPED] = [/^(?:Optional|Annotated|List|Set|list|set)$/, 4];
/** Further types of Python and Pydantic that hold no free text. */
const NO_TEXT =
  /^(?:date|datetime|time|timedelta|UUID[1-8]?|(?:Non)?(?:Positive|Negative)(?:Int|Float)|Strict(?:Int|Float|Bool)|con(?:int|float|decimal)|FiniteFloat|IPv[46]Address|None)$/;

/** Whether a type of Python holds no free text: `int`, `Kind | None`, `Annotated[int, Query()]`, `Literal["a", "b"]`. */
function isPythonType(fragment: Fragment, at: number, left: number): boolean {
  const [name, bracket] = [fragment.text(at), fragment.tokens[at + 1]];
  const close = bracket?.text === "[" || bracket?.text === "(" ? bracket.partner : at;
  if (left === 0 || close < at || fragment.text(close + 1) === ".") return false;
  const isHarmless =
    bracket?.text === "["
      ? name === "Literal" || (WRAPPING.test(name) && isPythonType(fragment, at + 2, left - 1))
      : HARMLESS_TYPES.has(name) ||
        NO_TEXT.test(name) ||
        (fragment.isWord(at) && isEnumeration(fragment, name));
  if (!isHarmless || fragment.text(close + 1) !== "|") return isHarmless;
  return isPythonType(fragment, close + 2, left - 1);
}

function isTypeAt(fragment: Fragment, at: number): boolean {
  return HARMLESS_TYPES.has(fragment.text(at)) && !/^[|<[.]$/.test(fragment.text(at + 1));
}

/** Returns the index behind the type of a list of Go, `[]string{"a"}`, `map[string]any{…}`: its members follow. */
function listTypeEnd({ tokens }: Fragment, open: number): number | undefined {
  const close = tokens[open]?.partner ?? -1;
  if (close < 0 || tokens[close + 1]?.kind !== "word") return undefined;
  const end = tokens[close + 2]?.text === "." ? close + 4 : close + 2;
  return tokens[end]?.text === "{" ? end : undefined;
}

/**
 * Returns the index behind the part of a cast that holds no text, if one begins here: the type, `(String) value`, and where it
 * is a number also the operand, `(int) a.b()`.
 */
export function castEnd(fragment: Fragment, open: number, to: number): number | undefined {
  const { tokens } = fragment;
  if (tokens[open]?.text === "[" && fragment.language === "go") return listTypeEnd(fragment, open);
  if (tokens[open]?.text !== "(") return undefined;
  const typeEnd = isTypeOfCast(fragment, open) ? tokens[open].partner + 1 : undefined;
  const before = tokens[open - 1];
  const isCast =
    TYPE_FIRST.has(fragment.language) &&
    tokens[open]?.partner === open + 2 &&
    HARMLESS_TYPES.has(fragment.text(open + 1)) &&
    (before?.kind === "mark" || before?.kind === "open" || before?.text === "return");
  if (!isCast) return typeEnd;
  const operand = tokens[open + 3];
  if (operand?.kind === "word") return chainFrom(fragment, open + 3, to).end;
  return operand?.text === "(" && operand.partner > 0 ? operand.partner + 1 : typeEnd;
}

/** Maximum tokens of the type in a cast. */
const MAX_CAST = 20;
const INFIX = /^(?:instanceof|as|is|in|to)$/;

/** Whether a bracket is the type of a cast, not a value: `(String) value`, `(Map<String, Object>) value`. */
function isTypeOfCast(fragment: Fragment, open: number): boolean {
  const { tokens, language } = fragment;
  const [before, close] = [tokens[open - 1], tokens[open]?.partner ?? -1];
  if (!TYPE_FIRST.has(language) || close < 0 || close > open + MAX_CAST) return false;
  if (before?.kind === "close" || (before?.kind === "word" && before.text !== "return")) return false;
  const cast = tokens[close + 1];
  const isOperand = cast?.kind === "string" || cast?.text === "(" || cast?.kind === "word";
  if (!isOperand || INFIX.test(cast.text) || !/^[A-Z]/.test(fragment.text(open + 1))) return false;
  return tokens.slice(open + 1, close).every(({ text }) => /^(?:[\w.<>,?]{1,60}|\[|\])$/.test(text));
}

/** Types whose values may be a text. */
const TEXTS = /^(?:String|CharSequence|StringBuilder|StringBuffer|Object|Any|[A-Z])$/;
/** Maximum tokens of a type's parameters. */
const MAX_PARAMETERS = 20;

/** Whether a Java name is declared with a type other than text: `CriteriaQuery<User> query`, `query: Query`. */
export function isDeclaredOtherThanText(fragment: Fragment, at: number): boolean {
  if (fragment.language !== "java") return false;
  let type = fragment.text(at + 1) === ":" ? at + 2 : at - 1;
  if (/^>+$/.test(fragment.text(type))) {
    const least = type - MAX_PARAMETERS;
    while (type > least && fragment.text(type) !== "<") type--;
    type--;
  }
  const name = fragment.text(type);
  return fragment.isWord(type) && /^[A-Z]/.test(name) && !TEXTS.test(name);
}
