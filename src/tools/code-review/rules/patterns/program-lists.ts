import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";

const LISTING = /^(?:(?:Kernel|Process|PTY|Open3)\.)?(?:system|exec|spawn|popen[23]e?|capture[23]e?)$/;
const JOINING = /^(?:join|expand_path)$/;

/** `system(Rails.root.join("bin/sqlite3").to_s, path)` of Ruby: no shell, and a program that the call names. */
export function startsOwnProgram(fragment: Fragment, { path, args }: Call): boolean {
  const [first, second] = args;
  if (fragment.language !== "ruby" || !first || !second || !LISTING.test(path)) return false;
  return !isOption(fragment, second) && isFixedPath(fragment, first);
}

/** `exception: true`, `:out => log`, `{ … }`: no argument for the program. */
function isOption(fragment: Fragment, { from }: Range): boolean {
  return /^[:{]$/.test(fragment.text(from)) || /^(?::|=>)$/.test(fragment.text(from + 1));
}

/** A place that is not fixed here, with what is behind it written out. */
function isFixedPath(fragment: Fragment, range: Range): boolean {
  if (provenanceOf(fragment, "shell").of(range) >= LEVEL.parameter) return false;
  // Only these tokens: a file may hold thousands of such calls.
  for (let at = range.from; at + 1 < range.to; at++)
    if (JOINING.test(fragment.text(at)) && fragment.text(at + 1) === "(" && namesProgram(fragment, at))
      return true;
  return false;
}

/** `join(root, "bin/x")` by its last argument, `expand_path("bin/x", root)` by its first: a text alone. */
function namesProgram(fragment: Fragment, at: number): boolean {
  const { partner } = fragment.tokens[at + 1] as { partner: number };
  const isLast = fragment.text(at) === "join";
  const named = isLast ? partner - 1 : at + 2;
  return fragment.isString(named) && /^[(,)]$/.test(fragment.text(isLast ? named - 1 : named + 1));
}
