import type { DefinitionKind } from "../../facts.ts";
import { type Found, foundAt } from "../definitions.ts";
import type { Layout } from "../layout.ts";
import { type Head, headAt } from "./heads.ts";

const METADATA = /\s*@[\w$.]+(?:(?:<[^;{}()]{0,200}>)?(\())?/y;
const DIRECTIVE = /\s*(?:import|export|part|library)\b(?!\s*[(=<.?])/y;
/** An extension without a name has that of the type that it extends. */
const TYPE =
  /\s*(?:(?:abstract|sealed|base|interface|final|mixin|augment)\s+)*(?:(class|mixin|enum)\s+|extension\b\s*(?:type\s+(?:const\s+)?|<[^;{}()]{0,200}>)?\s*(?:on\s+(?:[\w$]+\s*\.\s*)?)?)([A-Za-z_$][\w$]*)/y;
const MARKS = /=>|[([{;)\]}:]/g;
/** What stands before a set or a map, and not before a body. */
const BEFORE_LITERAL = /(?:[=,(:?&|+*/%<>!~^-]|\bconst)$/;
/** What follows a value, and no body. */
const AFTER_LITERAL = /^[,;.?[(!]/;
/** How far around a brace is looked. */
const NEAR = 40;
const KINDS: Readonly<Record<Required<Head>["kind"], DefinitionKind>> = {
  function: "function",
  getter: "function",
  variable: "value",
  alias: "type",
};

/** Returns what a file declares outside functions, but for fields of types and values of enums. */
export function dartDefinitions(layout: Layout): Found[] {
  const { code } = layout;
  const found: Found[] = [];
  for (let at = 0; at < code.length; ) {
    const start = behindMetadata(layout, at);
    const directive = matchAt(DIRECTIVE, code, start);
    const type = matchAt(TYPE, code, start);
    if (directive) at = endOf(layout, start + directive[0].length, { isValue: true }) + 1;
    else if (type) at = addType(found, layout, start, type);
    else at = addMember(found, layout, { start, to: code.length });
  }
  return found;
}

/** Adds a type with its members, and returns where it ends. */
function addType(found: Found[], layout: Layout, start: number, type: RegExpExecArray): number {
  const [whole, keyword, holder = ""] = type;
  const { body, end } = bodyFrom(layout, start + whole.length);
  const kind = keyword === "enum" ? "enum" : "class";
  found.push(foundAt(layout, { name: holder, kind }, firstOf(layout.code, start), end));
  // The values of an enum come first.
  let at = keyword === "enum" ? endOf(layout, body, { isValue: true }) + 1 : body;
  while (at < end) at = addMember(found, layout, { start: behindMetadata(layout, at), to: end, holder });
  return end + 1;
}

interface Place {
  start: number;
  to: number;
  /** The type that it is within. */
  holder?: string;
}

/** Adds a function, getter, variable or alias, if one begins here, and returns where it ends. */
function addMember(found: Found[], layout: Layout, { start, to, holder }: Place): number {
  const from = firstOf(layout.code, start);
  const { kind, name, holder: named, end: headEnd } = headAt(layout, from, to);
  const isConstructor = holder !== undefined && (name === holder || named === holder);
  const isValue = kind === "variable" || kind === "alias";
  const end = endOf(layout, headEnd, { isValue, isConstructor });
  const isField = kind === "variable" && holder !== undefined;
  if (kind !== undefined && !isField) {
    const own = {
      name: isConstructor && named === undefined ? "new" : name,
      kind: holder === undefined ? KINDS[kind] : "method",
    } as const;
    found.push(foundAt(layout, own, from, Math.min(end, to)));
  }
  return end + 1;
}

/** Returns where the members of a type begin and end. */
function bodyFrom({ code, closing }: Layout, position: number): { body: number; end: number } {
  MARKS.lastIndex = position;
  for (let match = MARKS.exec(code); match; match = MARKS.exec(code)) {
    const { index, 0: mark } = match;
    if (mark === "{") return { body: index + 1, end: closing(index) };
    if (mark === "(" || mark === "[") MARKS.lastIndex = closing(index) + 1;
    else if (mark === ";" || mark === "}") return { body: index, end: index };
  }
  return { body: code.length, end: code.length };
}

interface Form {
  /** Whether it is a value, which ends at a semicolon, and no body. */
  isValue: boolean;
  /** Whether it may have values before its body: `: items = {}, super() {` */
  isConstructor?: boolean;
}

/** Returns where what is declared ends: with its body, at its semicolon, or with the brackets around it. */
function endOf(
  { code, closing }: Layout,
  position: number,
  { isValue, isConstructor = false }: Form,
): number {
  let isInValue = isValue;
  let hasValues = false;
  MARKS.lastIndex = position;
  for (let match = MARKS.exec(code); match; match = MARKS.exec(code)) {
    const { index, 0: mark } = match;
    if (mark === "=>") isInValue = true;
    else if (mark === ":") hasValues = isConstructor;
    else if (mark === "(" || mark === "[") MARKS.lastIndex = closing(index) + 1;
    else if (mark !== "{") return index;
    else {
      const end = closing(index);
      const before = code.slice(Math.max(0, index - NEAR), index).trimEnd();
      const after = code.slice(end + 1, end + NEAR).trimStart();
      const isLiteral = BEFORE_LITERAL.test(before) || AFTER_LITERAL.test(after);
      if (!isInValue && !(hasValues && isLiteral)) return end;
      MARKS.lastIndex = end + 1;
    }
  }
  return code.length;
}

function behindMetadata({ code, closing }: Layout, position: number): number {
  let at = position;
  for (let match = matchAt(METADATA, code, at); match; match = matchAt(METADATA, code, at)) {
    at += match[0].length;
    if (match[1] !== undefined) at = closing(at - 1) + 1;
  }
  return at;
}

/** Returns the position of what comes next that is no space. */
function firstOf(code: string, position: number): number {
  return position + (matchAt(/\s*/y, code, position)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, code: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(code);
}
