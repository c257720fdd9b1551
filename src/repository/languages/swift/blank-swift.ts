import { namesAlone } from "../any-script.ts";
import { blankInterpolated } from "../blank-interpolated.ts";
import { nestedCommentEnd } from "../nested-comment.ts";

/** A slash begins a pattern where no operand stands before it, and neither a space nor another slash behind it. */
const MARKS =
  /\/\/[^\n]*|\/\*|#{0,20}"(?:"")?|#{1,20}\/|\/(?<=(?:[=(,:[{!&|?;]|\breturn)[ \t]{0,4}\/)(?![\s/*)])[^/\\\n]*(?:\\[^\n][^/\\\n]*)*\/|^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*|`[^`\n]*`|[()]/gm;
const rests = new Map<string, RegExp>();

/** Blanks comments, which nest, strings, patterns, conditions of the compiler and names in backticks. */
export function blankSwift(text: string): string {
  return namesAlone(blankInterpolated(text, { marks: MARKS, brackets: "()", restOf, endOf }));
}

function restOf(opening: string): RegExp | undefined {
  if (!/^(?:#*"|#+\/)/.test(opening)) return undefined;
  const rest = rests.get(opening) ?? new RegExp(formOf(opening), "y");
  rests.set(opening, rest);
  return rest;
}

/** Of a string with number signs, quotes and backslashes mean themselves unless as many of these are beside them. */
function formOf(opening: string): string {
  const signs = opening.replace(/[^#]/g, "");
  if (opening.endsWith("/")) return `[\\s\\S]*?(?:\\/${signs}|$)`;
  const isLong = opening.endsWith('"""');
  const [line, more, end] = isLong ? ["", '""', "$"] : ["\\n", "", "(?=\\n|$)"];
  const plain = `[^"\\\\${line}]*`;
  const escaped = `\\\\(?!${signs}\\()(?:${signs}[^\\n])?`;
  return `${plain}(?:(?:"(?!${more}${signs})|${escaped})${plain})*(?:"${more}${signs}|\\\\${signs}(\\()|${end})`;
}

function endOf(text: string, start: number): number | undefined {
  return text.startsWith("/*", start) ? nestedCommentEnd(text, start) : undefined;
}
