import { namesAlone } from "../any-script.ts";
import { blankInterpolated } from "../blank-interpolated.ts";
import { nestedCommentEnd } from "../nested-comment.ts";

/** A string has code in it if a name stands right before it, of which the last letter is enough. */
const MARKS = /\/\/[^\n]*|\/\*|\w?"(?:"")?|'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'|`[^`\n]*`|[{}]/g;
const LINE = /[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?:"|\\?(?=\n|$))/y;
const RAW = /[^"]*(?:"(?!"")[^"]*)*(?:"{3,}|$)/y;
const LINE_WITH_CODE = /[^"\\\n$]*(?:(?:\\[^\n]|\$[$"]|\$(?![{$"]))[^"\\\n$]*)*(?:"|\$(\{)|\\?(?=\n|$))/y;
const RAW_WITH_CODE = /[^"$]*(?:(?:"(?!"")|\$\$|\$(?![{$]))[^"$]*)*(?:"{3,}|\$(\{)|$)/y;

/** Blanks comments, which nest, strings, and names in backticks. The code in strings stays. */
export function blankScala(text: string): string {
  return namesAlone(blankInterpolated(text, { marks: MARKS, restOf, endOf }));
}

function restOf(opening: string): RegExp | undefined {
  if (!/^\w?"+$/.test(opening)) return undefined;
  const hasCode = !opening.startsWith('"');
  if (opening.endsWith('"""')) return hasCode ? RAW_WITH_CODE : RAW;
  return hasCode ? LINE_WITH_CODE : LINE;
}

function endOf(text: string, start: number): number | undefined {
  return text.startsWith("/*", start) ? nestedCommentEnd(text, start) : undefined;
}
