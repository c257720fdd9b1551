import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { isObject } from "../../system/is-object.ts";
import { UsageError } from "../exit-codes.ts";

const EMPTY = "{}\n";
/** The byte order mark that editors on Windows may write. It is no JSON. */
const MARK = "\ufeff";

/**
 * Returns the text of a JSON file with `value` at `path`, or without that member if it is undefined. Comments and the
 * formatting of everything else stay. Throws `UsageError` if the file cannot be parsed as JSON with comments.
 */
export function editJson(text: string, path: readonly string[], value: unknown, file: string): string {
  if (text.startsWith(MARK)) return MARK + editJson(text.slice(MARK.length), path, value, file);
  const errors: ParseError[] = [];
  const before = parse(text.trim() === "" ? EMPTY : text, errors, { allowTrailingComma: true });
  const [wrong] = errors;
  if (wrong || !isObject(before)) {
    const line = text.slice(0, wrong?.offset ?? 0).split("\n").length;
    const reason = wrong ? `${printParseErrorCode(wrong.error)} in line ${line}` : "it is no object";
    throw new UsageError(`${file} cannot be edited: ${reason}.`, "Mend it first, or paste: tool mcp config");
  }
  const source = text.trim() === "" ? EMPTY : text;
  const root = parseTree(source, [], { allowTrailingComma: true }) as Node;
  const found = findNodeAtLocation(root, [...path]);
  if (found && JSON.stringify(getNodeValue(found)) === JSON.stringify(value)) return text;
  if (value === undefined) return found?.parent ? without(source, found.parent) : text;
  const layout = layoutOf(source);
  if (found) return spliced(source, found.offset, found.length, jsonIn(value, layout, path.length));
  // Find the deepest object on the path that exists.
  let depth = path.length - 1;
  let parent = findNodeAtLocation(root, path.slice(0, depth));
  while (!parent && depth > 0) parent = findNodeAtLocation(root, path.slice(0, --depth));
  if (parent?.type !== "object") {
    throw new UsageError(`${file} cannot be edited: ${path.slice(0, depth).join(".")} is no object.`);
  }
  const inner = path.slice(depth + 1).reduceRight<unknown>((held, name) => ({ [name]: held }), value);
  return insertedFirst(source, parent, [path[depth] as string, inner], layout, depth + 1);
}

interface Layout {
  indent: string;
  eol: string;
}

function layoutOf(source: string): Layout {
  return { indent: /^([ \t]+)"/m.exec(source)?.[1] ?? "  ", eol: source.includes("\r\n") ? "\r\n" : "\n" };
}

/** Inserts a member at the beginning of an object, so that everything else stays, including comments after a line. */
function insertedFirst(
  source: string,
  parent: Node,
  [name, value]: [string, unknown],
  layout: Layout,
  depth: number,
): string {
  const { indent, eol } = layout;
  const isEmpty = (parent.children ?? []).length === 0;
  const comment = /^[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*(?=\r?\n))/.exec(
    source.slice(parent.offset + 1),
  );
  const at = parent.offset + 1 + (comment?.[0].length ?? 0);
  const member = `${eol}${indent.repeat(depth)}${JSON.stringify(name)}: ${jsonIn(value, layout, depth)}`;
  const rest = source.slice(at);
  // A member on the same line as the brace moves to a line of its own.
  const gap = isEmpty
    ? /^\s*\}/.test(rest) && !/^\s*\n/.test(rest)
      ? eol + indent.repeat(depth - 1)
      : ""
    : "";
  const next = isEmpty || /^[ \t]*\r?\n/.test(rest) ? "" : eol + indent.repeat(depth);
  const shown = next === "" ? rest : rest.trimStart();
  return `${source.slice(0, at)}${member}${isEmpty ? "" : ","}${gap}${next}${shown}`;
}

/** Blanks and comments before a comma, and the comma. */
const UP_TO_COMMA = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*,/;

/** Removes a member, the comma that separates it, and its line if that is empty then. */
function without(source: string, member: Node): string {
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  let end = member.offset + member.length;
  const comma = UP_TO_COMMA.exec(source.slice(end))?.[0].length;
  end += comma ?? 0;
  const start = member.offset - (/[ \t]*$/.exec(source.slice(0, member.offset))?.[0].length ?? 0);
  const lineEnd = /^[ \t]*\r?\n/.exec(source.slice(end))?.[0].length;
  const isAlone = source[start - 1] === "\n" && lineEnd !== undefined;
  const text = isAlone
    ? spliced(source, start, end + lineEnd - start, "")
    : spliced(source, member.offset, end - member.offset, "");
  if (comma !== undefined || !before) return text;
  const last = before.offset + before.length;
  const gap = UP_TO_COMMA.exec(text.slice(last))?.[0].length as number;
  return spliced(text, last + gap - 1, 1, "");
}

function jsonIn(value: unknown, { indent, eol }: Layout, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + indent.repeat(depth));
}

function spliced(text: string, at: number, length: number, insert: string): string {
  return text.slice(0, at) + insert + text.slice(at + length);
}
