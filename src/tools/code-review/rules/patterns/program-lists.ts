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
  return fragment.callsOf(JOINING).some(({ name, at, end, args }) => {
    if (at < range.from || end > range.to) return false;
    const named = name === "join" ? args.at(-1) : args[0];
    return named !== undefined && named.to === named.from + 1 && fragment.isString(named.from);
  });
}
