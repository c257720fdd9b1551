/** Letters of a script that puts no spaces between its words, or that no generator of secrets writes with. */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;
/** How sentences are parted and ended where it is not by ASCII's signs: `、`, `。`, `！`, `؟`. */
const PUNCTUATION = /[\u055c-\u055e\u060c\u061b\u061f\u0964\u2026\u3001-\u3011\uff01-\uff1f]/;

/** What people are to read, though nothing parts its words: `パスワードは8文字以上で入力してください。` */
export function isReadableText(value: string): boolean {
  return FOREIGN_LETTER.test(value) || PUNCTUATION.test(value);
}
