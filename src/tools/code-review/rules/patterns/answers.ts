import { chainFrom } from "../../flow/chain.ts";
import { reachingOf, setsWholeValue } from "../../flow/reaching.ts";
import { objectPath } from "../../flow/receivers.ts";
import { looksUpBy } from "../../flow/sanitizers.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import type { Range } from "../../syntax/range.ts";

/** Whether a Go call writes to an HTTP response, judged by its type or by the usual names of one. */
export function writesToResponse(fragment: Fragment, call: Call): boolean {
  const { from } = call.args[0] as Range;
  const made = fragment.names.definition(fragment.text(from), from);
  if (made?.kind === "assign" && holdsWord(fragment, made.value, KEEPERS)) return false;
  const path = (at: number) => objectPath(fragment, `${fragment.text(at)}.Write`, at);
  if (/^[wc]\./.test(path(from)) || /^[wc]\./.test(path(call.start))) return true;
  return /^(?:rw|writer|resp|response|res|ctx)$/.test(fragment.text(from)) || call.path.startsWith("w.");
}

/** Calls and types of other writers, such as files and buffers, whatever their names. */
const KEEPERS =
  /^(?:Create|CreateTemp|OpenFile|Buffer|NewBuffer|NewBufferString|Builder|Stdout|Stderr|Discard)$/;

function holdsWord(fragment: Fragment, { from, to }: Range, pattern: RegExp): boolean {
  return fragment.tokens.slice(from, to).some(({ kind, text }) => kind === "word" && pattern.test(text));
}

/** Calls that return a list or an object, besides those that look one up. */
const LISTING = /^(?:map|filter|query|execute|findAll|findMany|aggregate|save|create)$/;

/** Whether a value is an object or a list, here or where its name is defined. Servers send those as JSON. */
export function isObject(fragment: Fragment, { from, to }: Range, isFollowed = false): boolean {
  const start = fragment.text(from) === "await" ? from + 1 : from;
  const token = fragment.tokens[start];
  if (token?.text === "{" || token?.text === "[") return !MEMBER.has(fragment.text(token.partner + 1));
  if (fragment.language !== "javascript" || token?.kind !== "word") return false;
  const { path, end } = chainFrom(fragment, start, to);
  if (end < to && fragment.text(end) !== "as") return false;
  const called = /(\w{1,80})\(\)$/.exec(path)?.[1];
  if (called !== undefined) return LISTING.test(called) || looksUpBy(called);
  if (isFollowed || path !== token.text) return false;
  const given = reachingOf(fragment).definitions(path, start).filter(setsWholeValue);
  return (
    given.length > 0 &&
    given.every(({ kind, value }) => {
      const isMember = /^[}\]]$/.test(fragment.text(value.from - 2));
      return kind === "assign" && !isMember && isObject(fragment, value, true);
    })
  );
}
