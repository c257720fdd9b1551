/** Where pieces of a text begin. Up to the end of the text, they cover it without gaps. */
export type Starts = number[];

/** Matches at the first of a row of marks only: a match at each would take quadratic time. */
const ENDS = /(?<![.!?…])[.!?…]+["'”’»)\]]*\s+|[。！？]+["'”’」』）]*\s*|\n+\s*/gu;
const ABBREVIATION =
  /(?:^|[\s(["'“])(?:\p{Lu}|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Jj]r|[Ss]r|[Ll]t|[Cc]ol|[Gg]en|[Ss]gt|[Rr]ev|[Hh]on|[Nn]o|[Vv]ol|[Ff]igs?|[Ee]qs?|[Aa]pprox|[Cc]a|cf|vs|viz|etc|al|e\.g|i\.e|[Ii]nc|[Ll]td|[Cc]orp|[Dd]ept|[Ee]st|[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|(?:\p{L}\.)+\p{L})\.$/u;
const LOOKED_BACK = 24;
/** A line at least this long that stops in the middle of a sentence was wrapped, and continues on the next. */
const WRAPPED = 50;
const BLOCK = /^[ \t]*(?:[-*+#>|]|\d+[.)]\s|```|~~~|<\w)/;
const GOES_ON = /^["'“‘([]*\p{Ll}/u;

/**
 * Returns the starts of sentences. An abbreviation does not end one. The end of a line does, unless the text was
 * wrapped. A row of a table is one sentence.
 */
export function sentenceStarts(text: string): Starts {
  const starts: Starts = [0];
  let line = 0;
  for (const match of text.matchAll(ENDS)) {
    const end = match.index + match[0].length;
    if (end >= text.length) break;
    const lineBreak = match[0].includes("\n");
    const continues = lineBreak ? isWrapped(text, line, match) : goesOn(text, line, match);
    if (!continues) starts.push(end);
    if (lineBreak) line = end;
  }
  return starts;
}

/** Whether the text after a single line break continues the line before it, which begins at `line`. */
function isWrapped(text: string, line: number, { index, 0: matched }: RegExpExecArray): boolean {
  if (!/^\r?\n[ \t]*$/.test(matched) || index - line < WRAPPED) return false;
  if (text[line] === "|") return false;
  const end = index + matched.length;
  return !BLOCK.test(text.slice(end, end + 8));
}

function goesOn(text: string, line: number, { index, 0: matched }: RegExpExecArray): boolean {
  if (text[line] === "|") return true;
  if (!matched.startsWith(".")) return false;
  const before = text.slice(Math.max(0, index - LOOKED_BACK), index + 1);
  const end = index + matched.length;
  return ABBREVIATION.test(before) || GOES_ON.test(text.slice(end, end + 4));
}
