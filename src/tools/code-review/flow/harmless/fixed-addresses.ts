import { HOLE_CLOSE, TEMPLATE_OPEN } from "../../lexer/token.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import type { Target } from "../target.ts";
import { formatBehind } from "./formats.ts";

/** The beginning of an address up to its path, in a header too, and a path behind a value: `fmt.Sprintf("%s/settings/%s", link, name)`. */
const [FIXED, BEHIND_VALUE] = [
  /^(?:\s{0,4}Location:\s{0,4})?(?:\.{0,2}\/(?![/\\])|[a-z][a-z0-9+.-]{1,20}:\/\/[^/?#%{]{1,200}[/?#])/i,
  /^(?:%[sv]|\{\w{0,30}\})\/[^/\\%{]/,
];
/** What may stand between a value and a text behind it. */
const JOINING = new Set(["+", ".", HOLE_CLOSE]);

/**
 * Returns the part of an expression that may choose where an address leads, which is nothing of `"/orders/" + id` and of
 * `https://host/${id}`, and only `base` of `base + "/orders/" + id`. For other targets, it is the whole expression.
 */
export function leadingPart(fragment: Fragment, target: Target | undefined, range: Range): Range {
  if (target !== "address") return range;
  const { to } = range;
  // `&format!("/orders/{id}")` of Rust
  const from = fragment.text(range.from) === "&" ? range.from + 1 : range.from;
  const formatted = formatBehind(fragment, { from, to });
  if (formatted) {
    const { format, first } = formatted;
    if (FIXED.test(format)) return { from, to: from };
    return first && BEHIND_VALUE.test(format) ? first : range;
  }
  const { text, partner = -1 } = fragment.tokens[from] ?? {};
  const isTemplate = text === TEMPLATE_OPEN && partner > from;
  const begins = isTemplate ? from + 1 : from;
  if (fragment.isString(begins) && to > begins + 1 && FIXED.test(fragment.text(begins)))
    return { from, to: from };
  const end = isTemplate ? partner : to;
  for (let index = begins + 1; index < end; index++) {
    const token = fragment.tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.kind === "string" && /^\/[^/\\]/.test(token.text)) {
      return JOINING.has(fragment.text(index - 1)) ? { from: begins, to: index } : range;
    }
  }
  return range;
}
