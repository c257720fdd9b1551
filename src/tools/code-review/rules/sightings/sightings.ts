import type { Place, Severity, Sighting } from "../../finding.ts";
import { LEVEL, type Level } from "../../flow/level.ts";
import { enclosingBracket, holdsStatements } from "../../syntax/brackets.ts";
import type { Call } from "../../syntax/calls.ts";
import type { Fragment } from "../../syntax/fragment.ts";

/** Returns the places of tokens. Indexes outside of the hunk are skipped. */
export function placesOf({ tokens }: Fragment, indexes: readonly number[]): Place[] {
  return indexes.flatMap((at) => {
    const token = tokens[at];
    return token ? [{ line: token.line, column: token.column }] : [];
  });
}

/** Creates a sighting at the first of these tokens whose line was added. */
export function seenAt(
  fragment: Fragment,
  tokens: readonly number[],
  more: Omit<Sighting, "places"> = {},
): Sighting {
  return { places: placesOf(fragment, tokens), ...more };
}

/** Creates a sighting at a call: at its beginning, or else at its name or an argument. */
export function seenCall(fragment: Fragment, call: Call, more: Omit<Sighting, "places">): Sighting {
  return seenAt(fragment, [call.start, call.at, ...call.args.map(({ from }) => from)], more);
}

/**
 * Creates a sighting at the bracket of the list or object around an option, since that names what is configured.
 * It is at the option itself if there is no such bracket, or if only the option's line was added.
 */
export function seenOption(fragment: Fragment, at: number, more: Omit<Sighting, "places">): Sighting {
  const open = enclosingBracket(fragment, at);
  if (open === undefined || !isListed(fragment, open, at)) return seenAt(fragment, [at], more);
  return seenAt(fragment, [open, at], named(fragment, open, at, more));
}

/** Names an option that is not on the line that its list begins on, which is the one that is shown. */
function named(
  fragment: Fragment,
  open: number,
  at: number,
  more: Omit<Sighting, "places">,
): Omit<Sighting, "places"> {
  const name = fragment.text(at);
  const isShown = fragment.lineOf(open) === fragment.lineOf(at) || !/^[\w.-]{1,60}$/.test(name);
  if (isShown || !more.message || more.message.includes(name)) return more;
  return { ...more, message: `${name}: ${more.message}` };
}

/** Languages whose braces hold `name = value` as a member too. */
const INITIALIZERS = new Set(["csharp", "cpp", "c", "other"]);

/** Maximum tokens of a member to walk back over. */
const MAX_MEMBER = 200;

/** Whether a bracket encloses a list that the token belongs to, not a block of statements. */
function isListed(fragment: Fragment, open: number, at: number): boolean {
  if (fragment.text(open) !== "{") return true;
  if (holdsStatements(fragment, open)) return false;
  const start = memberStart(fragment, open, at);
  const mark = fragment.text(fragment.text(start) === "." ? start + 2 : start + 1);
  if (start === at && mark !== "=") return true;
  return mark === ":" || mark === "=>" || (mark === "=" && INITIALIZERS.has(fragment.language));
}

/** Returns the start of the list member that contains a token. */
function memberStart({ tokens }: Fragment, open: number, at: number): number {
  let start = at;
  for (let steps = 0; start - 1 > open && steps < MAX_MEMBER; steps++) {
    const before = tokens[start - 1];
    if (before?.kind === "mark" && before.text === ",") break;
    start = before?.kind === "close" && before.partner >= 0 ? before.partner : start - 1;
  }
  return start;
}

/**
 * Returns the severity of a value: an error from a request, a warning from a parameter or from the command line, whose
 * user could run anything anyway, otherwise info.
 */
export function severityOf(level: Level): Severity {
  return level === LEVEL.request ? "error" : level >= LEVEL.parameter ? "warning" : "info";
}

export const SOURCES: Record<Level, string> = {
  [LEVEL.literal]: "a fixed value",
  [LEVEL.unknown]: "a value that is not fixed here",
  [LEVEL.parameter]: "a parameter",
  [LEVEL.commandLine]: "what the command line gives",
  [LEVEL.request]: "what a client sends",
};
