import type { Fragment } from "../syntax/fragment.ts";
import { chainFrom } from "./chain.ts";
import type { Reaching } from "./reaching.ts";
import { objectPath } from "./receivers.ts";
import { isRequestPath } from "./request-sources.ts";
import type { Target } from "./target.ts";

/** What holds a text, an address or a list and gives it back changed: its methods speak of what it was made of. */
const WRAPPERS = /^(?:Str|Stringable|Uri|Url|Collection|Arr)\b|^(?:str|collect|u|s|uri|url|b)\(/i;
/** Targets that what a method gives is seldom meant for where its object was only made with the value. */
const TARGETS: ReadonlySet<Target | undefined> = new Set<Target | undefined>(["address", "path"]);

/**
 * `$book->getUrl()` behind `$book = $cloner->cloneBook($request->get("name"))`. Texts of PHP have no methods, so
 * that this is an object, which says of itself where it is; that it was made with a client's words is another matter.
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
