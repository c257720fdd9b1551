import { type Call, splitAtCommas } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { objectOf, optionsIn } from "../../syntax/options.ts";
import type { Range } from "../../syntax/range.ts";

/** Options that say where a request or a visitor goes. */
const ADDRESS =
  /^(?:ur[il]|URL|Ur[il]|href|host(?:name)?|base_?u(?:rl|ri)|base_?U(?:RL|rl)|location|Location)$/;
/** What says how to ask, what to answer, or when to give up. */
const HOW =
  /^(?:Http(?:Method|Status\w{0,6})|HTTP(?:Method|Status)|Method\w{0,8}|Status\w{0,30}|StatusCodes?|ctx|context|Context|code|status(?:_?[cC]ode)?)$/;
const METHOD = /^[A-Z]{3,9}$/;
/** Maximum tokens of an argument that says how. */
const MAX_HOW = 8;

/** Returns the arguments of a call that say where a request or a visitor goes: options of such a name, or the first that is no method or status. */
export function addressesIn(fragment: Fragment, { name, args }: Call): readonly Range[] {
  for (const [place, argument] of args.entries()) {
    if (place === 0 && name.endsWith("WithContext")) continue;
    const object = objectOf(fragment, argument);
    const named = optionsIn(fragment, object ?? argument).filter((each) => ADDRESS.test(each.name));
    if (named.length > 0) return named.map(({ value }) => value);
    const short = object ? splitAtCommas(fragment, object).filter((each) => isShort(fragment, each)) : [];
    if (short.length > 0) return short;
    if (!object && optionsIn(fragment, argument).length === 0 && !saysHow(fragment, argument))
      return [argument];
  }
  return [];
}

/** `{ url }` */
function isShort(fragment: Fragment, { from, to }: Range): boolean {
  return to === from + 1 && fragment.isWord(from) && ADDRESS.test(fragment.text(from));
}

function saysHow(fragment: Fragment, { from, to }: Range): boolean {
  const [first] = fragment.tokens.slice(from, from + 1);
  if (first?.kind === "number" || (first?.kind === "string" && METHOD.test(first.text)))
    return to === from + 1;
  // `:get` of Ruby
  if (first?.text === ":" && to === from + 2) return true;
  return to - from <= MAX_HOW && fragment.texts({ from, to }).some((text) => HOW.test(text));
}
