import { splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";

/** Functions whose first argument, or the second, says what becomes of those behind it, by C's rules. */
const FORMATTING = /(?:^|\.)(?:sn?printf|Sprintf|format|[fF]printf|printf)\(\)$/;
const CONVERSION = /%(?:(\d{1,2})\$)?[-+ #'.\d]{0,20}([a-zA-Z%*])/g;
/** Conversions that leave a number, or what is no text, whatever they are given. */
const NUMERIC = /^[bcdeEfFgGioptuxX]$/;

/** Of the arguments of a call, those whose text gets into what it gives: `sprintf("%d items of %s", $count, $name)`. */
export function formatted(fragment: Fragment, path: string, args: readonly Range[]): readonly Range[] {
  const { textual, values } = formatIn(fragment, path, args);
  return textual ? values.filter((_, index) => textual[index] !== false) : args;
}

/** True of a format that speaks of texts which are not among its arguments. */
export function lacksValues(fragment: Fragment, path: string, args: readonly Range[]): boolean {
  const { textual, values } = formatIn(fragment, path, args);
  return textual?.[values.length] === true;
}

function formatIn(fragment: Fragment, path: string, args: readonly Range[]) {
  const isFormat = ({ from, to }: Range) => to === from + 1 && fragment.isString(from);
  const place = FORMATTING.test(path) ? args.slice(0, 2).findIndex(isFormat) : -1;
  const format = args[place];
  return {
    textual: format && textualIn(fragment.text(format.from)),
    values: args.slice(place + 1),
  };
}

/** The values of a text that is put together: of the arguments of a formatting call, those that get into it. */
export function valuesIn(fragment: Fragment, { from, to }: Range): readonly Range[] {
  return formatted(fragment, `${fragment.text(from - 2)}()`, splitAtCommas(fragment, { from, to }));
}

/** Which values of a format get into its text; undefined where it has none, or is of another kind. */
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
