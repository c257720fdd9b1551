import type { Line } from "../diff/file-change.ts";
import { languageOfFile } from "../language/language.ts";
import { lexisOf, SCRIPTED } from "../lexer/lexis.ts";
import { hasIslands } from "../lexer/markup.ts";
import { Fragment, type OtherFiles } from "./fragment.ts";

/** Reads a hunk in the language of its file. Markup with scripts gives a second fragment, of JavaScript. */
export function fragmentsOf(path: string, lines: readonly Line[], project: OtherFiles): Fragment[] {
  const [first] = lines;
  const language = languageOfFile(path, first?.number === 1 ? first.text : undefined);
  const whole = new Fragment(path, language, lines, lexisOf(path, language), project);
  const isScripted = language === "markup" && lines.some(({ text }) => hasIslands(text, SCRIPTED.islands));
  return isScripted ? [whole, new Fragment(path, "javascript", lines, SCRIPTED, project)] : [whole];
}
