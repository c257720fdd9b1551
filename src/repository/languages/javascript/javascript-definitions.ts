import type { Definition } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import {
  bodyEnd,
  type DefinitionForm,
  definitionsOf,
  type Found,
  foundAt,
  named,
  statementEnd,
} from "../definitions.ts";
import type { Layout } from "../layout.ts";

const FORMS: readonly DefinitionForm[] = [
  { pattern: inAnyScript(/(?<![.\w$])(?:async\s+)?function\b\s*\*?\s*([\w$]+)/g), kind: "function" },
  { pattern: inAnyScript(/(?<![.\w$])class\s+(?!extends\b|implements\b)([\w$]+)/g), kind: "class" },
  { pattern: inAnyScript(/(?<![.\w$])interface\s+([\w$]+)(?=[\s<{])/g), kind: "interface" },
  { pattern: inAnyScript(/(?<![.\w$])enum\s+([\w$]+)(?=\s*\{)/g), kind: "enum" },
  { pattern: inAnyScript(/(?<![.\w$])(?:namespace|module)\s+([\w$.]+)(?=\s*\{)/g), kind: "module" },
];
const TYPE = inAnyScript(/(?<![.\w$])type\s+([\w$]+)\s*(?=[<=])/g);
const VALUE = inAnyScript(/(?<![.\w$])(?:const|let|var)\s+([\w$]+)\s*(?=[=:])/g);
const ASSIGNED = inAnyScript(
  /(?<![\w$.])((?:[\w$]+\.)+[\w$]+)\s*=(?=\s*(?:async\s+)?(?:function\b|class\b|\())/g,
);
/** What precedes a statement, and how many characters to look back for it. */
const [BEGIN, MAX_BEGIN] = [/(?:^|[\n;{}])\s{0,40}$/, 41];
const MEMBER = inAnyScript(
  /(?<=[\n;{}]\s{0,40})(?:(?:public|private|protected|static|async|override|readonly|get|set|abstract)\s+){0,4}\*?\s{0,4}(#?[\w$]+)(?:[ \t]{0,4}[(<]|\s{0,4}=(?![=>]))/g,
);
const NO_MEMBER =
  /^(?:if|for|while|switch|catch|return|function|with|super|new|await|typeof|throw|else|do|import)$/;
/** The start of a value that makes its name a function. */
const FUNCTION_VALUE = inAnyScript(/\s*(?:async\s*)?(?:function\b|\(|<|[\w$]+\s*=>)/y);

/** Returns functions, classes and their members, types, and values declared outside all braces. */
export function javascriptDefinitions(layout: Layout): Definition[] {
  const plain = [...definitionsOf(layout, FORMS), ...types(layout), ...values(layout), ...assigned(layout)];
  const found = [...plain, ...members(layout, plain)];
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  return named(
    found.filter((each, index) => !isNameOfValue(found[index - 1], each)),
    ["class"],
  );
}

/** Whether a function is the value of an assignment or declaration already found, as in `app.get = function get()`. */
function isNameOfValue(outer: Found | undefined, { kind, from, to }: Found): boolean {
  return kind === "function" && outer?.kind === "function" && outer.from === from && outer.to === to;
}

function types(layout: Layout): Found[] {
  const anywhere = () => true;
  return apart(layout, TYPE, anywhere, (match, end) =>
    foundAt(layout, { name: match[1] ?? "", kind: "type" }, match.index, end),
  );
}

/** Returns declarations outside all braces. An arrow or `function` makes one a function. */
function values(layout: Layout): Found[] {
  const isOuter = (position: number) => layout.depthAt(position) === 0;
  return apart(layout, VALUE, isOuter, (match, end) => {
    const [whole, name = ""] = match;
    const given = layout.code.slice(match.index + whole.length, Math.min(end, match.index + 2000));
    const equals = given.search(/=(?![>=])/);
    if (/^=\s*(?:require|await\s+import)\s*\(/.test(given.slice(Math.max(0, equals)))) return undefined;
    const kind = isFunction(given.slice(equals + 1)) ? "function" : "value";
    return foundAt(layout, { name, kind }, match.index, end);
  });
}

/**
 * Returns matching statements, leaving out those nested in an earlier one. `isWanted` is asked first, since the end of a
 * statement may be as far as that of the file.
 */
function apart(
  layout: Layout,
  pattern: RegExp,
  isWanted: (position: number) => boolean,
  make: (match: RegExpExecArray, end: number) => Found | undefined,
): Found[] {
  const found: Found[] = [];
  let last = 0;
  for (const match of layout.code.matchAll(pattern)) {
    if (match.index < last || !isWanted(match.index)) continue;
    last = endOf(layout, match.index + match[0].length);
    const made = make(match, last);
    if (made) found.push(made);
  }
  return found;
}

function isFunction(value: string): boolean {
  FUNCTION_VALUE.lastIndex = 0;
  const head = FUNCTION_VALUE.exec(value)?.[0];
  return head !== undefined && (/function$/.test(head) || value.includes("=>"));
}

/** Returns definitions by assignment: `app.get = function …`, `exports.open = (…) => …`. */
function assigned(layout: Layout): Found[] {
  return [...layout.code.matchAll(ASSIGNED)].flatMap((match) => {
    const [whole, path = ""] = match;
    // Checked after the match: a lookbehind at every character takes as long as everything else together.
    if (!BEGIN.test(layout.code.slice(Math.max(0, match.index - MAX_BEGIN), match.index))) return [];
    const from = match.index + whole.length;
    const end = endOf(layout, from);
    if (!isFunction(layout.code.slice(from, Math.min(end, from + 2000)))) return [];
    const name = path.replace(/^(?:module\.)?exports\.|^this\./, "").replace(".prototype.", ".");
    return [foundAt(layout, { name, kind: "function" }, match.index, end)];
  });
}

/** Returns members that stand directly in the braces of the innermost class around them. */
function members(layout: Layout, found: readonly Found[]): Found[] {
  const classes = found
    .filter(({ kind }) => kind === "class")
    .sort((left, right) => left.start - right.start);
  if (classes.length === 0) return [];
  const open: { end: number; depth: number }[] = [];
  const members: Found[] = [];
  let next = 0;
  for (const match of layout.code.matchAll(MEMBER)) {
    const [whole, name = ""] = match;
    const start = match.index + (/^\s*/.exec(whole)?.[0].length ?? 0);
    for (let each = classes[next]; each && each.start < start; each = classes[++next]) {
      open.push({ end: each.end, depth: layout.depthAt(each.start) + 1 });
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    const holder = open.at(-1);
    if (!holder || layout.depthAt(start) !== holder.depth || NO_MEMBER.test(name)) continue;
    const isField = whole.endsWith("=");
    const from = match.index + whole.length;
    const end = isField ? endOf(layout, from) : bodyEnd(layout, from - 1);
    if (
      isField
        ? !isFunction(layout.code.slice(from, Math.min(end, from + 500)))
        : !/[};]/.test(layout.code[end] ?? "")
    )
      continue;
    members.push(foundAt(layout, { name, kind: "method" }, start, end));
  }
  return members;
}

/** Returns the position of the `;` or of the line break after which the statement does not continue. */
function endOf(layout: Layout, position: number): number {
  const { code } = layout;
  return statementEnd(layout, position, (newline) => {
    const before = code.slice(Math.max(0, newline - 80), newline).trimEnd();
    const after = /\S{1,2}/.exec(code.slice(newline, newline + 400))?.[0] ?? "";
    return /(?:[=,?:|&+\-*<(]|=>)$/.test(before) || /^(?:[.?:|&=+*,]|=>)/.test(after) || before === "";
  });
}
