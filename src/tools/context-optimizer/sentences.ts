/** Where pieces of a text begin; together with its end they part it without a gap. */
export type Starts = number[];

const ENDS = /[.!?…]+["'”’»)\]]*\s+|[。！？]+["'”’」』）]*\s*|\n+\s*/gu;
const ABBREVIATION =
  /(?:^|[\s(["'“])(?:\p{Lu}|[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Jj]r|[Ss]r|[Ll]t|[Cc]ol|[Gg]en|[Ss]gt|[Rr]ev|[Hh]on|[Nn]o|[Vv]ol|[Ff]igs?|[Ee]qs?|[Aa]pprox|[Cc]a|cf|vs|viz|etc|al|e\.g|i\.e|[Ii]nc|[Ll]td|[Cc]orp|[Dd]ept|[Ee]st|[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|(?:\p{L}\.)+\p{L})\.$/u;
const LOOKED_BACK = 24;
const GOES_ON = /^["'“‘([]*\p{Ll}/u;

/** Begins a sentence behind each that ends, not behind an abbreviation; a line's end ends one too. */
export function sentenceStarts(text: string): Starts {
  const starts: Starts = [0];
  for (const match of text.matchAll(ENDS)) {
    const end = match.index + match[0].length;
    if (end >= text.length) break;
    if (match[0].startsWith(".") && !match[0].includes("\n")) {
      const before = text.slice(Math.max(0, match.index - LOOKED_BACK), match.index + 1);
      if (ABBREVIATION.test(before) || GOES_ON.test(text.slice(end, end + 4))) continue;
    }
    starts.push(end);
  }
  return starts;
}
