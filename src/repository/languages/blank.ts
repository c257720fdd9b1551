/**
 * The text with all that stands in comments and strings blanked, position for position and line for line:
 * quotes stay, so that a string is seen to be one. `literals` matches a comment or a string at a time, to the
 * end of the text where it is not closed.
 */
export function blank(text: string, literals: RegExp): string {
  return text.replace(literals, (literal) => {
    const opening = /^\w{0,3}["'`]/.exec(literal)?.[0].length;
    return opening === undefined ? spaces(literal) : spaces(literal, opening, 1);
  });
}

/** Blanks but so many characters at both ends. */
export function spaces(text: string, head = 0, tail = 0): string {
  const end = Math.max(head, text.length - tail);
  return text.slice(0, head) + text.slice(head, end).replace(/[^\n]+/g, blanksOf) + text.slice(end);
}

function blanksOf({ length }: string): string {
  return " ".repeat(length);
}

/** C's comments, and strings that end with their line. */
export const C_LITERALS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\\\n]{0,12}(?:\\.[^'\\\n]{0,12}){0,12}'/g;
