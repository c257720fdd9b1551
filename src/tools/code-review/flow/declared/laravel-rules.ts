import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { optionsIn } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";
import { reachingOf } from "../reaching.ts";

/** Rules of Laravel that leave no mark in a text which could do harm. */
const FIXED =
  /^(?:int(?:eger)?|numeric|decimal|digits(?:_between)?|bool(?:ean)?|date|date_(?:format|equals)|in|uuid|ulid|ip|ipv[46]|mac_address|alpha|alpha_num|alpha_dash|timezone|hex_color)$/;
/** `Rule::in([…])`, `new Enum(Kind::class)`. */
const OF_LIST = /^(?:in|enum|Enum|In)$/;
const VALIDATING = /^(?:validate|validateWithBag|make)$/;
const READING = /^(?:input|get|query|post|string|str)$/;
/** Maximum definitions of a name, names that are followed, and calls of a file that validate. */
const [MAX_DEFINITIONS, DEEPEST, MAX_CALLS] = [4, 3, 50];

interface Validation {
  /** Index of the call's name. */
  at: number;
  /** Keys whose rules admit no free text. */
  fixed: ReadonlySet<string>;
}

/** The calls of a file that check a request by rules: `$request->validate(['n' => 'required|integer'])`. */
const validationsOf = oncePerFragment((fragment: Fragment): readonly Validation[] => {
  if (fragment.language !== "php") return [];
  return fragment
    .wordsLike(VALIDATING)
    .slice(0, MAX_CALLS)
    .flatMap((at) => {
      const close = fragment.tokens[at + 1]?.partner ?? -1;
      let open = at + 2;
      while (open < close && fragment.text(open) !== "[") open++;
      if (open >= close) return [];
      const rules = optionsIn(fragment, { from: open + 1, to: fragment.tokens[open]?.partner ?? open });
      const fixed = rules.flatMap(({ name, value }) => (isFixed(fragment, value) ? [name] : []));
      return [{ at, fixed: new Set(fixed) }];
    });
});

function isFixed(fragment: Fragment, { from, to }: Range): boolean {
  return fragment.tokens
    .slice(from, to)
    .some(({ kind, text }) =>
      kind === "string"
        ? text.split("|").some((rule) => FIXED.test(rule.split(":", 1)[0] as string))
        : kind === "word" && OF_LIST.test(text),
    );
}

/**
 * Whether an expression of PHP is a value that Laravel has checked by a rule which admits no free text: `$data['n']` behind
 * `$data = $request->validate(['n' => 'integer'])`, and `$request->n` behind the same call.
 */
export function isOfRules(fragment: Fragment, { from, to }: Range): boolean {
  const validations = validationsOf(fragment);
  if (validations.length === 0) return false;
  const open = fragment.tokens[to - 1]?.partner ?? -1;
  const given = open > from && fragment.isString(open + 1) ? fragment.text(open + 1) : undefined;
  if (fragment.text(from) === "$request") {
    const key = given ?? (to === from + 3 ? fragment.text(to - 1) : undefined);
    const isRead = open === from + 1 || to === from + 3 || READING.test(fragment.text(open - 1));
    const scope = fragment.names.functionAt(from);
    return (
      key !== undefined &&
      isRead &&
      validations.some(
        ({ at, fixed }) =>
          at < from &&
          fixed.has(key) &&
          fragment.text(at - 2) === "$request" &&
          fragment.names.functionAt(at) === scope,
      )
    );
  }
  if (given === undefined || open !== from + 1) return false;
  return isOf(fragment, { from, to: open }, given, 0);
}

function isOf(fragment: Fragment, { from, to }: Range, key: string, depth: number): boolean {
  const direct = validationsOf(fragment).find(({ at }) => at >= from && at < to);
  if (direct) return direct.fixed.has(key);
  const isNamed = to === from + 1 || /^validated?$/.test(fragment.text(from + 2));
  if (!isNamed || depth > DEEPEST) return false;
  const definitions = reachingOf(fragment).definitions(fragment.text(from), from);
  return (
    definitions.length > 0 &&
    definitions.length <= MAX_DEFINITIONS &&
    definitions.every(({ kind, value }) => kind === "assign" && isOf(fragment, value, key, depth + 1))
  );
}
