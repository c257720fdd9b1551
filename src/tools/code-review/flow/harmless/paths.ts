import type { Language } from "../../language/language.ts";
import type { Fragment } from "../../syntax/fragment.ts";

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
