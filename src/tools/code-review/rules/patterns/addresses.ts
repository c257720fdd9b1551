import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";

const OWN_PAGE = /^(?:(?:window|document|self)\.)?location(?:\.(?:href|origin|pathname))?$/;

/** Whether it is the address of the page itself, which is of its own host and no `javascript:`. */
export function isOwnPage(fragment: Fragment, { from, to }: Range): boolean {
  return OWN_PAGE.test(
    fragment.tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join(""),
  );
}

/** Calls that hold an address, from which others ask it. */
const HOLDING = /^(?:URL|URI|create)$/;
/** What an address says of itself; nobody is asked for it. */
const PART =
  /^(?:get(?:Host|Port|DefaultPort|Path|RawPath|File|Query|RawQuery|Ref|Fragment|Protocol|Scheme|Authority|UserInfo)|toURI|host|hostname|port|path|query|scheme|protocol|authority|userInfo|fragment)$/;

/** `new URL(text).getHost()`: the address is taken apart and not asked. */
export function isTakenApart(fragment: Fragment, { name, end }: Call): boolean {
  return HOLDING.test(name) && MEMBER.has(fragment.text(end)) && PART.test(fragment.text(end + 1));
}
