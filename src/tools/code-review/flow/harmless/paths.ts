import type { Language } from "../../language/language.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";

/** Members that are part of the last component of a path, such as `Path(name).suffix`; `name` is so of paths alone. */
const PART_OF_NAME: Partial<Record<Language, RegExp>> = {
  python: /(?:^|\.)(?:suffix|stem)$|(?:^|\.)(?:Pure)?(?:Posix|Windows)?Path\(\)\.name$/,
  // `new File(path).getName()`, `File(path).name` of Kotlin
  java: /(?:^|\.)File\(\)\.(?:getName|name|nameWithoutExtension|extension)$/,
};

/** Whether a chain names the last component of a file's path, or a part of it. */
export function isPartOfName({ language }: Fragment, path: string): boolean {
  return PART_OF_NAME[language]?.test(path) ?? false;
}

/** `splitext(name)[1]` of Python: an extension contains no separator. */
export function givesPartOfName(fragment: Fragment, name: string, open: number): boolean {
  const { partner } = fragment.tokens[open] as { partner: number };
  if (name !== "splitext") return false;
  return /^-?1$/.test(fragment.texts({ from: Math.max(open + 1, partner - 2), to: partner }).join(""));
}

/** `filepath.Clean("/" + name)` of Go: the result cannot climb above the root. */
export function isRooted(fragment: Fragment, name: string, at: number): boolean {
  const joins = name === "Clean" ? "+" : name === "Join" ? "," : undefined;
  if (fragment.language !== "go" || joins === undefined) return false;
  return fragment.isString(at) && fragment.text(at) === "/" && fragment.text(at + 1) === joins;
}

/** An expression that matches each “..” a path begins with: `/^(\.\.(\/|\\|$))+/`. */
const PARENTS = /^\/\^\((?:\?:)?\\\.\\\..{0,60}\)[+*]\/\w{0,6}$/;

/**
 * Whether an argument of a join stays below what stands before it: `path.normalize("/" + name)`, a resolved path whose “..”
 * are stripped, or a name that is given such a value. Alone, either names any file.
 */
export function staysBelow(fragment: Fragment, join: string, { from, to }: Range): boolean {
  if (fragment.language !== "javascript" || join !== "join") return false;
  const given =
    to === from + 1 && fragment.isWord(from)
      ? fragment.names.definition(fragment.text(from), from)
      : undefined;
  return isBelowRoot(fragment, given?.kind === "assign" ? given.value : { from, to });
}

function isBelowRoot(fragment: Fragment, { from, to }: Range): boolean {
  let at = from;
  while (MEMBER.has(fragment.text(at + 1)) && fragment.isWord(at + 2)) at += 2;
  const open = fragment.tokens[at + 1];
  if (fragment.text(at) !== "normalize" || open?.text !== "(" || open.partner < 0) return false;
  const end = open.partner + 1;
  if (end === to)
    return fragment.isString(at + 2) && fragment.text(at + 2) === "/" && fragment.text(at + 3) === "+";
  const { kind, text = "" } = fragment.tokens[end + 3] ?? {};
  return fragment.text(end + 1) === "replace" && kind === "regex" && PARENTS.test(text);
}
