import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";

const OWN_PAGE =
  /^(?:(?:window|document|self)\.)?location(?:\.(?:href|origin|pathname)(?:\.split\([#?&]\)\[0\])?)?$/;

/** Whether an expression is the address of the page itself, which is on its own host and not `javascript:`. */
export function isOwnPage(fragment: Fragment, { from, to }: Range): boolean {
  return OWN_PAGE.test(
    fragment.tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join(""),
  );
}

/** Calls that create an address object, which is requested later. */
const HOLDING = /^(?:URL|URI|create)$/;
/** Members that return a part of an address without requesting it. */
const PART =
  /^(?:get(?:Host|Port|DefaultPort|Path|RawPath|File|Query|RawQuery|Ref|Fragment|Protocol|Scheme|Authority|UserInfo)|toURI|host|hostname|port|path|query|scheme|protocol|authority|userInfo|fragment)$/;

/** Whether an address is only parsed, not requested: `new URL(text).getHost()`. */
export function isTakenApart(fragment: Fragment, { name, end }: Call): boolean {
  return HOLDING.test(name) && MEMBER.has(fragment.text(end)) && PART.test(fragment.text(end + 1));
}
