import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";

/** Keywords that begin an import, in code whose strings are blanked. */
const KEYWORD = inAnyScript(/(?<![\w$])(?:import|export|require)(?![\w$])/g);
/** A token after such a keyword, up to and including the specifier. */
const TOKEN = inAnyScript(/["'`] *["'`]|[A-Za-z$_][\w$]*|[^\s\w$]/g);
/** A call with a literal: in `import("./" + name)` it is only a part of what is imported. */
const CALLED = /\s*\(\s*(?=(["'`]) +\1\s*[),])/y;
/** The dot of a member access, not of a spread. */
const MEMBER = /(?<!\.\.)\.\s*$/;
const MAX_SPACE = 100;
const REFERENCE = /^\/\/\/\s*<reference\s+path\s*=\s*["']([^"'\n]+)["']/gm;

/**
 * Returns what a file imports by `import` and `export … from`, dynamic `import()` and `require()` with a literal, and
 * reference directives. `code` is the text with its strings blanked.
 */
export function javascriptImports(text: string, code: string): Import[] {
  const found = new Set<string>();
  for (const { 0: keyword, index } of code.matchAll(KEYWORD)) {
    if (MEMBER.test(code.slice(Math.max(0, index - MAX_SPACE), index))) continue;
    const behind = index + keyword.length;
    const at =
      (keyword === "export" ? undefined : calledWith(code, behind)) ??
      (keyword === "require" ? undefined : namedBehind(code, behind, keyword));
    if (at === undefined) continue;
    TOKEN.lastIndex = at;
    const length = TOKEN.exec(code)?.[0].length ?? 0;
    found.add(text.slice(at + 1, at + length - 1).replace(/\\(.)/g, "$1"));
  }
  for (const [, path = ""] of text.matchAll(REFERENCE)) found.add(path.startsWith(".") ? path : `./${path}`);
  return [...found].map((module) => ({ module }));
}

/** Returns the position of the string passed to `import(` or `require(`. */
function calledWith(code: string, behind: number): number | undefined {
  CALLED.lastIndex = behind;
  return CALLED.test(code) ? CALLED.lastIndex : undefined;
}

/** Returns the position of the specifier of a clause: `{ a, b as c } from "…"`, or `"…"` alone. */
function namedBehind(code: string, behind: number, keyword: string): number | undefined {
  let before = keyword;
  TOKEN.lastIndex = behind;
  for (let match = TOKEN.exec(code); match; match = TOKEN.exec(code)) {
    const [token] = match;
    if (token.length > 2 && /^["'`]/.test(token))
      return token[0] !== "`" && /^(?:from|import)$/.test(before) ? match.index : undefined;
    if (/^(?:[(=;.]|import|export)$/.test(token)) return undefined;
    before = token;
  }
  return undefined;
}
