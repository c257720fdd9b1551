/** What matters of JavaScript and TypeScript here; a template is one piece, whatever is in it. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|\S/gu;
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/uy;
/** Behind one of these a slash divides. */
const ENDS_OPERAND = /^[\p{ID_Continue}$)\]"'`]/u;
const BEFORE_OPERAND = /^(return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|default)$/;

/**
 * The module specifiers of a file: `import` and `export … from`, dynamic `import()` and `require()`
 * with a literal. Comments, strings, templates and regular expressions are told apart; JSX is read as
 * if it were code, which may lose an import that stands in one line with an apostrophe of its text.
 */
export function javascriptImports(text: string): string[] {
  const found = new Set<string>();
  let [before, beforeThat, beforeAll] = ["", "", ""];
  /** Between `import` or `export` and what they name. */
  let inClause = false;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    let token = match[0];
    if (/^\/[/*]/.test(token) && token.length > 1) continue;
    if (token === "/" && beginsOperand(before)) {
      REGULAR_EXPRESSION.lastIndex = match.index;
      const expression = REGULAR_EXPRESSION.exec(text)?.[0];
      if (expression) {
        TOKEN.lastIndex = match.index + expression.length;
        token = ")";
      }
    }
    if (/^["']/.test(token) && token.length > 2) {
      const called = before === "(" && /^(import|require)$/.test(beforeThat) && beforeAll !== ".";
      if (called || (inClause && /^(from|import)$/.test(before))) found.add(unquoted(token));
      inClause = false;
    } else if (/^(import|export)$/.test(token)) {
      inClause = before !== ".";
    } else if (/^[(=;.]$/.test(token)) {
      inClause = false;
    }
    [beforeAll, beforeThat, before] = [beforeThat, before, token];
  }
  return [...found];
}

function beginsOperand(before: string): boolean {
  return before === "" || BEFORE_OPERAND.test(before) || !ENDS_OPERAND.test(before);
}

function unquoted(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, "$1");
}
