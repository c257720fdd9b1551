/** Separators between the groups of a number: a space, or a dash of any length. */
const GAP = "[ \\u2010-\\u2015-]";

/** Leading digits of payment card issuers (ISO/IEC 7812). Times in milliseconds do not begin with them. */
const ISSUER = "(?=4|5[0-8]|3|6|22[2-9]|2[3-6]|27[01]|2720)";

/** Patterns of card numbers. Lengths are tried longest first, since an expiry date or another number may follow. */
export const CARDS: readonly RegExp[] = [
  `\\d{4}(?:${GAP}?\\d{4}){3}`,
  `\\d{4}${GAP}?\\d{6}${GAP}?\\d{4,5}`,
  ...[19, 18, 17, 16, 15, 14, 13].map((length) => `\\d(?:${GAP}?\\d){${length - 1}}`),
].map((digits) => new RegExp(`(?<![\\w.+-]|\\d[,:])${ISSUER}${digits}(?!\\w|[.,:-]\\d)`, "g"));

/** Whether a number has a valid Luhn check digit, and no group of fewer than three digits but the last. */
export function isCard(found: string): boolean {
  const groups = found.split(new RegExp(GAP));
  const digits = groups.join("");
  if (groups.slice(0, -1).some(({ length }) => length < 3)) return false;
  const sum = [...digits].reverse().reduce((before, digit, index) => {
    const weighed = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return before + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

/** Patterns of IBANs in groups of four. Longest first, since any word in capitals may follow. */
export const IBANS: readonly RegExp[] = [7, 6, 5, 4, 3, 2].map(
  (groups) =>
    new RegExp(`(?<!\\w)[A-Z]{2}\\d{2}(?: ?[A-Z\\d]{4}){${groups}}(?: ?[A-Z\\d]{1,3})?(?!\\w)`, "g"),
);

/** Verifies the check digits of an IBAN (ISO 7064, MOD 97-10). */
export function isIban(found: string): boolean {
  const plain = found.replaceAll(" ", "");
  const rotated = plain.slice(4) + plain.slice(0, 4);
  const remainder = [...rotated].reduce((before, character) => {
    const value = Number.parseInt(character, 36);
    return (before * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
  return remainder === 1;
}

/** Units that follow a quantity, but no telephone number. */
const UNITS =
  "%|[kmgt]?i?b(?:yte|it)?s?|[mµμun]?s(?:ec(?:ond)?s?)?|min(?:ute)?s?|h(?:ours?)?|lines?|rows?|tokens?|requests?|events?|records?|USD|EUR";
/** A quantity with a plus sign: its digits stand together or in groups of three. */
const COUNT = `\\+(?:\\d+|\\d{1,3}(?: \\d{3})+) ?(?:${UNITS})(?![\\p{L}\\p{N}])`;

const BETWEEN = `(?: ?\\(|\\)${GAP}?|${GAP}|[./])?`;

/**
 * Telephone numbers as in E.164: a plus, a country code and 8 to 15 digits in all; or without the plus, after
 * a word such as "phone".
 */
export const PHONES: readonly RegExp[] = [
  `(?<![\\p{L}\\p{N}_+.)\\]])(?!${COUNT})(?:\\+ ?|\\+?\\(\\+?)[1-9](?:${BETWEEN}\\d){7,14}`,
  `(?<![\\p{L}\\p{N}])(?:(?:tele)?phone|tel|mobile|fax)(?: number| no)?[.:=]{0,2} ?(\\(?\\d(?:${BETWEEN}\\d){8,14})`,
].map((number) => new RegExp(`${number}(?!\\w|[.:,]\\d)`, "giu"));

const DATE = /^\D?(?:19|20)\d\d[-/.]?[01]\d[-/.]?[0-3]\d(?!\d)/;

/** Whether a match is a telephone number, rather than a date or a number with a decimal point. */
export function isPhone(found: string): boolean {
  if (DATE.test(found)) return false;
  return !found.includes(".") || /\d(?:\.\d{2,}){2,}(?![.\d])/.test(found);
}
