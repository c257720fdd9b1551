import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import type { Target } from "../target.ts";

/** The address of the request itself. */
const OWN =
  /^(?:newURL\()?(?:\w{1,30}\.)?(?:req|request|event|Astro)\.(?:url|nextUrl)(?:\.(?:origin|href|clone\(\)))?\)?$/;
const MAX_TOKENS = 9;

/**
 * Leaves out the base of `new URL(path, request.url)`: an address on it is one of this site, whatever the client sends. So is
 * `new URL(request.url)`, which takes a whole address.
 *
 * @param parts the arguments in the bracket at `open`.
 */
export function withoutOwnBase(
  fragment: Fragment,
  target: Target | undefined,
  open: number,
  parts: readonly Range[],
): readonly Range[] {
  const base = parts.at(-1);
  if (target !== "address" || parts.length > 2 || !base || fragment.text(open - 1) !== "URL") return parts;
  const given =
    base.to - base.from === 1 ? fragment.names.definition(fragment.text(base.from), base.from) : undefined;
  return [base, given?.value].some((range) => range && isOwn(fragment, range)) ? parts.slice(0, -1) : parts;
}

function isOwn(fragment: Fragment, range: Range): boolean {
  return range.to - range.from < MAX_TOKENS && OWN.test(fragment.texts(range).join(""));
}

/**
 * The address that Next.js was asked for, and that of the page in a browser. Not `req.url` of Node, which is what the client
 * wrote: `//evil.example/` leads elsewhere, and `http://evil.example/` is asked for by a proxy.
 */
const OWN_PATH =
  /^(?:this\.)?(?:req|request|ctx|context|event)\.(?:request\.)?nextUrl\b(?!.*\b(?:searchParams|query|hash)\b)|^(?:(?:window|document|self|globalThis)\.)?location\.(?:pathname|origin)$/;

/** Whether a path of JavaScript is the address that was asked for, which is one of this site: `request.nextUrl.clone()`. */
export function isOwnPath({ language }: Fragment, paths: readonly string[]): boolean {
  return language === "javascript" && paths.some((path) => OWN_PATH.test(path));
}

/** What a client asks for behind an address: `url.searchParams.get("next")`. */
export const ASKED = /\.searchParams\b/;

/** Names of calls that make an address of what they are given: `v3RunPath(slug)`, `installUrl(state)`, `safe_return_url(to)`. */
const MAKING = /[a-z0-9]_(?:path|ur[li]|link|href|route)(?:_(?:for|to|of))?$/i;
/** Names of those that only change one: `normalizeUrl(to)`, `get_full_url(to)`. */
const CHANGING =
  /^(?:get_(?:full_|absolute_|raw_)?(?:path|ur[li]|link|href)$|(?:to|as|parse|decode|encode|un|re|normali[sz]e|clean|ensure|fix|strip|trim|join|split|resolve|full|absolute|str|filter|convert|replace|sanitize)(?![a-z]))/i;
const CHECKED = /(?:^|_)(?:safe|valid|allowed|trusted)/i;

/** Those that put a value in the place of another, as of a mark: `serviceUrl.replace("{}", host)`. */
const REPLACING = /^replace(?:_?[aA]ll)?$/;

/** Those that write behind an address, which is their first argument or what they belong to: `withQuery(to, { done })`. */
const ADDING =
  /^(?:add|with|append|set|include|update|merge|expand|build_And_Expand|query_Param|path_Segment)(?![a-z])/i;

/**
 * Returns for each call of an expression at `at` how many of its arguments the address that it gives may begin with. It is the
 * call's own choice if a service is waited for, and if a function is named after what it makes.
 */
export function beginningArguments(fragment: Fragment, path: string, at: number): number[] {
  const names = path.split("()").slice(0, -1);
  return names.map((before) => {
    const name = (/[\w$]*$/.exec(before)?.[0] ?? "").replace(/(?<=[a-z])(?=[A-Z])/g, "_");
    if (fragment.text(at - 1) === "await" || CHECKED.test(name)) return 0;
    if (REPLACING.test(name) && before.includes(".")) return 0;
    if (ADDING.test(name)) return before.includes(".") ? 0 : 1;
    return MAKING.test(name) && !CHANGING.test(name) ? 0 : Number.POSITIVE_INFINITY;
  });
}
