import { namesAlone } from "../any-script.ts";
import { blankInterpolated } from "../blank-interpolated.ts";

const MARKS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*|'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'|[$@]{0,20}(?:"{3,100}|")|[{}]/g;
const rests = new Map<string, RegExp>();

/** Blanks comments, directives and strings. The code in interpolated strings stays. */
export function blankCsharp(text: string): string {
  return namesAlone(blankInterpolated(text, { marks: MARKS, restOf }));
}

function restOf(opening: string): RegExp | undefined {
  if (!/^[$@]*"+$/.test(opening)) return undefined;
  const rest = rests.get(opening) ?? new RegExp(formOf(opening), "y");
  rests.set(opening, rest);
  return rest;
}

function formOf(opening: string): string {
  const quotes = opening.replace(/[$@]+/, "").length;
  const dollars = opening.replace(/[^$]/g, "").length;
  if (quotes > 2) return `[\\s\\S]*?(?:"{${quotes}}${dollars > 0 ? `|(\\{{${dollars}}(?!\\{))` : ""}|$)`;
  const [brace, doubled, code] = dollars > 0 ? ["{", "|\\{\\{", "|(\\{)"] : ["", "", ""];
  return opening.includes("@")
    ? `[^"${brace}]*(?:(?:""${doubled})[^"${brace}]*)*(?:"${code}|$)`
    : `[^"\\\\\\n${brace}]*(?:(?:\\\\[^\\n]${doubled})[^"\\\\\\n${brace}]*)*(?:"${code}|\\\\?(?=\\n|$))`;
}
