import { termsOf } from "../../text/terms.ts";
import { codeBlocks } from "./code-blocks.ts";
import type { Kind, Segment } from "./contract.ts";
import { jsonStarts } from "./json-parts.ts";
import { kindsOf } from "./kinds.ts";
import { lineStarts, shortened } from "./lines.ts";
import { sentenceStarts } from "./sentences.ts";

/** A piece that is kept or dropped as a whole: a sentence, a turn, a line, a block of code. */
export interface Unit {
  text: string;
  /** Index in the request. */
  segment: number;
  kind: Kind;
  /** Number of its paragraph, counted over all segments. Neighbours in a paragraph share their subject. */
  paragraph: number;
  /** In lower case. */
  speaker?: string;
  terms: string[];
}

const SPEAKER = /^\[?([\p{L}\p{N}][^:\n[\]]{0,48})\]?:\s/u;

/**
 * Cuts segments into units, in order. Their texts joined are the segments' contents joined.
 *
 * @param longest maximum length of a unit, in characters.
 */
export function unitsOf(segments: readonly Segment[], longest: number): Unit[] {
  const kinds = kindsOf(segments);
  let paragraph = 0;
  return segments.flatMap(({ content }, segment) => {
    const kind = kinds[segment] as Kind;
    const starts = shortened(content, startsIn(content, kind), longest);
    let speaker: string | undefined;
    paragraph++;
    return starts.flatMap((start, index) => {
      const text = content.slice(start, starts[index + 1] ?? content.length);
      if (text === "") return [];
      const words = kind === "dialogue" ? SPEAKER.exec(text) : null;
      if (words) speaker = (words[1] as string).toLowerCase();
      const spoken = words ? text.slice(words[0].length) : text;
      const unit = { text, segment, kind, paragraph, terms: termsOf(spoken), ...(speaker && { speaker }) };
      if (/\n[ \t]*\r?\n\s*$/.test(text)) paragraph++;
      return [unit];
    });
  });
}

function startsIn(content: string, kind: Kind): number[] {
  if (kind === "prose") return sentenceStarts(content);
  if (kind === "code") return codeBlocks(content);
  if (kind === "json") return jsonStarts(content);
  return lineStarts(content);
}
