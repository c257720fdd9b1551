import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";

const CALCULATING = /^(?:-|\*{1,2}|\/|%)$/;

/** Whether an expression is arithmetic, so that its result is a number. */
export function isCalculated(fragment: Fragment, range: Range): boolean {
  switch (fragment.language) {
    case "php":
      return isCalculatedInPhp(fragment, range);
    case "javascript":
      return isCalculatedInJavaScript(fragment, range);
    default:
      return false;
  }
}

/**
 * `$_GET["page"] * 20`, `$id + 0`. A plus needs a number beside it, since it joins lists too. PHP's dot, which joins texts,
 * is read as a plus.
 */
function isCalculatedInPhp(fragment: Fragment, { from, to }: Range): boolean {
  const { tokens } = fragment;
  let found = false;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind !== "mark") continue;
    else if (token.text === "+") {
      if (fragment.written(index) === ".") return false;
      found ||= tokens[index - 1]?.kind === "number" || tokens[index + 1]?.kind === "number";
    } else if (index > from && CALCULATING.test(token.text)) found = true;
  }
  return found;
}

/** `+request.query.page`, `(page - 1) * size`. A plus between two values may join texts. */
function isCalculatedInJavaScript({ tokens }: Fragment, { from, to }: Range): boolean {
  let found = false;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind !== "mark" || MEMBER.has(token.text)) continue;
    else if (CALCULATING.test(token.text) || (token.text === "+" && index === from)) found = true;
    else return false;
  }
  return found;
}
