import { blankInterpolated } from "../blank-interpolated.ts";
import { nestedCommentEnd } from "../nested-comment.ts";

const MARKS = /\/\/[^\n]*|\/\*|(?:(?<![\w$])r)?(?:'''|"""|['"])|[{}]/g;
/** What follows the quotes of a string: raw ones have no code, and long ones go on over lines. */
const RESTS: Readonly<Record<string, RegExp>> = {
  "'": /[^'\\\n$]*(?:(?:\\[^\n]|\$(?!\{))[^'\\\n$]*)*(?:'|\$(\{)|\\?(?=\n|$))/y,
  '"': /[^"\\\n$]*(?:(?:\\[^\n]|\$(?!\{))[^"\\\n$]*)*(?:"|\$(\{)|\\?(?=\n|$))/y,
  "'''": /[^'\\$]*(?:(?:'(?!'')|\\[\s\S]|\$(?!\{))[^'\\$]*)*(?:'''|\$(\{)|\\?$)/y,
  '"""': /[^"\\$]*(?:(?:"(?!"")|\\[\s\S]|\$(?!\{))[^"\\$]*)*(?:"""|\$(\{)|\\?$)/y,
  "r'": /[^'\n]*(?:'|(?=\n|$))/y,
  'r"': /[^"\n]*(?:"|(?=\n|$))/y,
  "r'''": /[\s\S]*?(?:'''|$)/y,
  'r"""': /[\s\S]*?(?:"""|$)/y,
};

/** Blanks comments, which nest, and strings. The code in strings stays. */
export function blankDart(text: string): string {
  return blankInterpolated(text, { marks: MARKS, restOf: (opening) => RESTS[opening], endOf });
}

function endOf(text: string, start: number): number | undefined {
  return text.startsWith("/*", start) ? nestedCommentEnd(text, start) : undefined;
}
