import { provenanceOf } from "../flow/provenance.ts";
import { reachingOf } from "../flow/reaching.ts";
import { splitAtCommas } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";

const DEFAULTING = /^(?:getProperty|getOrDefault|getString|orElse)$/;

/** The text that a name or an expression stands for: a constant, one put together, the default of a setting. */
export function writtenBehind(fragment: Fragment, range: Range): { text: string; at?: number } | undefined {
  const literal = provenanceOf(fragment).literal(range);
  if (literal) return literal;
  const constant = reachingOf(fragment).constants.of(range);
  if (typeof constant === "string") return { text: constant };
  const { from, to } = range;
  const named = to === from + 1 ? fragment.names.definition(fragment.text(from), from) : undefined;
  return defaultIn(fragment, named?.kind === "assign" ? named.value : range);
}

/** `settings.getProperty("kind", "DES")` */
function defaultIn(fragment: Fragment, { from, to }: Range): { text: string; at: number } | undefined {
  const close = fragment.tokens[to - 1];
  if (close?.kind !== "close" || close.partner <= from) return undefined;
  const { partner } = close;
  if (!DEFAULTING.test(fragment.text(partner - 1))) return undefined;
  const last = splitAtCommas(fragment, { from: partner + 1, to: to - 1 }).at(-1);
  if (!last || last.to !== last.from + 1 || !fragment.isString(last.from)) return undefined;
  return { text: fragment.text(last.from), at: last.from };
}
