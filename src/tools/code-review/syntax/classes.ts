import type { LexedFragment } from "./lexed-fragment.ts";
import { oncePerFragment } from "./lookup/once-per-fragment.ts";
import type { Range } from "./range.ts";

/** A class or similar type that a file declares. */
export interface Class {
  name: string;
  /** The tokens between name and body: base classes and interfaces. */
  head: Range;
  /** The tokens within its braces, up to the end of the hunk if they are not closed. */
  body?: Range;
}

const DECLARING = /^(?:class|struct|record|object|trait|type)$/;
/** Languages whose classes have no braces. */
const BRACELESS = new Set(["python", "ruby"]);
const MAX_HEAD = 60;

/** The classes of a file, in the order in which they begin. */
export const classesOf = oncePerFragment((fragment): readonly Class[] => {
  const places = [...fragment.wordsLike(DECLARING)].sort((a, b) => a - b);
  return places.flatMap((at) => classAt(fragment, at) ?? []);
});

function classAt(fragment: LexedFragment, at: number): Class | undefined {
  const { tokens } = fragment;
  if (!fragment.isWord(at + 1)) return undefined;
  const name = fragment.text(at + 1);
  if (BRACELESS.has(fragment.language)) return { name, head: { from: at + 2, to: at + 2 } };
  let open = at + 2;
  while (open < at + MAX_HEAD && !/^[{;]?$/.test(fragment.text(open))) open++;
  if (fragment.text(open) !== "{") return undefined;
  const { partner = -1 } = tokens[open] ?? {};
  const body = { from: open + 1, to: partner < 0 ? tokens.length : partner };
  return { name, head: { from: at + 2, to: open }, body };
}
