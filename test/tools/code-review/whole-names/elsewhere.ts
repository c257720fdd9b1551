import { type Language, languageOf } from "../../../../src/tools/code-review/language/language.ts";
import { findingsIn } from "../cases.ts";
import type { Example } from "./examples.ts";

/** A statement that is unrelated to the code around it, by language. */
const OTHER: Partial<Record<Language, string>> = {
  javascript: "zeta(1);",
  python: "zeta(1)",
  go: "var zeta = 1",
  java: "int zeta = 1;",
  ruby: "zeta(1)",
  c: "int zeta = 1;",
  cpp: "int zeta = 1;",
  csharp: "int zeta = 1;",
  rust: "let zeta = 1;",
  shell: "zeta one",
};

/** Returns code with a statement above and below it, or undefined if not every file of the kind allows that. */
export function betweenOthers(path: string, code: string): string | undefined {
  const other = OTHER[languageOf(path)];
  return other && `${other}\n${code}\n${other}`;
}

/** Indents code by two columns. */
export const furtherIn = (code: string) => code.replace(/^(?=.)/gm, "  ");

/** Returns examples whose findings differ between other statements, or when indented. */
export function toldOtherwise(examples: readonly Example[]): unknown[] {
  return examples.flatMap(({ rule, path, code }) => {
    const surrounded = betweenOthers(path, code);
    if (surrounded === undefined) return [];
    const said = (text: string, lines = 0, columns = 0) =>
      findingsIn(path, text, { rules: { only: [rule] } }).map(
        ({ line, column, severity, message }) => `${line - lines}:${column - columns} ${severity} ${message}`,
      );
    const alone = said(code);
    const between = said(surrounded, 1);
    // Git writes its markers only at the beginning of lines.
    const deeper = rule === "merge-conflict-marker" ? alone : said(furtherIn(code), 0, 2);
    const isSame = [between, deeper].every((found) => found.join() === alone.join());
    return isSame ? [] : [{ path, code, alone, between, deeper }];
  });
}
