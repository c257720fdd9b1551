/**
 * Replaces the contents of comments and strings with spaces, keeping positions and line breaks. Quotes stay, so that
 * strings remain recognisable. `literals` matches one comment or string at a time, up to the end of the text, or of the
 * line, where it is not closed: what is left unread would be read again from every quote in it.
 */
export function blank(text: string, literals: RegExp): string {
  return text.replace(literals, (literal) => {
    const opening = /^\w{0,3}["'`]/.exec(literal)?.[0].length;
    return opening === undefined ? spaces(literal) : spaces(literal, opening, 1);
  });
}

/** Replaces all but the first `head` and the last `tail` characters with spaces, keeping line breaks. */
export function spaces(text: string, head = 0, tail = 0): string {
  const end = Math.max(head, text.length - tail);
  return text.slice(0, head) + text.slice(head, end).replace(/[^\n]+/g, blanksOf) + text.slice(end);
}

function blanksOf({ length }: string): string {
  return " ".repeat(length);
}

/** Comments as in C, and strings that end with their line at the latest. */
export const C_LITERALS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]{0,12}(?:\\.[^'\\\n]{0,12}){0,12}'/g;
