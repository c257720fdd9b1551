import type { Definition } from "../../facts.ts";
import { inAnyScript, WORDS } from "../any-script.ts";
import type { Layout } from "../layout.ts";
import type { Range } from "./preprocessed.ts";
import { variablesIn } from "./variables.ts";

export interface Declarations {
  defined: Definition[];
  /** Names of functions and members that are declared without a body. */
  declared: string[];
  /** Names of variables that no other file can use. */
  statics: string[];
  /** What is in braces and holds no declarations. */
  bodies: Range[];
}

/** A stretch of code that holds declarations: a file, a namespace or the body of a class. */
interface Scope {
  from: number;
  to: number;
  /** The class, without those around it. */
  holder: string | undefined;
  /** Whether it is the body of a class, perhaps of one without a name. */
  isOfType: boolean;
}

interface Group {
  /** The positions of its parentheses. */
  open: number;
  close: number;
}

const MARK = /[([{;}]/g;
const WORD = /\S/g;
/** The longest text before a body that is looked at, and before a parenthesis. */
const [MAX_HEAD, MAX_NAME] = [4000, 200];
/** The most groups of parentheses before a body that are looked at. */
const MAX_GROUPS = 64;
const TEMPLATE = /^\s*template\s*</;
const ASSIGNED = /(?<![=!<>+*/%&|^-])=(?!=)/;
const SCOPE = /(?:^|[\s;:])(?:namespace\b(?![^;{]*=)|extern\s*"|export\s*$)/;
const TYPE = /(?:^|[\s;(])(class|struct|union|enum)\b(?:\s+(?:class|struct)\b)?([^;{]*)$/;
/** Words before parentheses that are no name of a function. */
const NO_FUNCTION =
  /^(?:if|for|while|switch|catch|return|sizeof|defined|alignas|alignof|decltype|noexcept|throw|requires|asm|__asm__|__attribute__|__declspec|static_assert|_Static_assert|typeof|__typeof__|new|delete|co_await|co_return|using)$/;
/** Words of a type, which may stand before a name in parentheses: `int (*handler(int))(int)`. */
const PLAIN_TYPE =
  /^(?:void|bool|_Bool|char|short|int|long|float|double|signed|unsigned|const|volatile|auto)$/;
/** A name in parentheses, which other parentheses follow. */
const INNER_NAME = inAnyScript(/^\(\s*(?:\*\s*)*([A-Za-z_]\w*)\s*[()]/);
/** A macro around parameters, for compilers without them: `int open PROTO((int))`. */
const PARAMETERS_MACRO = inAnyScript(/([A-Za-z_]\w*)\s+(?:[A-Z_][A-Z\d_]*)\s*$/);
/** A name before parentheses, with the classes and namespaces that it is of. */
const NAME = inAnyScript(
  /((?:[A-Za-z_]\w*(?:<[^<>;{}]{0,80}>)?\s*::\s*)*)(operator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]{1,3}|[A-Za-z_][\w:<>*& ]{0,60})|~?\s*[A-Za-z_]\w*)\s*$/,
);
const PLAIN_NAME = inAnyScript(/[A-Za-z_]\w*/g);
const BEGINS_WITH_NAME = inAnyScript(/^\s*[A-Za-z_]/);
/** The parameters of a function before ANSI C, which gave only their names. */
const NAMES = inAnyScript(/^[\w\s,]+$/);
/** What stands before the value of a member in `Store() : size{0} {`. */
const MEMBER_INITIALISER = inAnyScript(/[:,]\s*[\w:]+(?:<[^<>{}]{0,80}>)?\s*$/);
/** The name of a type behind its body. */
const ALIAS = inAnyScript(/^[\s*]*([A-Za-z_]\w*)\s*;/);
/** Test macros of GoogleTest, whose arguments name the test. */
const GOOGLE_TEST = /^(?:TYPED_)?TEST(?:_F|_P)?$/;

/**
 * Reads the declarations of a file whose directives are blank. Bodies of functions are passed over. Each character is
 * passed once for each scope that it lies in.
 */
export function declarationsIn(layout: Layout): Declarations {
  const defined: Definition[] = [];
  const declared: string[] = [];
  const statics: string[] = [];
  const bodies: Range[] = [];
  const open: Scope[] = [{ from: 0, to: layout.code.length, holder: undefined, isOfType: false }];
  for (let scope = open.pop(); scope; scope = open.pop()) {
    for (const inner of readScope(layout, scope, { defined, declared, statics, bodies })) open.push(inner);
  }
  return { defined, declared, statics, bodies };
}

/** Returns the scopes within a scope, and adds its own declarations to those found. */
function readScope(layout: Layout, { from, to, holder, isOfType }: Scope, found: Declarations): Scope[] {
  const { code } = layout;
  const inner: Scope[] = [];
  let head = headFrom(code, from);
  MARK.lastIndex = from;
  for (let match = MARK.exec(code); match && match.index < to; match = MARK.exec(code)) {
    const { index, 0: mark } = match;
    const close = mark === ";" || mark === "}" ? index : Math.min(layout.closing(index), to);
    MARK.lastIndex = close + 1;
    if (mark === "(") addGroup(head, code, { open: index, close });
    else if (mark === "}") head = headFrom(code, index + 1);
    else if (mark === ";") {
      if (isOldParameter(code, head, index)) continue;
      const name = declaredName(code, head, index, holder);
      if (name) found.declared.push(name);
      if (!isOfType && head.groups.length === 0) addVariables(layout, head.start, index, found);
      head = headFrom(code, index + 1);
    } else if (mark === "{" && !head.isValue && !isMemberInitialiser(code, head, index)) {
      const body = bodyAt(code, head, index, close, { holder, isOfType });
      head.isValue = body === undefined;
      if (!body?.scope) found.bodies.push({ start: index, end: close });
      if (body === undefined) continue;
      const { definition, scope } = body;
      if (definition) {
        found.defined.push({ ...definition, from: layout.lineAt(head.start), to: layout.lineAt(close) });
      }
      if (scope) inner.push(scope);
      head = headFrom(code, close + 1);
    }
  }
  return inner;
}

function addVariables({ code, lineAt }: Layout, start: number, end: number, found: Declarations): void {
  const { names, reach } = variablesIn(code.slice(start, Math.min(end, start + MAX_NAME)));
  const lines = { from: lineAt(start), to: lineAt(end) };
  for (const name of names)
    if (reach === "extern") found.declared.push(name);
    else if (reach === "static") found.statics.push(name);
    else found.defined.push({ name, kind: "value", ...lines });
}

/** What stands before a body or `;`. */
interface Head {
  start: number;
  groups: Group[];
  /** Whether the members of a class are initialised behind one of the groups. */
  isInitialised: boolean;
  /** Whether it goes on behind a value in braces. */
  isValue: boolean;
}

/** Begins at the first word: what is long before it are blank comments. */
function headFrom(code: string, from: number): Head {
  WORD.lastIndex = from;
  const start = WORD.exec(code)?.index ?? code.length;
  return { start, groups: [], isInitialised: false, isValue: false };
}

function addGroup(head: Head, code: string, group: Group): void {
  if (head.groups.length >= MAX_GROUPS || head.isInitialised) return;
  head.groups.push(group);
  head.isInitialised = /^\s*(?:noexcept\s*)?:(?!:)/.test(code.slice(group.close + 1, group.close + 80));
}

/** Whether a declaration is that of a parameter between the head of a function and its body, as before ANSI C. */
function isOldParameter(code: string, { groups }: Head, end: number): boolean {
  const group = groups.at(-1);
  if (!group || group.close - group.open > MAX_NAME) return false;
  const after = Math.max(code.lastIndexOf(";", end - 1), group.close) + 1;
  const text = end - after > MAX_NAME ? "" : code.slice(after, end);
  if (!BEGINS_WITH_NAME.test(text)) return false;
  const [, ...names] = text.match(PLAIN_NAME) ?? [];
  const list = code.slice(group.open + 1, group.close);
  return NAMES.test(list) && list.split(",").some((each) => names.includes(each.trim()));
}

/** Whether a brace initialises a member, as in `Store() : size{0} {`. */
function isMemberInitialiser(code: string, { isInitialised }: Head, brace: number): boolean {
  if (!isInitialised) return false;
  const before = code.slice(Math.max(0, brace - MAX_NAME), brace);
  return MEMBER_INITIALISER.test(before);
}

/** Returns what a body defines and the scope that it is, if any; undefined if it is a value. */
function bodyAt(
  code: string,
  head: Head,
  brace: number,
  close: number,
  { holder, isOfType }: Pick<Scope, "holder" | "isOfType">,
): { definition?: Pick<Definition, "name" | "kind">; scope?: Scope } | undefined {
  const start = afterTemplate(code, Math.max(head.start, brace - MAX_HEAD), brace);
  const text = code.slice(start, brace);
  const definition = functionName(code, start, head, holder);
  if (definition) return { definition };
  const scope = { from: brace + 1, to: close };
  if (SCOPE.test(text)) return { scope: { ...scope, holder, isOfType } };
  const type = typeName(text);
  // A macro may stand for all that is before a body.
  if (!type) return ASSIGNED.test(text) ? undefined : {};
  const [, alias] = ALIAS.exec(code.slice(close + 1, close + 1 + MAX_NAME)) ?? [];
  const name = type.name ?? (/\btypedef\b/.test(text) ? alias : undefined);
  const isEnum = type.word === "enum";
  return {
    ...(name && { definition: { name, kind: isEnum ? "enum" : "class" } }),
    ...(!isEnum && { scope: { ...scope, holder: name ?? holder, isOfType: true } }),
  };
}

/** Returns the word and the name of the type that a head begins a body of. */
function typeName(head: string): { word: string; name: string | undefined } | undefined {
  const [, word = "", rest = ""] = TYPE.exec(head) ?? [];
  if (word === "" || ASSIGNED.test(head)) return undefined;
  const [before] = rest.replace(/\([^()]*\)|\[\[[^\]]*\]\]|\bfinal\b/g, " ").split(/<|(?<!:):(?!:)/);
  return { word, name: before?.match(PLAIN_NAME)?.at(-1) };
}

/** Returns the function whose parameters are one of the groups before a body, if there is one. */
function functionName(
  code: string,
  start: number,
  { groups }: Head,
  holder: string | undefined,
): Pick<Definition, "name" | "kind"> | undefined {
  const names = groups.flatMap((group, index) => {
    const from = Math.max(start, (groups[index - 1]?.close ?? -1) + 1);
    // What is behind an arrow is the type that a function returns.
    if (group.open < start || (from > start && code.slice(from, group.open).includes("->"))) return [];
    const next = groups[index + 1];
    const isInner = next !== undefined && code.slice(group.close + 1, next.open).trim() === "";
    const inner = isInner ? INNER_NAME.exec(code.slice(group.open, group.open + MAX_NAME))?.[1] : undefined;
    const named = inner === undefined ? nameBefore(code, start, group) : { name: inner };
    return named ? [{ ...named, group }] : [];
  });
  // A macro in capitals behind the parameters, such as GUARDED_BY(mutex), is no name.
  const best = names.findLast(({ name }) => !/^[A-Z][A-Z\d_]+$/.test(name)) ?? names.at(-1);
  if (!best) return undefined;
  const { group, classes, name } = best;
  const before = code.slice(start, group.open);
  if (ASSIGNED.test(before.replace(/\boperator\b[\s\S]*/, ""))) return undefined;
  if (GOOGLE_TEST.test(name)) {
    const [suite, test] = code.slice(group.open + 1, group.open + MAX_NAME).match(WORDS) ?? [];
    return suite && test ? { name: `${suite}.${test}`, kind: "function" } : undefined;
  }
  const of = classes ?? holder;
  return of === undefined ? { name, kind: "function" } : { name: `${of}.${name}`, kind: "method" };
}

/** Returns the name before a group of parentheses, with the class it is of where that is written. */
function nameBefore(
  code: string,
  start: number,
  { open }: Group,
): { name: string; classes?: string } | undefined {
  const before = code.slice(Math.max(start, open - MAX_NAME), open);
  const hidden = /^\(\s*\(/.test(code.slice(open, open + 9)) ? PARAMETERS_MACRO.exec(before)?.[1] : undefined;
  if (hidden !== undefined) return { name: hidden };
  const [, path = "", name = ""] = NAME.exec(before) ?? [];
  const plain = name.replace(/\s+/g, "");
  if (plain === "" || NO_FUNCTION.test(plain) || PLAIN_TYPE.test(plain)) return undefined;
  const classes = path
    .replace(/<[^<>]*>/g, "")
    .match(WORDS)
    ?.at(-1);
  return { name: plain, ...(classes && { classes }) };
}

const NO_DECLARATION = /^\s*(?:typedef|using|friend|static_assert|_Static_assert|return|goto)\b/;
/** Words of a function that no other file can define. */
const OWN_FUNCTION = /^\s*(?:static|inline)\b/;
const ACCESS = /^(?:\s*(?:public|private|protected)\s*:)+/;

/** Returns the name of the function that a declaration ends without a body. */
function declaredName(code: string, head: Head, end: number, holder: string | undefined): string | undefined {
  if (head.groups.length === 0 || end - head.start > MAX_HEAD) return undefined;
  const start = afterTemplate(code, head.start, end);
  const text = code.slice(start, end).replace(ACCESS, "");
  if (NO_DECLARATION.test(text) || (holder === undefined && OWN_FUNCTION.test(text))) return undefined;
  if (/=\s*(?:0|default|delete)\s*$/.test(text)) return undefined;
  return functionName(code, start, head, holder)?.name;
}

/** Returns the position behind the parameters of templates that a declaration begins with. */
function afterTemplate(code: string, start: number, end: number): number {
  let at = start;
  for (let match = TEMPLATE.exec(code.slice(at, end)); match; match = TEMPLATE.exec(code.slice(at, end))) {
    at += match[0].length;
    for (let depth = 1; at < end && depth > 0; at++) {
      if (code[at] === "<") depth++;
      else if (code[at] === ">" && code[at - 1] !== "-") depth--;
    }
  }
  return at;
}
