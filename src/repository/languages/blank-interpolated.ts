import { spaces } from "./blank.ts";

/** The literals of a language whose strings contain code. */
export interface Literals {
  /** Global: a comment, a literal without code, what opens a string with code, or one of the brackets around code. */
  marks: RegExp;
  /** The brackets around code in strings, if they are not braces. */
  brackets?: "()";
  /**
   * For what opens a string, what follows: sticky, up to the end of the string or to code, which group 1 opens with
   * brackets. Undefined for a comment or literal as a whole.
   */
  restOf(opening: string): RegExp | undefined;
  /** Where a comment that begins here ends, if `marks` cannot tell. */
  endOf?(text: string, start: number): number | undefined;
}

/** Replaces comments and strings with spaces, as `blank` does, but keeps the code within strings. */
export function blankInterpolated(text: string, { marks, brackets, restOf, endOf }: Literals): string {
  const [opening, closing] = brackets ?? "{}";
  const parts: string[] = [];
  let from = 0;
  const within: { rest: RegExp; closing: number; open: number }[] = [];
  const blankUpTo = (start: number, end: number, head: number, tail: number) => {
    parts.push(text.slice(from, start), spaces(text.slice(start, end), head, tail));
    from = end;
    marks.lastIndex = end;
  };
  const blankString = (start: number, textAt: number, rest: RegExp, head: number) => {
    rest.lastIndex = textAt;
    const code = rest.exec(text)?.[1];
    const end = Math.max(rest.lastIndex, textAt);
    if (code !== undefined) within.push({ rest, closing: code.length, open: 0 });
    blankUpTo(start, end, head, code === undefined ? 1 : 0);
  };

  marks.lastIndex = 0;
  for (let match = marks.exec(text); match; match = marks.exec(text)) {
    const { index, 0: mark } = match;
    const string = within.at(-1);
    if (mark === opening) {
      if (string) string.open++;
    } else if (mark === closing) {
      if (!string || string.open-- > 0) continue;
      within.pop();
      blankString(index, index + string.closing, string.rest, 0);
    } else {
      const rest = restOf(mark);
      const end = endOf?.(text, index) ?? index + mark.length;
      if (rest) blankString(index, index + mark.length, rest, mark.length);
      else if (/^['`]/.test(mark)) blankUpTo(index, end, 1, 1);
      else blankUpTo(index, end, 0, 0);
    }
  }
  parts.push(text.slice(from));
  return parts.join("");
}
