import type { Definition, Facts, Import } from "../../facts.ts";
import { inAnyScript, namesAlone } from "../any-script.ts";
import { blank } from "../blank.ts";
import { type DefinitionForm, definitionsOf, type Found, named } from "../definitions.ts";
import { type Layout, layoutOf } from "../layout.ts";

/**
 * Block comments nest in Rust. Here the first end closes all of them, so the rest of an outer comment is read as code.
 */
const LITERALS =
  /\/\/[^\n]*|\b[bc]?r(#{1,3})"[\s\S]*?(?:"\1|$)|\b[bc]?r"[^"]*(?:"|$)|\b[bc]?"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*(?:"|$)|"[^"\\]*(?:\\(?:[\s\S]|$)[^"\\]*)*(?:"|$)|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|[\ud800-\udbff][\udc00-\udfff]|\\[^\n]{1,9})'/g;
const FORMS: readonly DefinitionForm[] = [
  { pattern: inAnyScript(/(?<!\w)fn\s+(\w+)/g), kind: "function" },
  { pattern: inAnyScript(/(?<!\w)(?:struct|union)\s+([A-Z]\w*)/g), kind: "class" },
  { pattern: inAnyScript(/(?<!\w)enum\s+(\w+)/g), kind: "enum" },
  { pattern: inAnyScript(/(?<!\w)trait\s+(\w+)/g), kind: "interface" },
  { pattern: inAnyScript(/(?<!\w)macro_rules!\s*(\w+)/g), kind: "function" },
  { pattern: inAnyScript(/^(?:pub(?:\([^)\n]*\))?\s+)?type\s+(\w+)/gm), kind: "type", isOuter: true },
  {
    pattern: inAnyScript(/^(?:pub(?:\([^)\n]*\))?\s+)?(?:const|static(?:\s+mut)?)\s+(\w+)/gm),
    kind: "value",
    isOuter: true,
  },
];
const IMPL = /(?<=^|[\n};])[ \t]*(?:unsafe\s+)?impl\b([^{};]{1,400})\{/g;
const USE = /\buse\s+(?=\S)([^;{}]{0,400}(?:\{[^;]{0,4000}\})?)\s*;/g;
const MODULE = inAnyScript(/(?<!\w)mod\s+(?:r#)?(\w+)\s*([;{])/g);
/** How far the attributes of a module are looked for. */
const MAX_ATTRIBUTES = 1000;
/** A file that is taken in as it is, from the directory of the file or, after `env!("CARGO_MANIFEST_DIR")`, of the package. */
const INCLUDED =
  /(?<!\w|\bdoc\s{0,3}=\s{0,3})include(?:_str|_bytes)?!\s*[({[]\s*(?:concat!\s*[({[]\s*(env!\s*\(\s*" +"\s*\))\s*,\s*)?"(?= *"\s*,?\s*[)}\]])/g;
const PATH = inAnyScript(/(?<![\w:#])((?:r#)?\w+(?:::(?:r#)?\w+)+)/g);
const USED_MACRO = inAnyScript(/(?<![\w:])([A-Za-z_]\w*)!(?!=)/g);
/** Matches `#[test]`, `#[tokio::test]`, `#[rstest]`, but not `#[cfg(test)]`, which helpers have too. */
const TEST_ATTRIBUTE = inAnyScript(/#\[\s*(?:\w+::)*(?:\w*test\w*|quickcheck)\b/);
/** Macros that generate tests: `proptest! {`, or a macro of the crate itself. */
const TEST_MACRO = inAnyScript(/\b(?:\w*tests?|quickcheck|test_\w+)!\s*[({[]/);
const MACRO = inAnyScript(/(?<!\w)macro_rules!\s*(\w+)\s*[{(]/g);
const WRITTEN_MACRO = inAnyScript(/(?<!\w)(\w+)!/g);
const RENAMED = inAnyScript(/\s+as\s+\w+\s*$/);
const NAME = inAnyScript(/[A-Za-z_]\w*/);
const MAX_NESTED = 16;
/** Maximum number of modules within one file. */
const MAX_INNER = 200;

/**
 * Reads `use`, paths in code, and `mod` (as `mod name`). Paths in an inline module are rewritten relative to the file.
 * `uses` has the macros: those of the crate need no import.
 */
export function readRust(text: string): Facts {
  const code = namesAlone(blank(text, LITERALS));
  const layout = layoutOf(code);
  const inner = [...code.matchAll(MODULE)].flatMap((match) => {
    const open = match.index + match[0].length - 1;
    return match[2] === "{" ? [{ name: match[1] as string, start: open, end: layout.closing(open) }] : [];
  });
  inner.splice(MAX_INNER);
  const holders = (at: number) =>
    inner.filter(({ start, end }) => start < at && at < end).map(({ name }) => name);
  const found = new Set<string>();
  const add = (path: string, at: number) => {
    // `r#type` is the name `type`.
    const module = fromFile(path.replaceAll("r#", ""), holders(at));
    if (module !== undefined) found.add(module);
  };
  const files = [...code.matchAll(MODULE)].flatMap((match): Import[] => {
    if (match[2] !== ";") return [];
    const names = placesOf(text, match.index);
    const module = `mod ${[...holders(match.index), match[1]].join("::")}`;
    return [{ module, ...(names.length > 0 && { names }) }];
  });
  for (const { index, 0: whole, 1: variable } of code.matchAll(INCLUDED)) {
    const start = index + whole.length;
    const place = text.slice(start, code.indexOf('"', start));
    if (variable === undefined) files.push({ module: `include ./${place}` });
    else if (text.slice(index, start).includes('"CARGO_MANIFEST_DIR"'))
      files.push({ module: `include ${place.replace(/^\//, "")}` });
  }
  for (const match of code.matchAll(USE)) {
    for (const path of expanded(match[1] as string, 0)) add(path, match.index);
  }
  for (const match of code.matchAll(PATH)) add(match[1] as string, match.index);
  const imports: Import[] = [...files, ...[...found].map((module) => ({ module }))];
  const uses = new Set([...code.matchAll(USED_MACRO)].map(([, name = ""]) => name));
  const macros = [...code.matchAll(MACRO)].map(([, name = ""]) => name);
  return {
    imports,
    definitions: definitionsIn(layout),
    uses: [...uses],
    ...(macros.length > 0 && { macros }),
    ...(holdsTests(layout) && { holdsTests: true }),
  };
}

/** Whether a file holds tests. Tests that a macro generates belong to the file that uses the macro. */
function holdsTests({ code, closing }: Layout): boolean {
  let rest = "";
  let at = 0;
  const makers = new Set<string>();
  for (const match of code.matchAll(MACRO)) {
    if (match.index < at) continue;
    rest += code.slice(at, match.index);
    const open = match.index + match[0].length - 1;
    at = closing(open);
    if (TEST_ATTRIBUTE.test(code.slice(open, at))) makers.add(match[1] as string);
  }
  rest += code.slice(at);
  const isMade = () => [...rest.matchAll(WRITTEN_MACRO)].some(([, name = ""]) => makers.has(name));
  return TEST_ATTRIBUTE.test(rest) || TEST_MACRO.test(rest) || (makers.size > 0 && isMade());
}

/**
 * Returns the paths that attributes give the module that follows: one by `#[path = "…"]`; by `#[cfg_attr(unix, path = "…")]`
 * one of several, of which the last is empty, as the module may also be where it is without them.
 */
function placesOf(text: string, index: number): string[] {
  const attributes = attributesBefore(text.slice(Math.max(0, index - MAX_ATTRIBUTES), index));
  const always = /#\[path\s*=\s*"([^"\n]+)"\]/.exec(attributes)?.[1];
  if (always !== undefined) return [always];
  const places = [
    ...attributes.matchAll(/#\[cfg_attr\([^\]"]*(?:"[^"\n]*"[^\]"]*)*?[,\s]path\s*=\s*"([^"\n]+)"/g),
  ];
  return places.length === 0 ? [] : [...places.map(([, place = ""]) => place), ""];
}

/** Returns the attributes that a text ends with, on lines of their own or on the last. */
function attributesBefore(text: string): string {
  const lines = text
    .slice(Math.max(...[..."};"].map((mark) => text.lastIndexOf(`${mark}\n`))) + 1)
    .split("\n");
  const own = (lines.pop() ?? "").replace(/^.*[;{}]/, "").trim();
  if (!/^(?:#\[|pub\b|$)/.test(own)) return "";
  const found = [own];
  let isWithin = false;
  for (const line of lines.reverse().map((each) => each.trim())) {
    if (!isWithin && !/^(?:#\[|\/\/|$)|\]$/.test(line)) break;
    isWithin = !line.startsWith("#[") && (isWithin || line.endsWith("]"));
    found.unshift(line);
  }
  return found.join("\n");
}

/** Rewrites a path relative to the file's own module; undefined if it stays in an inline module of the file. */
function fromFile(path: string, holders: readonly string[]): string | undefined {
  const parts = path.split("::");
  let depth = holders.length;
  if (parts[0] !== "self" && parts[0] !== "super") return path;
  if (parts[0] === "self") parts.shift();
  while (parts[0] === "super" && depth > 0) {
    parts.shift();
    depth--;
  }
  if (depth > 0) return undefined;
  return parts[0] === "super" ? parts.join("::") : ["self", ...parts].join("::");
}

/** Expands `a::{b, c::{self, d as e}}` to `a::b`, `a::c` and `a::c::d`. */
function expanded(tree: string, depth: number): string[] {
  const open = tree.indexOf("{");
  if (open < 0 || depth > MAX_NESTED) {
    const path = tree.replace(RENAMED, "").replace(/\s+/g, "").replace(/^::/, "");
    return path === "" ? [] : [path.replace(/::(?:\*|self)$/, "")];
  }
  const prefix = tree.slice(0, open).trim();
  return split(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((part) =>
    expanded(prefix + part.trim(), depth + 1),
  );
}

function split(list: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: mark, index } of list.matchAll(/[{},]/g)) {
    if (mark === ",") {
      if (depth > 0) continue;
      parts.push(list.slice(from, index));
      from = index + 1;
    } else depth += mark === "{" ? 1 : -1;
  }
  return [...parts, list.slice(from)].filter((part) => part.trim() !== "");
}

function definitionsIn(layout: Layout): Definition[] {
  const impls = [...layout.code.matchAll(IMPL)].map((match) => {
    const open = match.index + match[0].length - 1;
    const type = (match[1] as string)
      .split(/\bfor\b/)
      .at(-1)
      ?.replace(/<[^<>]*>|\bwhere\b[\s\S]*/g, " ");
    return {
      name: NAME.exec(type ?? "")?.[0] ?? "",
      start: open,
      end: layout.closing(open),
    };
  });
  const held: Found[] = [];
  let next = 0;
  for (const each of definitionsOf(layout, FORMS)) {
    while ((impls[next]?.end ?? Infinity) < each.start) next++;
    const holder = impls[next];
    const isMethod = each.kind === "function" && holder !== undefined && holder.start < each.start;
    held.push(isMethod ? { ...each, name: `${holder.name}.${each.name}`, kind: "method" } : each);
  }
  return named(held, []);
}
