import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { HARMLESS_TYPES } from "../sanitizers.ts";

/** Types of Grape's parameters, beside those of every language, that admit no free text. */
const TYPES = /^(?:Numeric|BigDecimal|Date|Time)$/;
const DECLARING = /^(?:requires|optional)$/;
/** Maximum tokens of a declaration. */
const MAX_DECLARED = 60;

/** The parameters that routes of Grape declare in a file: whether each admits no free text, wherever it is declared. */
const paramsOf = oncePerFragment((fragment: Fragment): ReadonlyMap<string, boolean> => {
  const params = new Map<string, boolean>();
  if (fragment.language !== "ruby" || !fragment.words.has("Grape")) return params;
  for (const at of fragment.wordsLike(DECLARING)) {
    if (fragment.text(at + 1) !== ":") continue;
    const name = fragment.text(at + 2);
    params.set(name, (params.get(name) ?? true) && isFixed(fragment, at + 3));
  }
  return params;
});

/** Whether a declaration names a type without free text, or values: `requires :n, type: Integer`. */
function isFixed(fragment: Fragment, from: number): boolean {
  const line = fragment.lineOf(from);
  for (let at = from; at < from + MAX_DECLARED && fragment.lineOf(at) === line; at++) {
    if (fragment.text(at + 1) !== ":") continue;
    const [name, type] = [fragment.text(at), fragment.text(at + 2)];
    if (name === "values" || (name === "type" && (HARMLESS_TYPES.has(type) || TYPES.test(type)))) return true;
  }
  return false;
}

/** Whether an expression is a parameter that a route of Grape declares as no free text: `params[:n]`. */
export function isOfGrape(fragment: Fragment, { from, to }: Range): boolean {
  const isRead = fragment.text(from) === "params" && fragment.text(from + 1) === "[" && to === from + 5;
  return isRead && paramsOf(fragment).get(fragment.text(from + 3)) === true;
}
