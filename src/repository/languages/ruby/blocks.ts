import { type Found, foundAt } from "../definitions.ts";
import type { Layout } from "../layout.ts";
import { beginsExpression } from "./operands.ts";

/** A class or module as it is opened in one place. */
export interface Opened {
  /** Its full name, written with dots. */
  name: string;
  /** The one around it, and how many there are. */
  around: Opened | undefined;
  depth: number;
  start: number;
  end: number;
  /** Where its body begins, behind what it inherits from. */
  body: number;
  /** What it inherits from, as written: empty for an expression that makes a class, undefined for nothing. */
  parent: string | undefined;
}

/** What an `end` closes. */
interface Block {
  found?: Found;
  opened?: Opened;
  /** Of a loop: the line on which `do` belongs to it. */
  line?: number;
}

const KEYWORDS =
  /(?<![\w\x80-\uffff.@$:])(?:class|module|def|begin|case|do|if|unless|while|until|for|end)(?![\w\x80-\uffff?!]|:(?!:))/g;
const NAME = /[ \t]+(?:::)?([A-Z]\w*(?:::[A-Z]\w*)*)/y;
const PARENT = /^[ \t]*<[ \t]*((?:(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*[ \t\r]*$)?)/;
const METHOD =
  /[ \t]+(?:@{0,2}[A-Za-z_]\w*(?:\.|::))?((?!\d)[\w\x80-\uffff]+(?:[?!]|=(?![=~>]))?|\[\]=?|[+\-!~]@|[=!]~|===?|<=>|<<|>>|[<>]=?|\*\*?|!=?|[+\-/%&|^~`])/y;
const ENDLESS = /[ \t]*=(?![=~>])/y;
/** What a block opens that is given to the maker of a class: `Point = Struct.new(:x) do`. */
const MADE = /^[ \t]*([A-Z]\w*)[ \t]*=[ \t]*(?:::)?(?:Struct|Class|Module|Data)\.(?:new|define)\b/;
const MAX_LINE = 1000;
/** Classes nested deeper are not told apart. */
const MAX_NESTED = 32;

/** Returns the definitions of a file, and its classes and modules each time they are opened, both in order. */
export function blocksOf(layout: Layout): { found: Found[]; opened: Opened[] } {
  const { code } = layout;
  const blocks: Block[] = [];
  const found: Found[] = [];
  const opened: Opened[] = [];
  let innermost: Opened | undefined;

  function open(block: Block): void {
    blocks.push(block);
    if (block.found) found.push(block.found);
    if (!block.opened) return;
    opened.push(block.opened);
    innermost = block.opened;
  }

  function close(end: number): void {
    const { found, opened } = blocks.pop() ?? {};
    if (found) Object.assign(found, { end, to: layout.lineAt(end) });
    if (!opened) return;
    opened.end = end;
    innermost = opened.around;
  }

  function openClass(kind: "class" | "module", start: number, written: string, behind: number): void {
    const depth = innermost ? innermost.depth + 1 : 0;
    if (depth > MAX_NESTED) {
      open({});
      return;
    }
    const name = written.replaceAll("::", ".");
    const full = innermost ? `${innermost.name}.${name}` : name;
    const last = name.slice(name.lastIndexOf(".") + 1);
    const body = statementEnd(code, behind);
    const [, parent] = PARENT.exec(code.slice(behind, body)) ?? [];
    open({
      found: foundAt(layout, { name: last, kind }, start, code.length),
      opened: { name: full, around: innermost, depth, start, end: code.length, body, parent },
    });
  }

  /** Opens a method; one without `end` (`def total = 3`) ends with its line. */
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
    if (ENDLESS.test(code)) {
      const last = statementEnd(code, parameters);
      found.push({ ...method, end: last, to: layout.lineAt(last) });
    } else open({ found: method });
    return behind;
  }

  KEYWORDS.lastIndex = 0;
  for (let match = KEYWORDS.exec(code); match; match = KEYWORDS.exec(code)) {
    const { index, 0: keyword } = match;
    const behind = index + keyword.length;
    if (keyword === "end") close(behind);
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
      else open({});
    } else if (/^(?:while|until|for)$/.test(keyword)) {
      if (keyword === "for" || beginsExpression(code, index)) open({ line: layout.lineAt(index) });
    } else if (/^(?:begin|case)$/.test(keyword) || beginsExpression(code, index)) open({});
  }
  return { found, opened };
}

function statementEnd(code: string, position: number): number {
  const length = code.slice(position, position + MAX_LINE).search(/[;\n]/);
  return length < 0 ? Math.min(code.length, position + MAX_LINE) : position + length;
}
