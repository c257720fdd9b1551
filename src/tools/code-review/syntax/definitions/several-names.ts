import { isKeyword } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import type { Range } from "../range.ts";

/** Maximum tokens of a declaration before its equals sign. */
const MAX_DECLARED = 24;

interface Name {
  name: string;
  at: number;
}

/** `var a, b string = …` of Go, also within `var ( … )`: the names before the type. */
export function typedNames(fragment: LexedFragment, equals: number): Name[] {
  if (fragment.language !== "go") return [];
  let first = startOfLine(fragment, equals);
  const isLed = /^(?:var|const)$/.test(fragment.text(first));
  if (isLed) first++;
  const names: Name[] = [];
  for (let at = first; at < equals && isName(fragment, at); at += 2) {
    names.push({ name: fragment.text(at), at });
    if (fragment.text(at + 1) === ",") continue;
    const type = at + 1;
    const isTyped = type < equals && (isLed || isName(fragment, type));
    return isTyped && !/^(?:\.|:)$/.test(fragment.text(type)) ? names : [];
  }
  return [];
}

/** `list($a, $b) = …` and `["x" => $a] = …` of PHP, `(a, b) = …` of Python: the names in a bracket. */
export function bracketedNames(fragment: LexedFragment, open: number, close: number): Name[] {
  const { language } = fragment;
  const isList = language === "php" && fragment.text(open - 1) === "list";
  const isPattern = /^(?:php|python|javascript)$/.test(language) && beginsStatement(fragment, open);
  if (!isList && !isPattern) return [];
  return namesWithin(fragment, { from: open + 1, to: close });
}

/** Whether a bracket begins a statement, so that it does not index or call an expression before it. */
function beginsStatement(fragment: LexedFragment, open: number): boolean {
  const before = fragment.tokens[open - 1];
  return !before || /^[;{}]$/.test(before.text) || before.line !== fragment.lineOf(open);
}

function namesWithin(fragment: LexedFragment, { from, to }: Range): Name[] {
  const found: Name[] = [];
  for (let at = from; at < to; at++) {
    if (isName(fragment, at) && (fragment.language !== "php" || fragment.text(at).startsWith("$")))
      found.push({ name: fragment.text(at), at });
  }
  return found;
}

function isName(fragment: LexedFragment, at: number): boolean {
  return fragment.isWord(at) && !isKeyword(fragment.language, fragment.text(at));
}

function startOfLine(fragment: LexedFragment, at: number): number {
  let first = at;
  while (at - first < MAX_DECLARED && fragment.lineOf(first - 1) === fragment.lineOf(at)) {
    if (/^[;{(]$/.test(fragment.text(first - 1))) break;
    first--;
  }
  return first;
}
