import { firstIndex } from "../../../system/binary-search.ts";
import { addTo } from "../../add-to.ts";
import { inAnyScript } from "../any-script.ts";
import { spaces } from "../blank.ts";
import { beginsExpression } from "./operands.ts";

/**
 * Comments, what may open a literal or looks like it (`$'`, `:/`), and the braces and line breaks that may end one.
 */
const MARKS = inAnyScript(
  /^=begin\b[\s\S]*?(?:^=end\b[^\n]*|(?![\s\S]))|^__END__\r?$[\s\S]*|#[^\n]*|\$(?:-\w|[^\w\s])|:(?:<=>|===?|=~|![=~]?|\*\*?|[+-]@?|<<|>>|[<>]=?|\[\]=?|[%/`&|^~])(?=[\s,;.)\]}]|(?![\s\S]))|\?(?:\\(?:[CM]-\\?)*[^\r\n]|["'`#/%{}<A-Z](?!\w))|["'`/{}\n]|%[qQwWiIrxs]?[^\w\s]|<<[~-]?(?:[A-Za-z_]\w*|(["'`])[^\n"'`]+\1)/gm,
);
const HERE_DOCUMENT = /^<<([~-]?)(["'`]?)([^"'`]+)/;
const LINE = /^([ \t]*)(\S[^\r\n]*)/gm;
/** A regular expression that ends with its line. */
const EXPRESSION = /\/(?![\s=])(?:[^/\\\n#]|\\.|#\{[^}\n]{0,200}\}|#)*\//y;
/** What precedes the name of a method: `def %(other)`. */
const METHOD = /(?:(?<!\.)\.|\b(?:def|alias)[ \t]+)$/;
/** Literals without code in them. */
const RAW = /^(?:'|%[qwis])/;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

interface Literal {
  /** Global: what an escape, its delimiters and code in it look like. */
  marks: RegExp;
  close: string;
  /** How many of its own opening brackets are open in it. */
  nested: number;
  /** How many braces are open in the code in it. */
  braces: number;
  /** Of a here document: where its last line begins. It may have code in it up to there. */
  end?: number;
}

/**
 * Replaces comments and what literals say with spaces, as `blank` does, but keeps the code in them, with its braces.
 * Whatever delimits a literal becomes a quote, so that it remains recognisable as a value.
 */
export function blankRuby(text: string): string {
  return new Blanker(text).blank();
}

class Blanker {
  readonly #text: string;
  readonly #parts: string[] = [];
  /** Where lines begin, by what they say; those that are not indented also by that with a line break before. */
  #lines: Map<string, number[]> | undefined;
  /** Literals that are interrupted by code. */
  readonly #open: Literal[] = [];
  /** Here documents that begin with the next line, and how many of them have begun. */
  #waiting: Literal[] = [];
  #begun = 0;
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  blank(): string {
    MARKS.lastIndex = 0;
    for (let match = MARKS.exec(this.#text); match; match = MARKS.exec(this.#text)) {
      this.#keepUpTo(match.index);
      this.#take(match[0]);
      MARKS.lastIndex = this.#from;
    }
    this.#keepUpTo(this.#text.length);
    return this.#parts.join("");
  }

  /** Reads what begins with a mark at `from`. */
  #take(mark: string): void {
    const literal = this.#open.at(-1);
    if (mark === "\n") {
      this.#keepUpTo(this.#from + 1);
      this.#readWaiting();
    } else if (mark === "}" && literal?.braces === 0) {
      this.#open.pop();
      this.#keepUpTo(this.#from + 1);
      if (this.#read(literal) && literal.end !== undefined) this.#readWaiting();
    } else if (mark === "{" || mark === "}") {
      if (literal) literal.braces += mark === "{" ? 1 : -1;
      this.#keepUpTo(this.#from + 1);
    } else if (/^(?:#|=begin|__END__)/.test(mark)) this.#blankUpTo(this.#from + mark.length);
    else if (/^[$:]/.test(mark)) this.#quote(mark.length);
    else if (mark.startsWith("<<")) this.#takeHereDocument(mark);
    else if (!this.#isLiteral(mark)) this.#keepUpTo(this.#from + 1);
    else if (mark.startsWith("?")) this.#quote(mark.length);
    else {
      const opening = mark.at(-1) as string;
      this.#quote(mark.length);
      this.#read(literalOf(opening, CLOSING[opening] ?? opening, RAW.test(mark)));
    }
  }

  #takeHereDocument(mark: string): void {
    const [, indent = "", quote, word = ""] = HERE_DOCUMENT.exec(mark) as RegExpExecArray;
    const end = this.#isOperand(mark) ? this.#lastLine(indent ? word : `\n${word}`) : undefined;
    if (end === undefined) {
      this.#keepUpTo(this.#from + 2);
      return;
    }
    this.#quote(mark.length);
    this.#waiting.push({ ...literalOf("", "", quote === "'"), end });
  }

  /** Returns where the line begins that ends a here document of the line at `from`. */
  #lastLine(line: string): number | undefined {
    this.#lines ??= linesOf(this.#text);
    const starts = this.#lines.get(line) ?? [];
    const after = this.#waiting.at(-1)?.end ?? this.#from;
    return starts[firstIndex(starts, (start) => start > after)];
  }

  #isLiteral(mark: string): boolean {
    if (mark === '"' || mark === "'") return true;
    const isMethod = METHOD.test(this.#text.slice(Math.max(0, this.#from - 8), this.#from));
    return !isMethod && (mark === "`" || this.#isOperand(mark));
  }

  /**
   * Whether an operand begins with a mark at `from`: after a name, if the mark stands apart from it, but not from what
   * follows; a regular expression must then end with its line.
   */
  #isOperand(mark: string): boolean {
    const begins = beginsExpression(this.#text, this.#from);
    if (begins !== undefined || !/\s/.test(this.#text[this.#from - 1] ?? "")) return begins ?? false;
    EXPRESSION.lastIndex = this.#from;
    if (mark === "/") return EXPRESSION.test(this.#text);
    return !/[\s=]/.test(mark);
  }

  #readWaiting(): void {
    while (this.#begun < this.#waiting.length)
      if (!this.#read(this.#waiting[this.#begun++] as Literal)) return;
    this.#waiting = [];
    this.#begun = 0;
  }

  /** Reads a literal from `from`, up to its end or to code in it. Returns whether it has ended. */
  #read(literal: Literal): boolean {
    const { marks, close, end = this.#text.length } = literal;
    const text = this.#text.slice(0, end);
    marks.lastIndex = this.#from;
    for (let match = marks.exec(text); match; match = marks.exec(text)) {
      const { index, 0: mark } = match;
      if (mark === "#{") {
        this.#blankUpTo(index + 1);
        this.#keepUpTo(index + 2);
        literal.braces = 0;
        this.#open.push(literal);
        return false;
      }
      if (mark === close && literal.nested-- === 0) {
        this.#blankUpTo(index);
        this.#quote(1);
        return true;
      }
      if (mark !== close && !mark.startsWith("\\")) literal.nested++;
    }
    // The last line of a here document is its name, which is no code.
    const line = literal.end === undefined ? end : this.#text.indexOf("\n", end);
    this.#blankUpTo(line < 0 ? this.#text.length : line);
    return true;
  }

  #keepUpTo(position: number): void {
    this.#parts.push(this.#text.slice(this.#from, position));
    this.#from = position;
  }

  #blankUpTo(position: number): void {
    this.#parts.push(spaces(this.#text.slice(this.#from, position)));
    this.#from = Math.max(this.#from, position);
  }

  #quote(length: number): void {
    this.#parts.push('"'.padEnd(length));
    this.#from += length;
  }
}

function linesOf(text: string): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const { index, 1: indent, 2: line = "" } of text.matchAll(LINE)) {
    addTo(lines, line, index);
    if (indent === "") addTo(lines, `\n${line}`, index);
  }
  return lines;
}

const kinds = new Map<string, RegExp>();

function literalOf(opening: string, close: string, isRaw: boolean): Literal {
  const key = `${opening}${isRaw}`;
  let marks = kinds.get(key);
  if (!marks) {
    const delimiters = [...new Set([opening, close])].filter(Boolean).map((each) => `\\${each}`);
    marks = new RegExp(["\\\\[\\s\\S]", ...(isRaw ? [] : ["#\\{"]), ...delimiters].join("|"), "g");
    kinds.set(key, marks);
  }
  return { marks, close, nested: 0, braces: 0 };
}
