import type { Fragment } from "../../syntax/fragment.ts";
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
