import { isWordPart } from "./characters.ts";
import type { Lexer } from "./lexer.ts";
import type { StringForm } from "./lexis.ts";
import { HOLE_CLOSE, HOLE_OPEN, TEMPLATE_CLOSE, TEMPLATE_OPEN } from "./token.ts";

/** Maximum nesting of holes. Deeper ones are read as text. */
const DEEPEST = 6;
const PAIRS: Readonly<Record<string, string>> = { "]": "[", ")": "(", "}": "{" };
/** Bound on the characters read in vain for ends of strings: a multiple of the text's length, so time is linear. */
const [PATIENCE, MIN_PATIENCE] = [8, 10_000];

/**
 * Reads the string at the current offset as one token or, with holes, as a group between template brackets.
 * Returns false and reads nothing if the quote is never closed.
 *
 * @param end offset of the closing delimiter, if known: the string may contain the same text.
 */
export function scanString(lexer: Lexer, form: StringForm, end?: number): boolean {
  const { text } = lexer;
  if (isOutOfPatience(lexer)) return false;
  const before = lexer.state();
  const start = lexer.at;
  let chunk = start + form.open.length;
  let [chunkLine, chunkLineStart] = [lexer.line, lexer.lineStart];
  let opening = -1;
  // `%w[a[0] b]` of Ruby ends at the bracket that closes its own.
  const bracket = PAIRS[form.close] === form.open.at(-1) ? PAIRS[form.close] : undefined;
  let nested = 0;
  lexer.at = chunk;

  const endChunk = (to: number) => {
    if (to > chunk || opening < 0) {
      lexer.push("string", text.slice(chunk, to), chunk, to, chunkLine, chunkLineStart);
    }
  };
  const resume = () => {
    chunk = lexer.at;
    [chunkLine, chunkLineStart] = [lexer.line, lexer.lineStart];
  };

  while (lexer.at < text.length) {
    const { at } = lexer;
    const character = text[at] as string;
    if (character === bracket) nested++;
    else if (nested > 0 && character === form.close) {
      nested--;
      lexer.at++;
      continue;
    }
    if (end === undefined ? text.startsWith(form.close, at) : at === end) {
      if (form.escape === "doubled" && text.startsWith(form.close, at + form.close.length)) {
        lexer.at += 2 * form.close.length;
        continue;
      }
      // A character literal holds one character or one escape. Anything longer is a lifetime.
      if (form.longest !== undefined && at - chunk > (text[chunk] === "\\" ? form.longest : 2)) break;
      endChunk(at);
      lexer.at = at + form.close.length;
      if (opening >= 0) {
        lexer.push("close", TEMPLATE_CLOSE, at, lexer.at);
        lexer.pair(opening, lexer.tokens.length - 1);
      }
      return true;
    }
    if (character === "\n") {
      if (!form.multiline) break;
      lexer.at++;
      lexer.nextLine();
      continue;
    }
    if (character === "\\" && form.escape === "backslash") {
      // In every language with backslash escapes, an escaped line break joins lines.
      if (text[at + 1] === "\n") {
        lexer.at += 2;
        lexer.nextLine();
      } else lexer.at += 2;
      continue;
    }
    const hole = form.holes === "none" || lexer.depth >= DEEPEST ? undefined : holeAt(text, at, form);
    if (!hole) {
      lexer.at++;
      continue;
    }
    if (hole === "escaped") {
      lexer.at += 2;
      continue;
    }
    if (opening < 0) {
      opening = lexer.tokens.length;
      lexer.push("open", TEMPLATE_OPEN, start, chunk, before.line, before.lineStart);
    }
    endChunk(at);
    if (!readHole(lexer, hole)) break;
    resume();
  }
  lexer.wasted += lexer.at - start;
  lexer.rewind(before);
  lexer.noStrings.add(start);
  return false;
}

/** Whether so much was read in vain that ends are no longer looked for: from every quote or slash, that is quadratic. */
export function isOutOfPatience({ wasted, text }: Lexer): boolean {
  return wasted > PATIENCE * text.length + MIN_PATIENCE;
}

