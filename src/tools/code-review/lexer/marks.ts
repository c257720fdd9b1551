/** Marks of more than one character, of all languages. */
const MARKS: ReadonlySet<string> = new Set(
  "=== !== ... **= ??= &&= ||= <=> => == != <= >= -> :: := ?. += -= *= /= .= |= && || ?? << >> ++ -- ** =~ !~ <- ..".split(
    " ",
  ),
);
/** Characters that can be second in such a mark. */
const SECOND = "=.*?&|>:+-<~";

/** Returns the length of the longest mark at an offset. */
export function markLength(text: string, at: number): number {
  if (!SECOND.includes(text[at + 1] ?? " ")) return 1;
  if (MARKS.has(text.slice(at, at + 3))) return 3;
  return MARKS.has(text.slice(at, at + 2)) ? 2 : 1;
}
