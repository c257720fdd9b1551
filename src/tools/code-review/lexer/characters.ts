export const NEWLINE = 10;
const [TAB, BLANK] = [9, 32];
const [ZERO, NINE] = [48, 57];

/** The mark of the byte order, with which an editor may begin a file. */
const MARK = 0xfeff;

export function isSpace(code: number): boolean {
  return code === BLANK || code === TAB || code === MARK;
}

/** Whether only blanks stand before an offset on its line. */
export function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (isSpace(text.charCodeAt(before))) before--;
  return before < 0 || text.charCodeAt(before) === NEWLINE;
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether a character is a letter, a digit, `_` or beyond ASCII, for identifiers in any script. */
export function isWordPart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    isDigit(code) ||
    code === 95 ||
    (code > 127 && code !== MARK)
  );
}
