import type { Import } from "../../facts.ts";

/** What matters in code whose strings are blanked. */
const TOKEN = /["'`] *["'`]|[\p{ID_Start}$_][\p{ID_Continue}$]*|[^\s\p{ID_Continue}$]/gu;
const REFERENCE = /^\/\/\/\s*<reference\s+path\s*=\s*["']([^"'\n]+)["']/gm;

/**
 * What a file imports by `import` and `export … from`, dynamic `import()` and `require()` with a literal, and
 * reference directives. `code` is the text with its strings blanked.
 */
export function javascriptImports(text: string, code: string): Import[] {
  const found = new Set<string>();
  let [before, beforeThat, beforeAll] = ["", "", ""];
  /** Between `import` or `export` and what they name. */
  let inClause = false;
  for (const { 0: token, index } of code.matchAll(TOKEN)) {
    if (token.length > 2 && /^["'`]/.test(token)) {
      const called = before === "(" && /^(?:import|require)$/.test(beforeThat) && beforeAll !== ".";
      const named = inClause && /^(?:from|import)$/.test(before) && token[0] !== "`";
      const specifier = text.slice(index + 1, index + token.length - 1);
      if (called || named) found.add(specifier.replace(/\\(.)/g, "$1"));
      inClause = false;
    } else if (token === "import" || token === "export") {
      inClause = before !== ".";
    } else if (/^[(=;.]$/.test(token)) {
      inClause = false;
    }
    [beforeAll, beforeThat, before] = [beforeThat, before, token];
  }
  for (const [, path = ""] of text.matchAll(REFERENCE)) found.add(path.startsWith(".") ? path : `./${path}`);
  return [...found].map((module) => ({ module }));
}
