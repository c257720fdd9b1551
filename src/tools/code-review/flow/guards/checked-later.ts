import { type Call, pathBefore } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import { MEMBER } from "../../syntax/keywords.ts";
import { reachingOf } from "../reaching.ts";

const CHECKS =
  /^(?:startsWith|indexOf|includes|relative|HasPrefix|startswith|is_relative_to|relative_to|parents|commonpath|commonprefix|StartsWith|starts_with|start_with\?|realpath|canonicalize|getCanonicalPath|IsLocal|Rel|normalize)$/;

/** Functions that throw unless a path stays where it belongs: `checkDirectoryTraversal(folder, path)`. */
const THROWING =
  /^(?:check|ensure|assert|validate|verify|require|reject|prevent|forbid|guard)_?\w{0,20}(?:traversal|zip_?slip|within|inside|contained|(?:sub|child|safe|in)_?(?:path|dir|directory|folder|root))/i;

/** Maximum calls around a call to walk out of, to the outermost one. */
const MAX_OUTER = 4;
/** Maximum members of a chain behind a name that are searched for a check. */
const MAX_MEMBERS = 4;
/** Maximum tokens behind a call that are searched for a check of its result. */
const MAX_LOOKED_AT = 5000;

/** Whether the path that a call makes gets a name, and is checked under it: `path := filepath.Join(root, name)`. */
export function isCheckedLater(fragment: Fragment, { start: at, end }: Call): boolean {
  let start = fragment.text(at - 1) === "new" ? at - 1 : at;
  // `filepath.Clean(filepath.Join(root, name))`
  for (let outer = 0; outer < MAX_OUTER && fragment.text(start - 1) === "("; outer++) {
    if (!fragment.isWord(start - 2)) break;
    start = pathBefore(fragment, start - 2).start;
    if (fragment.text(start - 1) === "new") start--;
  }
  const isGiven = fragment.text(start - 1) === "=" || fragment.text(start - 1) === ":=";
  const name = fragment.text(start - 2);
  return isGiven && (isLookedAtLater(fragment, name, end) || isTestedLater(fragment, name, end));
}

/** Whether a name is looked at behind a place of its function by a call that serves to keep paths in a folder. */
export function isLookedAtLater(fragment: Fragment, named: string, from: number): boolean {
  const end = Math.min(endOfFunction(fragment, from), from + MAX_LOOKED_AT);
  for (let index = from; index < end; index++) {
    if (fragment.text(index) !== named) continue;
    // `str(name).startswith(`
    if (CHECKS.test(fragment.text(index + 3)) || isAskedForCheck(fragment, index)) return true;
    if (isGivenToCheck(fragment, index)) return true;
  }
  return false;
}

/** `name.startsWith(folder)`, `name.toPath().normalize().startsWith(folder)` */
function isAskedForCheck(fragment: Fragment, name: number): boolean {
  let at = name;
  for (let members = 0; members < MAX_MEMBERS && MEMBER.has(fragment.text(at + 1)); members++) {
    at += 2;
    if (CHECKS.test(fragment.text(at))) return true;
    const open = fragment.tokens[at + 1];
    if (open?.text === "(" && open.partner > at) at = open.partner;
  }
  return false;
}

/** `realpath(name)`, `relative(root, name)`, `commonpath([root, name])` */
function isGivenToCheck(fragment: Fragment, at: number): boolean {
  let outer = 0;
  for (const { name } of fragment.callsAround(at)) {
    if (CHECKS.test(name) || THROWING.test(name)) return true;
    if (++outer >= MAX_OUTER) return false;
  }
  return false;
}

function isTestedLater(fragment: Fragment, name: string, from: number): boolean {
  const reaching = reachingOf(fragment);
  const uses = fragment.usesIn(name, { from, to: endOfFunction(fragment, from) });
  return uses.some((at) => reaching.guards.isTested(name, at, reaching.definitions(name, at), "path"));
}

function endOfFunction(fragment: Fragment, at: number): number {
  return fragment.names.functionAt(at)?.body.to ?? fragment.tokens.length;
}
