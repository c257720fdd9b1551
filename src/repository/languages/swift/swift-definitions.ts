import type { DefinitionKind } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { type Found, foundAt, goingOn, statementEnd } from "../definitions.ts";
import type { Layout } from "../layout.ts";

/** A definition, and how other files can refer to it. */
export interface SwiftDefinition extends Found {
  /** The types around it, with dots between them; empty at the top. */
  holder: string;
  /** Whether it is within types alone, not in a function. */
  isMember: boolean;
  /** Not private to the file. */
  isVisible: boolean;
  isExtension: boolean;
}

const NAME = "(?:`[^`\\n]*`|[A-Za-z_]\\w*)";
const DECLARED = inAnyScript(
  new RegExp(
    `(?<![.\\w])(?:(class(?!\\s+(?:func|var|let|subscript|override|final|public|private|internal|fileprivate|open)\\b)|struct|actor|protocol|enum|extension|typealias|associatedtype|func|macro|var|let)\\s+(${NAME}(?:\\.${NAME})*)|(init)\\b(?=[?!]?\\s?[<(])|(case)\\s+(?=${NAME}\\s*(?:[(,=\\n;}]|//)))`,
    "g",
  ),
);
const KINDS: Readonly<Record<string, DefinitionKind>> = {
  class: "class",
  struct: "class",
  actor: "class",
  extension: "class",
  protocol: "interface",
  enum: "enum",
  typealias: "type",
  associatedtype: "type",
  macro: "function",
  var: "value",
  let: "value",
};
const HOLDS = /^(?:class|struct|actor|protocol|enum|extension)$/;
const HIDDEN = /\b(?:private|fileprivate)\b(?!\s*\()/;
const MAX_MODIFIERS = 160;
/** Types within more others than this are left out. */
const MAX_AROUND = 16;
const CASE = inAnyScript(/\s*([A-Za-z_]\w*)[ \t]*([(,=\n;}]|$)/y);
/** What at the end of a line, or at the beginning of the next, says that a statement goes on. */
const GOES_ON = /(?:[=,:(<&|+*/?]|->|\b(?:as|in|is|where|some|any))$/;
const CONTINUES = /^(?:[.:{,)&|?=]|->|where\b|throws\b|rethrows\b|async\b|else\b|as\b|is\b)/;

/** Returns types, extensions, functions and methods, and what else is declared outside functions. */
export function swiftDefinitions(layout: Layout, text: string): SwiftDefinition[] {
  const { code } = layout;
  const open: { name: string; end: number; depth: number; isVisible: boolean; isEnum: boolean }[] = [];
  const ends = new Map<number, number>();
  const found: SwiftDefinition[] = [];
  for (const match of code.matchAll(DECLARED)) {
    const { index: start, 0: whole, 1: keyword, 2: written = "", 3: isInit, 4: isCase } = match;
    const depth = layout.depthAt(start);
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    if (open.length > MAX_AROUND || written === "_") continue;
    const around = open.at(-1);
    const isMember = depth === (around ? around.depth + 1 : 0);
    if (!isMember && (isCase || keyword === "var" || keyword === "let")) continue;
    if (isCase && !around?.isEnum) continue;
    // Definitions beside each other on one line end with it. Each would be followed to its end.
    const known = ends.get(depth) ?? -1;
    const end = start < known ? known : endOf(layout, start + whole.length);
    ends.set(depth, end);
    const own = {
      holder: open.map(({ name }) => name).join("."),
      isMember,
      isVisible: isMember && around?.isVisible !== false && !isHidden(code, start),
      isExtension: keyword === "extension",
    };
    const add = (name: string, kind: DefinitionKind) =>
      found.push({ ...foundAt(layout, { name, kind }, start, end), ...own });
    if (isCase) {
      for (const name of casesIn(layout, start + whole.length, end)) add(name, "value");
      continue;
    }
    const at = start + whole.length - written.length;
    const name = isInit ?? text.slice(at, at + written.length).replaceAll("`", "");
    const isFunction = keyword === "func" || isInit !== undefined;
    add(name, isFunction ? (isMember && around ? "method" : "function") : (KINDS[keyword ?? ""] ?? "type"));
    if (HOLDS.test(keyword ?? ""))
      open.push({ name, end, depth, isVisible: own.isVisible, isEnum: keyword === "enum" });
  }
  return found;
}

/** Returns the names of a list of cases, without what these hold. */
function casesIn({ code, closing }: Layout, start: number, end: number): string[] {
  const names: string[] = [];
  for (let at = start; at < end; ) {
    CASE.lastIndex = at;
    const [whole, name = "", mark] = CASE.exec(code) ?? [];
    if (whole === undefined) break;
    names.push(name);
    at = CASE.lastIndex - 1;
    if (mark === "(") at = closing(at) + 1;
    at = code.indexOf(",", at) + 1 || end;
  }
  return names;
}

/** Whether modifiers right before a definition keep it to its file. `private(set)` does not. */
function isHidden(code: string, start: number): boolean {
  const before = code.slice(Math.max(0, start - MAX_MODIFIERS), start);
  return HIDDEN.test(before.slice(Math.max(...[..."\n;{}"].map((mark) => before.lastIndexOf(mark))) + 1));
}

function endOf(layout: Layout, position: number): number {
  return statementEnd(layout, position, goingOn(layout, { ends: GOES_ON, begins: CONTINUES }));
}
