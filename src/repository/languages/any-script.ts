/**
 * What is neither ASCII nor in a name: by Unicode's rule (UAX #31), which most languages follow, with what Java (signs of
 * currencies) and JavaScript (joiners) add. A byte that is no UTF-8 counts as a letter: older files have other encodings.
 */
const NO_NAME = /[^\0-\x7f\p{ID_Continue}\p{Sc}\p{Join_Control}\ufffd]/gu;
/** A character of a name that is not ASCII. Supplementary ones are two of these. */
const LETTERS = String.raw`\x80-\uffff`;
const PARTS = /\\[\s\S]|[[\]]|[Aa]-[Zz]/g;

/**
 * Makes a pattern hold for names in any script: `\w` becomes any character of a name, and `A-Z` and `a-z` in a class also
 * any letter that is not ASCII. For code of which `namesAlone` has left names only, so that a range of characters can stand
 * for Unicode's tables, which take ten times as long. `\b` stays as it is: write `(?<!\w)` and `(?!\w)`.
 */
export function inAnyScript({ source, flags }: RegExp): RegExp {
  const letters = flags.includes("u") ? String.raw`\x80-\u{10ffff}` : LETTERS;
  let isInClass = false;
  const wide = source.replace(PARTS, (part) => {
    if (part === "[" || part === "]") isInClass = part === "[";
    if (part === String.raw`\w`) return isInClass ? part + letters : `[${part}${letters}]`;
    return isInClass && /^.-.$/.test(part) ? part + letters : part;
  });
  return new RegExp(wide, flags);
}

/** Global: the names in a text, and its numbers. */
export const WORDS = inAnyScript(/\w+/g);

/** A name that may be a class's: other scripts than Latin, Greek and Cyrillic have no capital letters to tell. */
export const CAPITAL = inAnyScript(/^[A-Z]/);

/**
 * Blanks what is neither ASCII nor in a name, such as spaces that are not ASCII, in code whose comments and strings are
 * blank. PHP and Ruby have no need of it: there, all that is not ASCII is a letter.
 */
export function namesAlone(code: string): string {
  return /[\x80-\uffff]/.test(code) ? code.replace(NO_NAME, ({ length }) => " ".repeat(length)) : code;
}
