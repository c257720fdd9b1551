/** Sources of regular expressions with the flag `u`. */
export const CONSTANT = String.raw`\p{Lu}[\w\x80-\u{10ffff}]*`;
/** A constant with those that hold it, up to a number that no program reaches: `Shop::Cart`. */
export const CONSTANT_PATH = `(?:::)?${CONSTANT}(?:::${CONSTANT}){0,31}`;