const NAMED_HOLE = /^\{[A-Za-z_]\w*(?::[^{}"]*)?\}/;

/** A hole whose code begins at `from` and ends at `close`. A bare name has no `close`. */
interface Hole {
  from: number;
  close?: string;
  /** Whether a member may follow the bare name. */
  hasMember?: boolean;
}

/** `"$user->name"` of PHP: exactly one member belongs to the hole. */
const BARE_MEMBER = /^(->)([A-Za-z_]\w{0,80})/;

function holeAt(text: string, at: number, { holes }: StringForm): Hole | "escaped" | undefined {
  const two = text.slice(at, at + 2);
  switch (holes) {
    case "brace":
      if (two === "{{" || two === "}}") return "escaped";
      return two[0] === "{" ? { from: at + 1, close: "}" } : undefined;
    case "brace-name":
      if (two === "{{" || two === "}}") return "escaped";
      return NAMED_HOLE.test(text.slice(at, at + 64)) ? { from: at + 1, close: "}" } : undefined;
    case "hash-brace":
      return two === "#{" ? { from: at + 2, close: "}" } : undefined;
    case "dollar-brace":
      return two === "${" ? { from: at + 2, close: "}" } : undefined;
    default:
      if (two === "${") return { from: at + 2, close: "}" };
      if (holes === "php" && two === "{$") return { from: at + 1, close: "}" };
      if (holes === "shell" && two === "$(") return { from: at + 2, close: ")" };
      if (two[0] !== "$" || !isName(text.charCodeAt(at + 1), holes)) return undefined;
      return { from: holes === "dollar" ? at + 1 : at, hasMember: holes === "php" };
  }
}

/** Whether a character begins a name. In a shell, `$1`, `$@` and `$*` are names too. */
function isName(code: number, holes: StringForm["holes"]): boolean {
  const digit = code >= 48 && code <= 57;
  return (
    (isWordPart(code) && (!digit || holes === "shell")) || (holes === "shell" && (code === 64 || code === 42))
  );
}

function readHole(lexer: Lexer, { from, close, hasMember }: Hole): boolean {
  const { text } = lexer;
  const opening = lexer.tokens.length;
  lexer.push("open", HOLE_OPEN, lexer.at, from);
  if (close) {
    lexer.at = from;
    lexer.depth++;
    const closed = lexer.run(close);
    lexer.depth--;
    if (!closed) return false;
    lexer.at++;
  } else {
    let end = from + 1;
    if (isWordPart(text.charCodeAt(end)) || text[from] === "$") {
      end++;
      while (isWordPart(text.charCodeAt(end))) end++;
    }
    lexer.push("word", text.slice(from, end), from, end);
    lexer.at = end;
    const [member, mark = "", name = ""] = (hasMember && BARE_MEMBER.exec(text.slice(end, end + 84))) || [];
    if (member) {
      lexer.push("mark", mark, end, end + mark.length);
      lexer.push("word", name, end + mark.length, end + member.length);
      lexer.at = end + member.length;
    }
  }
  lexer.push("close", HOLE_CLOSE, lexer.at, lexer.at);
  lexer.pair(opening, lexer.tokens.length - 1);
  return true;
}

/** Reads a heredoc: the text below the current line becomes a string at the current offset. */
export function scanHeredoc(lexer: Lexer, pattern: RegExp): boolean {
  const { text, at } = lexer;
  const match = pattern.exec(text.slice(at, at + 48));
  if (!match || lexer.heredocEnd > at || /[\w)\]]$/.test(text.slice(at - 1, at))) return false;
  const lineEnd = lexer.endOfLine();
  if (lineEnd === text.length || isOutOfPatience(lexer)) return false;
  const [whole, quote, name] = match as unknown as [string, string, string];
  const end = endOfHeredoc(text, lineEnd + 1, name);
  if (end === undefined) {
    lexer.wasted += text.length - lineEnd;
    return false;
  }
  const before = lexer.state();
  const holes = lexer.lexis.strings.find(({ open }) => open === '"')?.holes ?? "none";
  const form: StringForm = {
    open: "",
    close: `\n${text.slice(end.line, end.after)}`,
    escape: "none",
    multiline: true,
    holes: quote === "'" ? "none" : holes,
  };
  lexer.at = lineEnd;
  lexer.depth++;
  const read = scanString(lexer, form, end.line - 1);
  lexer.depth--;
  if (!read) lexer.rewind(before);
  lexer.at = at + whole.length;
  lexer.line = before.line;
  lexer.lineStart = before.lineStart;
  if (read) lexer.heredocEnd = end.after;
  return read;
}

function endOfHeredoc(text: string, from: number, name: string): { line: number; after: number } | undefined {
  for (let line = from; line > 0 && line < text.length; line = text.indexOf("\n", line) + 1) {
    let at = line;
    while (text[at] === " " || text[at] === "\t") at++;
    const after = at + name.length;
    if (text.startsWith(name, at) && !isWordPart(text.charCodeAt(after))) return { line, after };
  }
  return undefined;
}
