import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";

/**
 * Whether a PHP expression is arithmetic, so that its result is a number: `$_GET["page"] * 20`, `$id + 0`. A plus
 * needs a number beside it, since it joins lists too. PHP's dot, which joins texts, is read as a plus.
 */
export function isCalculated(fragment: Fragment, { from, to }: Range): boolean {
  const { tokens, language } = fragment;
  if (language !== "php") return false;
  let found = false;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind !== "mark") continue;
    else if (token.text === "+") {
      if (fragment.written(index) === ".") return false;
      found ||= tokens[index - 1]?.kind === "number" || tokens[index + 1]?.kind === "number";
    } else if (index > from && /^(?:-|\*{1,2}|\/|%)$/.test(token.text)) found = true;
  }
  return found;
}
