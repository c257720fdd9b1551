import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import type { Range } from "../syntax/range.ts";

/** Maximum names followed back from a use. */
const DEEPEST = 6;

export interface LiteralString {
  text: string;
  /** Index of its token. */
  at: number;
}

/** Returns the string that an expression is, following names, or undefined if it is anything else. */
export function literalIn(fragment: Fragment, { from, to }: Range, depth = 0): LiteralString | undefined {
  const { tokens, names } = fragment;
  const token = tokens[from];
  if (to - from === 1 && token?.kind === "string") return { text: token.text, at: from };
  if (depth >= DEEPEST || token?.kind !== "word") return undefined;
  let end = from + 1;
  while (end < to && MEMBER.has(fragment.text(end)) && fragment.isWord(end + 1)) end += 2;
  if (end !== to) return undefined;
  const path = fragment.pathIn({ from, to });
  const definition = names.definition(path, from);
  if (definition?.kind === "assign") return literalIn(fragment, definition.value, depth + 1);
  const dot = path.indexOf(".");
  const owner = dot > 0 ? names.definition(path.slice(0, dot), from) : undefined;
  return owner?.kind === "assign" ? memberIn(fragment, owner.value, path.slice(dot + 1), depth) : undefined;
}

/** Returns the string that a member of an object literal is. */
function memberIn(
  fragment: Fragment,
  { from, to }: Range,
  name: string,
  depth: number,
): LiteralString | undefined {
  for (let index = from; index < to; index++) {
    if (fragment.text(index) !== name || fragment.text(index + 1) !== ":") continue;
    return literalIn(fragment, { from: index + 2, to: index + 3 }, depth + 1);
  }
  return undefined;
}
