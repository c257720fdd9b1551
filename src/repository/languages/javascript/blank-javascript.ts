import { spaces } from "../blank.ts";

/** Characters that may begin a comment, string, template or regular expression, or that change the depth of braces. */
const BEGINNING = /["'`/{}]/g;
const LITERALS: Readonly<Record<string, RegExp>> = {
  "//": /[^\n]*/y,
  "/*": /[\s\S]*?(?:\*\/|$)/y,
  // The group is empty if the string is not closed.
  '"': /"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*("?)/y,
  "'": /'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*('?)/y,
  // Up to the end of the template, or to the code in it.
  "`": /[^`\\$]*(?:(?:\\(?:[\s\S]|$)|\$(?!\{))[^`\\$]*)*(?:`|\$\{|$)/y,
  "/": /\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,100}\]|[^/\\\n[]){1,400}\/\w*/y,
};
/** A character of a name, or the half of one. */
const IN_WORD = /[\p{ID_Continue}$\ud800-\udfff]/u;
const WORD_BEFORE = /[\p{ID_Continue}$\ud800-\udfff]+$/u;
/** After one of these words a slash begins a regular expression and a quote a string. */
const BEFORE_OPERAND =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|default|from|import|export|as|extends)$/;

/**
 * Blanks the contents of comments, strings, templates and regular expressions in JavaScript, TypeScript or JSX. Text in
 * JSX is read as code, so an apostrophe within a word does not begin a string.
 */
export function blankJavascript(text: string): string {
  const parts: string[] = [];
  /** For each template around the position, the braces open in its code. */
  const templates: number[] = [];
  let from = 0;
  /** For each kind of quote, where the last of them that is not closed was looked for: none before that is. */
  const unclosed = new Map<string, number>();
  const blankFrom = (start: number, kind: string, head = 0, tail = 0): void => {
    const pattern = LITERALS[kind] as RegExp;
    pattern.lastIndex = start;
    const [literal, closing] = pattern.exec(text) ?? [];
    if (closing === "") unclosed.set(kind, pattern.lastIndex);
    if (literal === undefined || closing === "") return;
    const isCode = literal.endsWith("${");
    if (isCode) templates.push(0);
    parts.push(text.slice(from, start), spaces(literal, head, isCode ? 2 : tail));
    from = start + literal.length;
    BEGINNING.lastIndex = from;
  };

  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match; match = BEGINNING.exec(text)) {
    const { index } = match;
    const [mark] = match;
    if (mark === "{" || mark === "}") {
      const inner = templates.at(-1);
      if (inner === undefined) continue;
      if (mark === "{") templates[templates.length - 1] = inner + 1;
      else if (inner > 0) templates[templates.length - 1] = inner - 1;
      else {
        templates.pop();
        blankFrom(index + 1, "`", 0, 1);
      }
    } else if (mark === "`") {
      parts.push(text.slice(from, index + 1));
      from = index + 1;
      blankFrom(index + 1, "`", 0, 1);
    } else if (mark === "/") {
      const two = text.slice(index, index + 2);
      if (two === "//" || two === "/*") {
        if (!(two === "//" && text[index - 1] === ":" && isWithinText(text, index))) blankFrom(index, two);
      } else if (beginsExpression(text, index)) blankFrom(index, "/", 1, 1);
    } else if (index >= (unclosed.get(mark) ?? 0) && !isApostrophe(text, index)) {
      blankFrom(index, mark, 1, 1);
    }
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** Whether slashes belong to an `https://…` between tags. */
function isWithinText(text: string, index: number): boolean {
  return /https?:$/.test(text.slice(index - 6, index));
}

function isApostrophe(text: string, index: number): boolean {
  const before = IN_WORD.test(text[index - 1] ?? "")
    ? WORD_BEFORE.exec(text.slice(Math.max(0, index - 12), index))?.[0]
    : undefined;
  return before !== undefined && !BEFORE_OPERAND.test(before);
}

function beginsExpression(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 100), index).trimEnd();
  const last = before.at(-1);
  if (last === undefined) return true;
  if (last === "<" || (text[index + 1] === ">" && /["'}]/.test(last))) return false;
  if (/[)\]"'`]/.test(last)) return false;
  // A brace ends a block more often than an object, so a regular expression follows it. A space after the slash marks a
  // division.
  if (last === "}") return text[index + 1] !== " ";
  if (!IN_WORD.test(last)) return true;
  const word = WORD_BEFORE.exec(before)?.[0];
  return word === undefined || (BEFORE_OPERAND.test(word) && before.at(-word.length - 1) !== ".");
}
