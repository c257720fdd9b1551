import { inAnyScript } from "../any-script.ts";
import { type Found, foundAt, statementEnd } from "../definitions.ts";
import type { Layout } from "../layout.ts";
import { CONSTANT, CONSTANT_PATH } from "./constant.ts";
import { beginsExpression } from "./operands.ts";

/** A class or module as it is opened in one place. */
export interface Opened {
  /** The names as they are written, from the outermost to its own: `Shop:Cart`. */
  nesting: string;
  around: Opened | undefined;
  start: number;
  end: number;
  /** Where its body begins, behind what it inherits from. */
  body: number;
  /** What it inherits from, as written: empty for an expression that makes a class, undefined for nothing. */
  parent: string | undefined;
}

/** Where a block of `do` and `end` begins and ends. */
export interface Block {
  start: number;
  end: number;
}

/** What an `end` closes. */
interface Open {
  found?: Found;
  opened?: Opened;
  block?: Block;
  /** Of a loop: the line on which `do` belongs to it. */
  line?: number;
  /** Of a method without `end` (`def total = 3`): where it ends, as far as it has been read. */
  last?: number;
}

const KEYWORDS = inAnyScript(
  /(?<![\w.@$:]|(?<!\w)(?:alias|undef)[ \t]+(?:\w+[ \t]+)?)(?:class|module|def|begin|case|do|if|unless|while|until|for|end)(?![\w?!]|:(?!:))/g,
);
/** `self::Cart` is a name like `Cart`; `::Cart` is one at the top. */
const NAME = inAnyScript(new RegExp(String.raw`[ \t]+(?:[a-z_][\w.]*::)?(${CONSTANT_PATH})`, "uy"));
const PARENT = inAnyScript(
  new RegExp(String.raw`^[ \t]*<[ \t]*((?:(?:self|${CONSTANT_PATH})[ \t\r]*$)?)`, "u"),
);
const METHOD = inAnyScript(
  /[ \t]+(?:(?:[@$]{0,2}[A-Za-z_]\w*|\([^\n]{0,200}?\))(?:\.|::))?((?!\d)\w+(?:[?!]|=(?![=~>]))?|\[\]=?|[+-]@|[=!]~|===?|<=>|<<|>>|[<>]=?|\*\*?|!=?|[+\-/%&|^~`])/y,
);
const ENDLESS = /[ \t]*=(?![=~>])/y;
const CALL = /\s{0,200}&?\.(?!\.)/y;
/** What a block opens that is given to the maker of a class: `Point = Struct.new(:x) do`. */
const MADE = inAnyScript(
  new RegExp(
    String.raw`^[ \t]*(${CONSTANT})[ \t]*=[ \t]*(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b`,
    "u",
  ),
);
const MAX_LINE = 1000;
/** Classes with longer names, with those around them, are not told apart. */
const MAX_NAME = 500;

/**
 * Returns the definitions of a file, its classes and modules each time they are opened, and what is given to methods between
 * `do` and `end`, all in order.
 */
export function blocksOf(layout: Layout): { found: Found[]; opened: Opened[]; given: Block[] } {
  const { code } = layout;
  const blocks: Open[] = [];
  const found: Found[] = [];
  const opened: Opened[] = [];
  const given: Block[] = [];
  let innermost: Opened | undefined;

  function open(block: Open): void {
    blocks.push(block);
    if (block.found) found.push(block.found);
    if (!block.opened) return;
    opened.push(block.opened);
    innermost = block.opened;
  }

  function close(end: number): void {
    const { found, opened, block } = blocks.pop() ?? {};
    if (block) block.end = end;
    if (found) Object.assign(found, { end, to: layout.lineAt(end) });
    if (!opened) return;
    opened.end = end;
    innermost = opened.around;
  }

  /** Closes the methods without `end` that are over at a position. */
  function closeBefore(position: number): void {
    for (let last = blocks.at(-1)?.last; last !== undefined && last <= position; last = blocks.at(-1)?.last)
      close(last);
  }

  /** A method without `end` goes on behind a block that is closed in it. */
  function closeBlock(end: number): void {
    close(end);
    const around = blocks.at(-1);
    if (around?.last !== undefined) around.last = lastOf(end);
  }

  /** Returns where the statement at a position ends: if it is part of a method without `end`, with that. */
  function lastOf(position: number): number {
    const { last = 0 } = blocks.at(-1) ?? {};
    return last > position ? last : statementEnd(layout, position, (newline) => goesOn(code, newline));
  }

  function openClass(kind: "class" | "module", start: number, path: string, behind: number): void {
    const nesting = nameWithin(innermost, path);
    if (nesting.length > MAX_NAME) {
      open({});
      return;
    }
    const last = path.slice(path.lastIndexOf(":") + 1);
    const body = headEnd(code, behind);
    const inherited = PARENT.exec(code.slice(behind, body))?.[1]?.trim();
    const parent =
      inherited === "self" ? innermost?.nesting.slice(innermost.nesting.lastIndexOf(":") + 1) : inherited;
    open({
      found: foundAt(layout, { name: last, kind }, start, code.length),
      opened: { nesting, around: innermost, start, end: code.length, body, parent },
    });
  }

  function openMethod(start: number, end: number): number {
    METHOD.lastIndex = end;
    const name = METHOD.exec(code)?.[1];
    if (name === undefined) {
      open({});
      return end;
    }
    const behind = METHOD.lastIndex;
    const parameters = code[behind] === "(" ? layout.closing(behind) + 1 : behind;
    const method = foundAt(layout, { name, kind: innermost ? "method" : "function" }, start, code.length);
    ENDLESS.lastIndex = parameters;
    open({ found: method, ...(ENDLESS.test(code) && { last: lastOf(ENDLESS.lastIndex) }) });
    return behind;
  }

  KEYWORDS.lastIndex = 0;
  for (let match = KEYWORDS.exec(code); match; match = KEYWORDS.exec(code)) {
    const { index, 0: keyword } = match;
    const behind = index + keyword.length;
    closeBefore(index);
    if (keyword === "end") closeBlock(behind);
    else if (keyword === "def") KEYWORDS.lastIndex = openMethod(index, behind);
    else if (keyword === "class" || keyword === "module") {
      NAME.lastIndex = behind;
      const name = NAME.exec(code)?.[1];
      if (name === undefined) open({});
      else openClass(keyword, index, name, NAME.lastIndex);
    } else if (keyword === "do") {
      const loop = blocks.at(-1);
      const before = code.slice(Math.max(0, index - MAX_LINE), index);
      const line = before.slice(before.lastIndexOf("\n") + 1);
      const made = MADE.exec(line)?.[1];
      if (made !== undefined) openClass("class", index - line.length + line.indexOf(made), made, behind);
      else if (loop?.line !== undefined && loop.line === layout.lineAt(index)) delete loop.line;
      else {
        const block = { start: index, end: code.length };
        given.push(block);
        open({ block });
      }
    } else if (/^(?:while|until|for)$/.test(keyword)) {
      if (keyword === "for" || beginsExpression(code, index)) open({ line: layout.lineAt(index) });
    } else if (/^(?:begin|case)$/.test(keyword) || beginsExpression(code, index)) open({});
  }
  closeBefore(code.length);
  return { found, opened, given };
}

/**
 * Returns the name of what is defined within a class or module: `Test:Shop.Cart`. Where the first part of `Shop::Cart` is
 * defined is for the resolver to find.
 */
export function nameWithin(around: Opened | undefined, path: string): string {
  const written = path.replaceAll("::", ".");
  if (written.startsWith(".")) return written.slice(1);
  return around ? `${around.nesting}:${written}` : written;
}

/** Whether a statement goes on behind a line break: behind an operator, or with a call in the next line. */
export function goesOn(code: string, newline: number): boolean {
  CALL.lastIndex = newline;
  return beginsExpression(code, newline) === true || CALL.test(code);
}

function headEnd(code: string, position: number): number {
  const length = code.slice(position, position + MAX_LINE).search(/[;\n]/);
  return length < 0 ? Math.min(code.length, position + MAX_LINE) : position + length;
}
