/** A letter of a script other than Latin, in which no secrets are generated. Some have no spaces between words. */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;
/** Punctuation of sentences beyond ASCII: `、`, `。`, `！`, `؟`. */
const PUNCTUATION = /[\u055c-\u055e\u060c\u061b\u061f\u0964\u2026\u3001-\u3011\uff01-\uff1f]/;

/** Whether a value is text for people, even without spaces: `パスワードは8文字以上で入力してください。` */
export function isReadableText(value: string): boolean {
  return FOREIGN_LETTER.test(value) || PUNCTUATION.test(value);
}
