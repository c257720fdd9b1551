import { TEMPLATE_OPEN } from "../../lexer/token.ts";
import { splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { type Chain, chainFrom } from "../chain.ts";

/** Functions with a format string of C's syntax as one of their first `MAX_PLACE` arguments. */
const MAX_PLACE = 3;
const FORMATTING = /(?:^|\.)(?:v?sn?printf|v?asprintf|Sprintf|format|[fF]printf|printf)\(\)$/;
const CONVERSION = /%(?:(\d{1,2})\$)?[-+ #'.\d]{0,20}([a-zA-Z%*])/g;
/** Conversions that never insert text, whatever the argument. */
const NUMERIC = /^[bcdeEfFgGioptuxX]$/;

/** Returns the arguments whose text becomes part of a call's result: `$name` in `sprintf("%d %s", $count, $name)`. */
export function formatted(fragment: Fragment, path: string, args: readonly Range[]): readonly Range[] {
  const { textual, values } = formatIn(fragment, path, args);
  return textual ? values.filter((_, index) => textual[index] !== false) : args;
}

/** Returns the format of an expression that is one call to format, and the first value that is put into it. */
export function formatBehind(
  fragment: Fragment,
  { from, to }: Range,
): { format: string; first?: Range } | undefined {
  const { path, end, given } = callIn(fragment, from, to);
  const args = splitAtCommas(fragment, given.at(-1) ?? { from: end, to: end });
  const [format, first] = args;
  if (end !== to || !format || !FORMATTING.test(path)) return undefined;
  // The text before the first hole of `format!("/{name}")` of Rust.
  const at = fragment.text(format.from) === TEMPLATE_OPEN ? format.from + 1 : format.from;
  if (!fragment.isString(at)) return undefined;
  return { format: fragment.text(at), ...(first && { first }) };
}

/** Reads a chain, or a macro of Rust: `format!("/{}", name)`. */
function callIn(fragment: Fragment, from: number, to: number): Pick<Chain, "path" | "end" | "given"> {
  const { partner = -1 } = fragment.tokens[from + 2] ?? {};
  if (fragment.language !== "rust" || fragment.text(from + 1) !== "!" || partner < 0)
    return chainFrom(fragment, from, to);
  return { path: `${fragment.text(from)}()`, end: partner + 1, given: [{ from: from + 3, to: partner }] };
}

/** Whether a format inserts a text that is missing from its arguments. */
export function lacksValues(fragment: Fragment, path: string, args: readonly Range[]): boolean {
  const { textual, values } = formatIn(fragment, path, args);
  return textual?.[values.length] === true;
}

function formatIn(fragment: Fragment, path: string, args: readonly Range[]) {
  const isFormat = ({ from, to }: Range) => to === from + 1 && fragment.isString(from);
  const place = FORMATTING.test(path) ? args.slice(0, MAX_PLACE).findIndex(isFormat) : -1;
  const format = args[place];
  return {
    textual: format && textualIn(fragment.text(format.from)),
    values: args.slice(place + 1),
  };
}

/** Returns the arguments in a range whose text becomes part of the result of the call around it. */
export function valuesIn(fragment: Fragment, { from, to }: Range): readonly Range[] {
  return formatted(fragment, `${fragment.text(from - 2)}()`, splitAtCommas(fragment, { from, to }));
}

/** Returns which values a format inserts as text, or undefined if it has none or a width of `*`. */
function textualIn(format: string): boolean[] | undefined {
  const textual: boolean[] = [];
  let next = 0;
  for (const [, position, conversion = ""] of format.matchAll(CONVERSION)) {
    if (conversion === "*") return undefined;
    if (conversion === "%") continue;
    const index = position === undefined ? next++ : Number(position) - 1;
    textual[index] = (textual[index] ?? false) || !NUMERIC.test(conversion);
  }
  return textual.length > 0 ? textual : undefined;
}
