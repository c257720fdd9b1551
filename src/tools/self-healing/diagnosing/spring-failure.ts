import type { Around } from "../diagnostics/diagnostic.ts";
import type { Candidate } from "./candidate.ts";

/** Id of the signature for the line between two rows of stars with which Spring Boot ends. */
const BANNER = "spring-failed-to-start";
const MAX_LINES = 40;

/**
 * Replaces Spring Boot's banner by the text below it: "Description" is the reason why it did not start,
 * "Action" the remedy. Returns `undefined` if the candidate is no such banner.
 *
 * @param known candidates below, one of which may be the description with a category of its own
 */
export function describedFailure(
  banner: Candidate,
  around: Around,
  known: readonly Candidate[],
): Candidate | undefined {
  if (banner.signature.id !== BANNER) return undefined;
  const description = sectionUnder("Description:", around, 1, "Action:");
  if (!description) return undefined;
  const action = sectionUnder("Action:", around, description.end);
  const index = banner.index + description.begin;
  const own = causeAt(known, index);
  const { survivable: _, ...signature } = own?.signature ?? banner.signature;
  return {
    ...(own ?? banner),
    index,
    text: description.text,
    signature,
    plain: banner.plain,
    score: banner.score,
    block: {
      end: banner.index + (action ?? description).end,
      ...(action && { remedy: action.text }),
    },
  };
}

/** @param known in order from the end of the log, so that the nearest comes last */
function causeAt(known: readonly Candidate[], index: number): Candidate | undefined {
  for (let at = known.length - 1; at >= 0; at--) {
    const each = known[at] as Candidate;
    if (each.index > index) return undefined;
    if (each.index === index && each.signature.role === "cause" && each.signature.category) return each;
  }
  return undefined;
}

interface Section {
  /** Offset of its first line. */
  begin: number;
  /** Offset of the line after its last. */
  end: number;
  /** Its lines, joined. */
  text: string;
}

/**
 * Returns the section under a heading: up to the heading `next` if that is given and found, otherwise one
 * paragraph.
 */
function sectionUnder(heading: string, around: Around, from: number, next?: string): Section | undefined {
  const at = headingBelow(heading, around, from);
  if (at === undefined) return undefined;
  let begin = at + 1;
  while (around(begin)?.trim() === "") begin++;
  const limit = next === undefined ? undefined : headingBelow(next, around, begin);
  const lines: string[] = [];
  let end = begin;
  for (let text = around(end); text !== undefined && end < (limit ?? begin + MAX_LINES); text = around(end)) {
    if (limit === undefined && text.trim() === "") break;
    // Of a drawing of dependencies, only lines with words are kept.
    if (/[A-Za-z]/.test(text)) lines.push(text.trim());
    end++;
  }
  return lines.length === 0 ? undefined : { begin, end, text: lines.join(" ") };
}

function headingBelow(heading: string, around: Around, from: number): number | undefined {
  for (let at = from; at < from + MAX_LINES; at++) if (around(at)?.trim() === heading) return at;
  return undefined;
}
