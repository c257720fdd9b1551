import { isWordPart } from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import type { StringForm } from "./lexis.ts";
import { HOLE_CLOSE, HOLE_OPEN, TEMPLATE_CLOSE, TEMPLATE_OPEN } from "./token.ts";

/** Maximum nesting of holes. Deeper ones are read as text. */
const DEEPEST = 6;
const PAIRS: Readonly<Record<string, string>> = { "]": "[", ")": "(", "}": "{" };

/**
 * Reads the string at the current offset as one token or, with holes, as a group between template brackets.
 * Returns false and reads nothing if the quote is never closed.
 *
 * @param end offset of the closing delimiter, if known: the string may contain the same text.
 */
export function scanString(cursor: Cursor, form: StringForm, end?: number): boolean {
  const { text } = cursor;
  if (cursor.isOutOfPatience) return false;
  const before = cursor.state();
  const start = cursor.at;
  let chunk = start + form.open.length;
  let [chunkLine, chunkLineStart] = [cursor.line, cursor.lineStart];
  let opening = -1;
  // `%w[a[0] b]` of Ruby ends at the bracket that closes its own.
  const bracket = PAIRS[form.close] === form.open.at(-1) ? PAIRS[form.close] : undefined;
  let nested = 0;
  cursor.at = chunk;

  const endChunk = (to: number) => {
    if (to > chunk || opening < 0) {
      cursor.push("string", text.slice(chunk, to), chunk, to, chunkLine, chunkLineStart);
    }
  };
  const resume = () => {
    chunk = cursor.at;
    [chunkLine, chunkLineStart] = [cursor.line, cursor.lineStart];
  };

  while (cursor.at < text.length) {
    const { at } = cursor;
    const character = text[at] as string;
    if (character === bracket) nested++;
    else if (nested > 0 && character === form.close) {
      nested--;
      cursor.at++;
      continue;
    }
    if (end === undefined ? text.startsWith(form.close, at) : at === end) {
      if (form.escape === "doubled" && text.startsWith(form.close, at + form.close.length)) {
        cursor.at += 2 * form.close.length;
        continue;
      }
      // A character literal holds one character or one escape. Anything longer is a lifetime.
      if (form.longest !== undefined && at - chunk > (text[chunk] === "\\" ? form.longest : 2)) break;
      endChunk(at);
      cursor.at = at + form.close.length;
      if (opening >= 0) {
        cursor.push("close", TEMPLATE_CLOSE, at, cursor.at);
        cursor.pair(opening, cursor.tokens.length - 1);
      }
      return true;
    }
    if (character === "\n") {
      if (!form.multiline) break;
      cursor.at++;
      cursor.nextLine();
      continue;
    }
    if (character === "\\" && form.escape === "backslash") {
      // In every language with backslash escapes, an escaped line break joins lines.
      if (text[at + 1] === "\n") {
        cursor.at += 2;
        cursor.nextLine();
      } else cursor.at += 2;
      continue;
    }
    const hole = form.holes === "none" || cursor.depth >= DEEPEST ? undefined : holeAt(text, at, form);
    if (!hole) {
      cursor.at++;
      continue;
    }
    if (hole === "escaped") {
      cursor.at += 2;
      continue;
    }
    if (opening < 0) {
      opening = cursor.tokens.length;
      cursor.push("open", TEMPLATE_OPEN, start, chunk, before.line, before.lineStart);
    }
    endChunk(at);
    if (!readHole(cursor, hole)) break;
    resume();
  }
  cursor.wasted += cursor.at - start;
  cursor.rewind(before);
  cursor.noStrings.add(start);
  return false;
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

function readHole(cursor: Cursor, { from, close, hasMember }: Hole): boolean {
  const { text } = cursor;
  const opening = cursor.tokens.length;
  cursor.push("open", HOLE_OPEN, cursor.at, from);
  if (close) {
    cursor.at = from;
    cursor.depth++;
    const closed = cursor.run(close);
    cursor.depth--;
    if (!closed) return false;
    cursor.at++;
  } else {
    let end = from + 1;
    if (isWordPart(text.charCodeAt(end)) || text[from] === "$") {
      end++;
      while (isWordPart(text.charCodeAt(end))) end++;
    }
    cursor.push("word", text.slice(from, end), from, end);
    cursor.at = end;
    const [member, mark = "", name = ""] = (hasMember && BARE_MEMBER.exec(text.slice(end, end + 84))) || [];
    if (member) {
      cursor.push("mark", mark, end, end + mark.length);
      cursor.push("word", name, end + mark.length, end + member.length);
      cursor.at = end + member.length;
    }
  }
  cursor.push("close", HOLE_CLOSE, cursor.at, cursor.at);
  cursor.pair(opening, cursor.tokens.length - 1);
  return true;
}

/** Reads a heredoc: the text below the current line becomes a string at the current offset. */
export function scanHeredoc(cursor: Cursor, pattern: RegExp): boolean {
  const { text, at } = cursor;
  const match = pattern.exec(text.slice(at, at + 48));
  if (!match || cursor.heredocEnd > at || /[\w)\]]$/.test(text.slice(at - 1, at))) return false;
  const lineEnd = cursor.endOfLine();
  if (lineEnd === text.length || cursor.isOutOfPatience) return false;
  const [whole, quote, name] = match as unknown as [string, string, string];
  const end = endOfHeredoc(text, lineEnd + 1, name);
  if (end === undefined) {
    cursor.wasted += text.length - lineEnd;
    return false;
  }
  const before = cursor.state();
  const holes = cursor.lexis.strings.find(({ open }) => open === '"')?.holes ?? "none";
  const form: StringForm = {
    open: "",
    close: `\n${text.slice(end.line, end.after)}`,
    escape: "none",
    multiline: true,
    holes: quote === "'" ? "none" : holes,
  };
  cursor.at = lineEnd;
  cursor.depth++;
  const read = scanString(cursor, form, end.line - 1);
  cursor.depth--;
  if (!read) cursor.rewind(before);
  cursor.at = at + whole.length;
  cursor.line = before.line;
  cursor.lineStart = before.lineStart;
  if (read) cursor.heredocEnd = end.after;
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
