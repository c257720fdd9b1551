import { splitAtCommas } from "./calls.ts";
import type { Definition } from "./definitions/definition.ts";
import { isKeyword } from "./keywords.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import type { Range } from "./range.ts";
import { statementEnd } from "./statements.ts";

const BETWEEN = /^(?:of|in|:|as|range)$/;

/** `for (const x of xs)`, `for x in xs:`, `for _, x := range xs`, `foreach ($xs as $x)`. */
export function loop(fragment: LexedFragment, at: number): Definition[] {
  const { tokens, language } = fragment;
  if (fragment.text(at) === "async" && fragment.text(at + 1) !== "for") return [];
  let open = at + 1;
  if (/^(?:await|for)$/.test(fragment.text(open))) open++;
  const bracket = fragment.text(open) === "(" ? open : -1;
  const end = bracket >= 0 ? (tokens[bracket]?.partner ?? -1) : lineEnd(fragment, at);
  if (end < 0) return [];
  for (let index = open; index < end; index++) {
    if (!BETWEEN.test(fragment.text(index)) || fragment.isString(index)) continue;
    const left = { from: bracket >= 0 ? open + 1 : open, to: index };
    const right = { from: index + 1, to: end };
    // PHP names the list first.
    const [names, value] = language === "php" ? [right, left] : [left, right];
    return wordsIn(fragment, names).map(({ name, at }, place) => ({
      name,
      at,
      kind: "each",
      value: isCounted(fragment, value.from, place) ? { from: at, to: at } : value,
    }));
  }
  return [];
}

/** Whether the name at a place of a loop's names is a number: `for i in range(3)`, `for i, x in enumerate(xs)` of Python. */
export function isCounted(fragment: LexedFragment, list: number, place: number): boolean {
  if (fragment.language !== "python" || fragment.text(list + 1) !== "(") return false;
  return fragment.text(list) === "range" || (fragment.text(list) === "enumerate" && place === 0);
}

function lineEnd(fragment: LexedFragment, at: number): number {
  const end = statementEnd(fragment, at);
  for (let index = at; index < end; index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "open" && token.text !== "{" && token.partner > 0) index = token.partner;
    else if (token?.text === "{" || (token?.text === ":" && fragment.language === "python")) return index;
  }
  return end;
}

export function wordsIn(fragment: LexedFragment, { from, to }: Range): { name: string; at: number }[] {
  const words: { name: string; at: number }[] = [];
  for (let at = from; at < to; at++) {
    if (fragment.isWord(at) && !isKeyword(fragment.language, fragment.text(at)))
      words.push({ name: fragment.text(at), at });
  }
  return words;
}

/** Returns the names that a Python `with` statement binds. */
export function entered(fragment: LexedFragment, at: number): Definition[] {
  return withItems(fragment, at + 1, lineEnd(fragment, at)).map((item) => ({ ...item, kind: "enter" }));
}

/** `with connect(path) as store, open(path) as file:` of Python: each name and its context manager. */
function withItems(
  fragment: LexedFragment,
  from: number,
  to: number,
): { name: string; at: number; value: Range }[] {
  // One pair of brackets may enclose all items.
  const open = fragment.tokens[from];
  const isWhole = open?.text === "(" && open.partner === to - 1;
  const items = isWhole ? { from: from + 1, to: to - 1 } : { from, to };
  return splitAtCommas(fragment, items).flatMap((item) => {
    const at = item.to - 1;
    if (fragment.text(at - 1) !== "as" || !fragment.isWord(at)) return [];
    return [{ name: fragment.text(at), at, value: { from: item.from, to: at - 1 } }];
  });
}

/** Maximum tokens on a line before a block, all of which are taken as the list that it iterates over. */
const MAX_LINE = 200;

/** `xs.each do |x|`: the block's parameters are members of the expression before it. */
export function block(fragment: LexedFragment, at: number): Definition[] {
  if (fragment.text(at + 1) !== "|") return [];
  let end = at + 2;
  while (end < at + 16 && fragment.text(end) !== "|") end++;
  const { line } = fragment.tokens[at] as { line: number };
  let from = at;
  while (from > at - MAX_LINE && fragment.lineOf(from - 1) === line) from--;
  return wordsIn(fragment, { from: at + 2, to: end }).map((word) => ({
    ...word,
    kind: "each",
    value: { from, to: at },
  }));
}
