import type { Fragment } from "../syntax/fragment.ts";

const COMPARING =
  /^(?:str(?:n?case)?n?cmp|strn?casecmp|memcmp|equals(?:IgnoreCase)?|startsWith|HasPrefix|EqualFold)$/;

/** Whether a string is given to a name that is compared with another one: `word = "SSLv3", !strcmp(token, word)`. */
export function isComparedLater(fragment: Fragment, index: number): boolean {
  const to = fragment.names.functionAt(index)?.body.to ?? fragment.tokens.length;
  const [next] = fragment.usesIn(fragment.text(index - 2), { from: index + 1, to });
  return next !== undefined && COMPARING.test(fragment.callAround(next)?.name ?? "");
}
