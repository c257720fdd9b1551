/**
 * Accents of Latin, Greek, Cyrillic and Arabic letters, and Hebrew points. The vowels of Indian scripts and of Thai are marks
 * too, but make other words, as do the voiced sounds of kana (U+3099 and U+309A).
 */
const ACCENTS = /(?:(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}](?<=\p{M}))+/gu;

/** Returns a text in compatible, composed characters without accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
}
