import type { LexedFragment } from "./lexed-fragment.ts";

/** Maximum tokens of an initialiser to walk back over. */
const MAX_BACK = 200;

/** Returns the class of the object initialiser that a member belongs to: `Label` in `new Label { Text = value }`. */
export function makerBefore(fragment: LexedFragment, at: number): string | undefined {
  for (let index = at - 1; index > Math.max(-1, at - MAX_BACK); index--) {
    const token = fragment.tokens[index];
    if (token?.kind === "close" && token.partner >= 0) index = token.partner;
    else if (token?.kind === "open") return token.text === "{" ? makerOf(fragment, index - 1) : undefined;
    else if (token?.text === ";") return undefined;
  }
  return undefined;
}

function makerOf(fragment: LexedFragment, last: number): string | undefined {
  const bracket = fragment.tokens[last];
  const name = bracket?.text === ")" && bracket.partner >= 0 ? bracket.partner - 1 : last;
  let start = name;
  while (fragment.text(start - 1) === "." && fragment.isWord(start - 2)) start -= 2;
  return fragment.isWord(name) && fragment.text(start - 1) === "new" ? fragment.text(name) : undefined;
}
