import { namesAlone } from "../any-script.ts";
import { blankInterpolated } from "../blank-interpolated.ts";

const MARKS = /\/\/[^\n]*|\/\*|"""|"|'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'|`[^`\n]*`|[{}]/g;
const COMMENT_MARK = /\/\*|\*\//g;
const LINE = /[^"\\\n$]*(?:(?:\\[^\n]|\$(?!\{))[^"\\\n$]*)*(?:"|\$(\{)|\\?(?=\n|$))/y;
const RAW = /[^"$]*(?:(?:"(?!"")|\$(?!\{))[^"$]*)*(?:"{3,}|\$(\{)|$)/y;

/** Blanks comments, which nest, strings, and names in backticks. The code in strings stays. */
export function blankKotlin(text: string): string {
  const restOf = (opening: string) => (opening === '"' ? LINE : opening === '"""' ? RAW : undefined);
  return namesAlone(blankInterpolated(text, { marks: MARKS, restOf, endOf }));
}

function endOf(text: string, start: number): number | undefined {
  if (!text.startsWith("/*", start)) return undefined;
  let depth = 0;
  COMMENT_MARK.lastIndex = start;
  for (let mark = COMMENT_MARK.exec(text); mark; mark = COMMENT_MARK.exec(text)) {
    depth += mark[0] === "/*" ? 1 : -1;
    if (depth === 0) return COMMENT_MARK.lastIndex;
  }
  return text.length;
}
