import { namesAlone } from "../any-script.ts";
import { blankInterpolated } from "../blank-interpolated.ts";
import { nestedCommentEnd } from "../nested-comment.ts";

const MARKS = /\/\/[^\n]*|\/\*|"""|"|'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'|`[^`\n]*`|[{}]/g;
const LINE = /[^"\\\n$]*(?:(?:\\[^\n]|\$(?!\{))[^"\\\n$]*)*(?:"|\$(\{)|\\?(?=\n|$))/y;
const RAW = /[^"$]*(?:(?:"(?!"")|\$(?!\{))[^"$]*)*(?:"{3,}|\$(\{)|$)/y;

/** Blanks comments, which nest, strings, and names in backticks. The code in strings stays. */
export function blankKotlin(text: string): string {
  const restOf = (opening: string) => (opening === '"' ? LINE : opening === '"""' ? RAW : undefined);
  return namesAlone(blankInterpolated(text, { marks: MARKS, restOf, endOf }));
}

function endOf(text: string, start: number): number | undefined {
  return text.startsWith("/*", start) ? nestedCommentEnd(text, start) : undefined;
}
