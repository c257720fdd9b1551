import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import type { Target } from "./target.ts";

/** The address of the request itself. */
const OWN =
  /^(?:newURL\()?(?:\w{1,30}\.)?(?:req|request|event|Astro)\.(?:url|nextUrl)(?:\.(?:origin|href|clone\(\)))?\)?$/;
const MAX_TOKENS = 9;

/**
 * Leaves out the base of `new URL(path, request.url)`: an address on it is one of this site, whatever the client sends.
 *
 * @param parts the arguments in the bracket at `open`.
 */
export function withoutOwnBase(
  fragment: Fragment,
  target: Target | undefined,
  open: number,
  parts: readonly Range[],
): readonly Range[] {
  const [, base] = parts;
  if (target !== "address" || parts.length !== 2 || !base || fragment.text(open - 1) !== "URL") return parts;
  const given =
    base.to - base.from === 1 ? fragment.names.definition(fragment.text(base.from), base.from) : undefined;
  return [base, given?.value].some((range) => range && isOwn(fragment, range)) ? parts.slice(0, 1) : parts;
}

function isOwn(fragment: Fragment, range: Range): boolean {
  return range.to - range.from < MAX_TOKENS && OWN.test(fragment.texts(range).join(""));
}
