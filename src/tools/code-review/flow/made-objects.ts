import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { chainFrom } from "./chain.ts";
import type { Reaching } from "./reaching.ts";
import { objectPath } from "./receivers.ts";
import { isRequestPath } from "./sources/request-sources.ts";
import type { Target } from "./target.ts";

/** Wrappers of a text, an address or a list, whose methods return what was wrapped in another form. */
const WRAPPERS = /^(?:Str|Stringable|Uri|Url|Collection|Arr)\b|^(?:str|collect|u|s|uri|url|b)\(/i;
/** Targets for which the values that an object was created with seldom become part of its methods' results. */
const TARGETS: ReadonlySet<Target | undefined> = new Set<Target | undefined>(["address", "path"]);

/**
 * Whether a value comes from a method of an object that a call created, even from request data: `$book->getUrl()`
 * behind `$book = $cloner->cloneBook($request->get("name"))`. Texts of PHP have no methods, so `$book` is an object,
 * which determines its own address or path.
 */
export function isOfMadeObject(
  fragment: Fragment,
  reaching: Reaching,
  path: string,
  at: number,
  target: Target | undefined,
): boolean {
  if (fragment.language !== "php" || !TARGETS.has(target) || !/^\$\w{1,80}\.\w{1,80}\(\)/.test(path))
    return false;
  const definitions = reaching.definitions(fragment.text(at), at);
  return (
    definitions.length > 0 &&
    definitions.every(({ kind, value: { from, to } }) => {
      if (kind === "assign" && isChangedNew(fragment, from, to)) return true;
      if (kind !== "assign" || !fragment.isWord(from) || fragment.text(from) === "new") return false;
      const made = chainFrom(fragment, from, to);
      const isCall = made.end === to && /\.\w{1,80}\(\)$/.test(made.path);
      const isSaid = [made.path, objectPath(fragment, made.path, from)].some((each) =>
        isRequestPath("php", each),
      );
      return isCall && !isSaid && !WRAPPERS.test(made.path);
    })
  );
}

/** `(new Token())->fill([…])`: a new object that a call behind it gives values. */
function isChangedNew(fragment: Fragment, from: number, to: number): boolean {
  const { text, partner } = fragment.tokens[from] ?? { text: "", partner: -1 };
  if (text !== "(" || fragment.text(from + 1) !== "new" || WRAPPERS.test(fragment.text(from + 2)))
    return false;
  return MEMBER.has(fragment.text(partner + 1)) && fragment.text(to - 1) === ")";
}
