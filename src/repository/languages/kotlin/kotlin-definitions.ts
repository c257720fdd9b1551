import { inAnyScript } from "../any-script.ts";
import { type Found, foundAt, goingOn, statementEnd } from "../definitions.ts";
import type { Layout } from "../layout.ts";

/** A definition, and how other files can refer to it. */
export interface KotlinDefinition extends Found {
  /** Not within another, and not private. */
  isVisible: boolean;
  isExtension: boolean;
}

const DECLARED = inAnyScript(
  /(?<![.\w:])(?:(enum\s+)?(class)|(?:fun\s+)?(interface)|(object)|(typealias))\s+(`[^`\n]*`|[A-Za-z_]\w*)|(?<![.\w])(fun)\s+(?!interface\b)|^((?:@\w+[ \t]+|[a-z]+[ \t]+){0,6})(val|var)[ \t]+/gm,
);
const LETTER = inAnyScript(/\w/);
/** How far a name is from its keyword, with the type parameters and the receiver before it. */
const MAX_HEAD = 300;
const MAX_MODIFIERS = 120;
/** What at the end of a line, or at the beginning of the next, says that a statement goes on. */
const GOES_ON = /(?:[=,:(<&|+*/?-]|->|\b(?:by|as|in|is|else|return))$/;
const CONTINUES = /^(?:[.:{,)&|]|\?[.:]|as\b|by\b|else\b|where\b|get\b|set\b)/;

/** Returns classes, functions and methods, and what else is declared outside all braces. */
export function kotlinDefinitions(layout: Layout, text: string): KotlinDefinition[] {
  const { code } = layout;
  const ends = new Map<number, number>();
  const classes: { end: number; depth: number }[] = [];
  const found: KotlinDefinition[] = [];
  for (const match of code.matchAll(DECLARED)) {
    const [whole, isEnum, , isInterface, , isAlias, typeName, isFunction, before = "", isProperty] = match;
    const start = match.index + before.length;
    const depth = layout.depthAt(start);
    if (isProperty && depth > 0) continue;
    const named =
      typeName === undefined
        ? nameIn(layout, match.index + whole.length, isFunction ? "(" : "=:\n{")
        : { name: nameAt(text, match.index + whole.length - typeName.length, typeName), isExtension: false };
    if (!named) continue;
    // Definitions beside each other on one line end with it. Each would be followed to its end.
    const known = ends.get(depth) ?? -1;
    const end = start < known ? known : endOf(layout, match.index + whole.length);
    ends.set(depth, end);
    while (classes.length > 0 && (classes.at(-1)?.end ?? 0) <= start) classes.pop();
    const isMember = classes.at(-1)?.depth === depth - 1;
    const kind = isEnum
      ? "enum"
      : isInterface
        ? "interface"
        : isAlias
          ? "type"
          : isProperty
            ? "value"
            : !isFunction
              ? "class"
              : isMember
                ? "method"
                : "function";
    if (!isFunction && !isProperty && !isAlias) classes.push({ end, depth });
    const isVisible = depth === 0 && !isPrivate(code, start);
    found.push({
      ...foundAt(layout, { name: named.name, kind }, start, end),
      isVisible,
      isExtension: named.isExtension,
    });
  }
  return found;

  /** Returns the name before one of some marks, behind type parameters and perhaps the type that it extends. */
  function nameIn({ code, closing }: Layout, at: number, marks: string) {
    const from = code[at] === "(" ? closing(at) + 1 : at;
    const head = code.slice(from, from + MAX_HEAD);
    let end = 0;
    while (end < head.length && !marks.includes(head[end] as string)) end++;
    if (end === head.length) return undefined;
    const written = head
      .slice(0, end)
      .trimEnd()
      .replace(/\sby$|\sby\s.*/, "")
      .trimEnd();
    let first = written.length;
    if (written.endsWith("`")) first = written.lastIndexOf("`", written.length - 2);
    else while (LETTER.test(written[first - 1] ?? "")) first--;
    if (first < 0 || first === written.length) return undefined;
    const name = nameAt(text, from + first, written.slice(first));
    return { name, isExtension: from > at || written[first - 1] === "." };
  }
}

/** Returns a name as it is written in the text, where backticks hide it in the code. */
function nameAt(text: string, at: number, name: string): string {
  return name.startsWith("`") ? text.slice(at + 1, at + name.length - 1) : name;
}

function isPrivate(code: string, start: number): boolean {
  const before = code.slice(Math.max(0, start - MAX_MODIFIERS), start);
  return /\bprivate\b/.test(
    before.slice(Math.max(...[..."\n;}"].map((mark) => before.lastIndexOf(mark))) + 1),
  );
}

function endOf(layout: Layout, position: number): number {
  return statementEnd(layout, position, goingOn(layout, { ends: GOES_ON, begins: CONTINUES }));
}
