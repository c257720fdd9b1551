/** Marks of more than one character, of all languages. */
const MARKS: ReadonlySet<string> = new Set(
  "=== !== ... **= ??= &&= ||= <=> => == != <= >= -> :: := ?. += -= *= /= .= |= && || ?? << >> ++ -- ** =~ !~ <- ..".split(
    " ",
  ),
);
/** What may stand second in one. */
const SECOND = "=.*?&|>:+-<~";

/** The length of the mark that stands here: the longest that there is. */
export function markLength(text: string, at: number): number {
  if (!SECOND.includes(text[at + 1] ?? " ")) return 1;
  if (MARKS.has(text.slice(at, at + 3))) return 3;
  return MARKS.has(text.slice(at, at + 2)) ? 2 : 1;
}
