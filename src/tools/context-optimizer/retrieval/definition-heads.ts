/** Words that begin a statement, whose brackets and body are no declaration's. */
const STATEMENT =
  /^\s*(?:if|else|elseif|elsif|for|foreach|while|do|switch|match|when|case|try|catch|finally|with|using|lock|fixed|checked|unchecked|synchronized|unless|until|guard|select|return|co_return|co_await|co_yield|yield|await|throw|new|delete|defer|goto|go|assert|print|echo|typeof|sizeof|super|this|base)\b/;
/** Attributes, a type, modifiers and a name, up to the bracket of the parameters. */
const HEAD =
  /^\s*(?:\[[^\]"']*(?:"[^"]*"[^\]"']*)*\]\s*)*[\p{L}_$~#@][\p{L}\p{N}_$<>[\],.:*&?~#@ \t]*?(?:operator\s*\S{1,3}\s*|[\p{L}\p{N}_$>\]]\s*)\(/u;
const MODIFIER =
  /^\s*(?:\[[^\]]*\]\s*)*(?:public|private|protected|internal|static|override|virtual|async|sealed|partial|unsafe|extern|new)\s/;
/** A type in front of the name, as `okhttp3.Call.Factory` and `@Nullable T` are. */
const TYPED = /^\s*(?!val\b|var\b|let\b)[\p{L}_@][^(]*\s[^\s(]+\s*\(/u;
/** What may stand between the parameters and the body: a return type, exceptions, constraints, initialisers. */
const AFTER = /^[^;={}]*$/;
/** Initialisers in front of an empty body end with both braces. */
const BODY = /\{\s*\}?\s*$/;
const OPENS = /^\s*\{\s*(?:\/\/.*|\/\*.*\*\/\s*)?$/;

/** A head is looked at no further than this. */
const MAX_LINES = 30;
const MAX_LINE = 1000;

/**
 * Whether a method or function of a language without a keyword for it begins in a line, and its body further down: with
 * the brace on a line of its own, as in C# and C, or parameters on several lines.
 */
export function isHead(lines: readonly string[], line: number): boolean {
  const first = lines[line] as string;
  if (first.length > MAX_LINE || STATEMENT.test(first) || !HEAD.test(first)) return false;
  const last = Math.min(lines.length, line + MAX_LINES);
  let depth = 0;
  for (let at = line; at < last; at++) {
    const text = lines[at] as string;
    if (text.length > MAX_LINE) return false;
    for (let index = at === line ? first.indexOf("(") : 0; index < text.length; index++) {
      const character = text[index];
      if (character === "(") depth++;
      else if (character === ")" && --depth === 0) return hasBody(lines, line, at, text.slice(index + 1));
      // Statements in the brackets are a callback's: `app.get("/", () => {`.
      else if (character === ";") return false;
    }
  }
  return false;
}

/** Whether a body follows the parameters, which end in line `at` before `rest`. */
function hasBody(lines: readonly string[], head: number, at: number, rest: string): boolean {
  const start = (lines[head] as string).search(/\S/);
  if (/^[^;{}="]*=>/.test(rest)) return MODIFIER.test(lines[head] as string);
  if (/\{\s*$/.test(rest)) return (at > head || TYPED.test(lines[head] as string)) && isAfter(rest);
  if (!AFTER.test(rest)) return false;
  for (let next = at + 1; next < Math.min(lines.length, at + MAX_LINES); next++) {
    const text = lines[next] as string;
    const indent = text.search(/\S/);
    if (OPENS.test(text)) return indent === start;
    if ((indent <= start && !/^\s*->/.test(text)) || text.length > MAX_LINE) return false;
    if (/^\s*=>/.test(text)) return MODIFIER.test(lines[head] as string);
    if (BODY.test(text) && isAfter(text)) return true;
    if (!isAfter(text)) return false;
  }
  return false;
}

/** Whether a text may stand between parameters and body, whose brace it may end with. Initialisers have braces, too. */
function isAfter(text: string): boolean {
  return AFTER.test(text.replace(BODY, "").replace(/\{[^{}]*\}/g, ""));
}
