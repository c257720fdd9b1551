/** Sources of patterns for `inAnyScript`, with the flag `u`. */
export const CONSTANT = String.raw`[\p{Lu}\p{Lt}]\w*`;
/** A constant with those that hold it, up to a number that no program reaches: `Shop::Cart`. */
export const CONSTANT_PATH = `(?:::)?${CONSTANT}(?:::${CONSTANT}){0,31}`;
