import { LEVEL } from "../../flow/level.ts";
import { provenanceOf } from "../../flow/provenance.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";

const LISTING = /^(?:(?:Kernel|Process|PTY|Open3)\.)?(?:system|exec|spawn|popen[23]e?|capture[23]e?)$/;
const JOINING = /^(?:join|expand_path)$/;

/** `system(Rails.root.join("bin/sqlite3").to_s, path)` of Ruby: no shell, and a program that is fixed in the call. */
export function startsOwnProgram(fragment: Fragment, { path, args }: Call): boolean {
  const [first, second] = args;
  if (fragment.language !== "ruby" || !first || !second || !LISTING.test(path)) return false;
  return !isOption(fragment, second) && isFixedPath(fragment, first);
}

/** `exception: true`, `:out => log`, `{ … }`: options of the call, not arguments of the program. */
function isOption(fragment: Fragment, { from }: Range): boolean {
  return /^[:{]$/.test(fragment.text(from)) || /^(?::|=>)$/.test(fragment.text(from + 1));
}

/** Whether a path joins a folder, which may be unknown but is not a parameter, with a literal. */
function isFixedPath(fragment: Fragment, range: Range): boolean {
  if (provenanceOf(fragment, "shell").of(range) >= LEVEL.parameter) return false;
  // Scans only the tokens of the path, because a file may hold thousands of such calls.
  for (let at = range.from; at + 1 < range.to; at++)
    if (JOINING.test(fragment.text(at)) && fragment.text(at + 1) === "(" && namesProgram(fragment, at))
      return true;
  return false;
}

/** Whether the last argument of `join(root, "bin/x")`, or the first of `expand_path("bin/x", root)`, is a literal. */
function namesProgram(fragment: Fragment, at: number): boolean {
  const { partner } = fragment.tokens[at + 1] as { partner: number };
  const isLast = fragment.text(at) === "join";
  const named = isLast ? partner - 1 : at + 2;
  return fragment.isString(named) && /^[(,)]$/.test(fragment.text(isLast ? named - 1 : named + 1));
}
