import { objectPath } from "../../flow/receivers.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
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
