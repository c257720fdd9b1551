import type { Line } from "../diff/file-change.ts";
import { languageOf } from "../language/language.ts";
import { hasIslands } from "../lexer/islands.ts";
import { lexisOf, SCRIPTED } from "../lexer/lexis.ts";
import { Fragment } from "./fragment.ts";

/** A hunk as what its file is written in; of markup, the scripts in it as well. */
export function fragmentsOf(path: string, lines: readonly Line[]): Fragment[] {
  const language = languageOf(path);
  const whole = new Fragment(path, language, lines, lexisOf(path, language));
  const isScripted = language === "markup" && lines.some(({ text }) => hasIslands(text, SCRIPTED.islands));
  return isScripted ? [whole, new Fragment(path, "javascript", lines, SCRIPTED)] : [whole];
}
