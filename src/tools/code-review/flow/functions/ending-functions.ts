import type { Fragment } from "../../syntax/fragment.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";

/** Types of the result of a function that never returns: of PHP and TypeScript, of Kotlin and Scala, of Rust. */
const NEVER = /^(?:never|Nothing|!)$/;
/** Marks before the type of a result. */
const BEFORE_TYPE = /^(?::|->)$/;

/** Whether a call at `index` is of a function of this file that never returns, so that nothing behind it runs. */
export function callsEnding(fragment: Fragment, index: number): boolean {
  return fragment.text(index + 1) === "(" && endingIn(fragment).has(fragment.text(index));
}

/** The names of the functions that say of themselves that they never return: `function refuse(): never { … }`. */
const endingIn = oncePerFragment((fragment: Fragment): ReadonlySet<string> => {
  const ending = fragment.names.functions.filter(({ name, body }) => {
    const open = fragment.text(body.from - 1) === "{" ? body.from - 1 : body.from;
    const mark = open - 2;
    return name && NEVER.test(fragment.text(open - 1)) && BEFORE_TYPE.test(fragment.text(mark));
  });
  return new Set(ending.map(({ name }) => name ?? ""));
});
