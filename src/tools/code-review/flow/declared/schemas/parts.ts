import { splitAtCommas } from "../../../syntax/calls.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { MEMBER } from "../../../syntax/keywords.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import { objectOf, optionsIn } from "../../../syntax/options.ts";
import type { Range } from "../../../syntax/range.ts";

/** A name of a chain such as `a.b(…).c`. */
export interface Part {
  name: string;
  at: number;
  /** The bracket behind the name, if it is called. */
  open?: number;
}

/** Maximum parts of an expression that are looked at. */
const MAX_PARTS = 30;

/** Returns the parts of `a.b(…).c`, or undefined for another expression. */
export function partsOf(fragment: Fragment, { from, to }: Range): Part[] | undefined {
  const parts: Part[] = [];
  let at = /^(?:await|new)$/.test(fragment.text(from)) ? from + 1 : from;
  while (at < to && parts.length < MAX_PARTS) {
    if (!fragment.isWord(at)) return undefined;
    const bracket = fragment.tokens[at + 1];
    const isCalled = bracket?.text === "(" && bracket.partner > at && at + 1 < to;
    parts.push({ name: fragment.text(at), at, ...(isCalled && { open: at + 1 }) });
    const end = isCalled ? bracket.partner + 1 : at + 1;
    if (end >= to) return parts;
    if (!MEMBER.has(fragment.text(end))) return undefined;
    at = end + 1;
  }
  return undefined;
}

/** Returns the arguments, or members of a list, between a bracket and its partner. */
export function argumentsAt(fragment: Fragment, open: number): Range[] {
  return splitAtCommas(fragment, { from: open + 1, to: fragment.tokens[open]?.partner ?? open + 1 });
}

/** By the token behind the brace of an object, its members: each is read once, however often it is asked for. */
const membersIn = oncePerFragment((_: Fragment) => new Map<number, ReadonlyMap<string, Range>>());
const NONE: ReadonlyMap<string, Range> = new Map();

/** Returns the members of an object, or of the object that a name is assigned; none of another expression. */
export function membersOf(fragment: Fragment, range: Range): ReadonlyMap<string, Range> {
  const object = fragment.text(range.from) === "[" ? undefined : objectOf(fragment, range);
  if (!object) return NONE;
  const known = membersIn(fragment);
  const found = known.get(object.from);
  if (found) return found;
  const members = new Map(optionsIn(fragment, object).map(({ name, value }) => [name, value]));
  known.set(object.from, members);
  return members;
}
