import type { DefinitionKind } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { within } from "../classes/namespace-table.ts";
import { type Found, foundAt } from "../definitions.ts";
import type { Layout } from "../layout.ts";

/** A definition, and how other files can refer to it. */
export interface ScalaDefinition extends Found {
  /** Of what a package or its object has, the package. */
  package: string | undefined;
  /** Whether it is a member of other types, for which only those look that know the package. */
  isExtension: boolean;
  /** Whether it is within classes and packages alone, not in a function. */
  isMember: boolean;
  /** Whether it is an object that holds what its package has. */
  isOfPackage: boolean;
}

export interface Packages {
  /** The packages of the clauses at the top of the file, from the outermost to the file's own. */
  clauses: readonly string[];
}

const TOKEN = inAnyScript(
  /[([{]|[)\]}]|;|\n\s*|(?<![.\w$])(?:(class|trait|object|enum|type|def|val|var|given)[ \t]+(`[^`\n]*`|[A-Za-z_$][\w$]*|[^\s\w([{:;,)\]}]+)|(extension)\b(?=\s{0,20}[[(])|(package)[ \t]+(?!object\b)((?:\w+|`[^`\n]*`)(?:\.(?:\w+|`[^`\n]*`))*)|(case)[ \t]+([A-Z]\w*(?:[ \t]*,[ \t]*[A-Z]\w*)*))/g,
);
const KINDS: Readonly<Record<string, DefinitionKind>> = {
  class: "class",
  trait: "interface",
  object: "class",
  enum: "enum",
  type: "type",
  val: "value",
  var: "value",
  given: "value",
};
/** What at the beginning of a line says that a definition goes on, though the line is no deeper. */
const CONTINUES = /(?:[{.]|(?:extends|with|derives|else|catch|finally|yield|then|do|end)(?![\w$]))/y;
/** What follows the name of a `val` that is one, not a pattern, and of a `given` that has one. */
const NAMED = /\s*(?::(?!:)|=|,|$|\n)/y;
const GIVEN = /\s*:(?!:)/y;
/** How many open brackets one closing bracket may close, its own included. */
const MAX_UNCLOSED = 8;
const CLOSES: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** What stands open at a place: a definition, an extension or a package. */
interface Open {
  form: "type" | "package" | "extension" | "other";
  /** Its place in the list of what is found; -1 if it is no definition. */
  found: number;
  /** How many brackets are open around it. */
  level: number;
  /** How many are open in its body, if that has begun. */
  body?: number;
  indent: number;
  /** The package whose names its members are, if they are names of a package. */
  package: string | undefined;
  isEnum?: boolean;
  /** Whether its functions are members of other types. */
  extends?: boolean;
}

/** The first brace or colon behind the head of a definition opens its body. A package without one has the rest of the file. */
function openBody(each: Open, level: number): void {
  if (each.indent >= 0) each.body ??= level;
}

/**
 * Returns classes, functions and methods, and what else packages have. Bodies are told by braces and by indentation, as
 * Scala 3 does.
 */
export function scalaDefinitions(layout: Layout, text: string): Packages & { found: ScalaDefinition[] } {
  const { code } = layout;
  const found: ScalaDefinition[] = [];
  const clauses: string[] = [];
  const open: Open[] = [];
  const brackets: string[] = [];
  let indent = /^\s*/.exec(code)?.[0].replace(/[\s\S]*\n/, "").length ?? 0;

  const close = (position: number, isClosed: (each: Open) => boolean) => {
    for (let last = open.at(-1); last && isClosed(last); last = open.at(-1)) {
      const definition = found[last.found];
      if (definition) Object.assign(definition, { end: position, to: layout.lineAt(position) });
      open.pop();
    }
  };
  const written = (end: number, name: string) => text.slice(end - name.length, end).replaceAll("`", "");

  for (const match of code.matchAll(TOKEN)) {
    const { index: start, 0: token } = match;
    const end = start + token.length;
    const level = brackets.length;
    if (token.startsWith("\n")) {
      const last = open.at(-1);
      if (last?.level === level && (last.form === "extension" || code[start - 1] === ":"))
        openBody(last, level);
      indent = token.length - token.lastIndexOf("\n") - 1;
      CONTINUES.lastIndex = end;
      const goesOn = CONTINUES.test(code);
      close(
        start,
        (each) => each.level === level && (each.indent > indent || (each.indent === indent && !goesOn)),
      );
    } else if (token === ";") close(start, (each) => each.level === level && each.indent >= indent);
    else if ("([{".includes(token)) {
      const last = open.at(-1);
      if (token === "{" && last?.level === level) openBody(last, level + 1);
      brackets.push(token);
    } else if (CLOSES[token] !== undefined) {
      const near = brackets.slice(-MAX_UNCLOSED);
      const opening = near.lastIndexOf(CLOSES[token] as string);
      if (opening < 0) continue;
      brackets.length += opening - near.length;
      close(start, (each) => each.level > brackets.length);
    } else declare(match, { start, end, level });
  }
  close(code.length, () => true);
  return { clauses, found };

  function declare(
    match: RegExpMatchArray,
    { start, end, level }: { start: number; end: number; level: number },
  ) {
    const [, keyword, name = "", isExtension, isPackage, packageName = "", isCase, cases = ""] = match;
    const around = open.at(-1);
    const isMember = around
      ? around.form !== "other" && level === (around.body ?? around.level)
      : level === 0;
    const outer = around ? around.package : "";
    const own = { level, indent, found: -1, package: undefined };
    if (isPackage) {
      const full = within(outer ?? "", written(end, packageName));
      const hasBody = /^\s*(?:\{|:[ \t]*\n)/.test(code.slice(end, end + 40));
      if (clauses.length === open.length) clauses.push(full);
      open.push({ ...own, form: "package", indent: hasBody ? indent : -1, package: full });
    } else if (isExtension)
      open.push({ ...own, form: "extension", package: isMember ? outer : undefined, extends: true });
    else if (isCase) {
      if (!around?.isEnum) return;
      const places = cases.split(/[\s,]+/).map((each) => add(each, "class", undefined));
      for (const at of places) Object.assign(found[at] as Found, { end, to: layout.lineAt(end) });
      open.push({ ...own, form: "other", found: places.at(-1) as number });
    } else {
      const isType = keyword === "class" || keyword === "trait" || keyword === "object" || keyword === "enum";
      const isFunction = keyword === "def";
      const text = written(end, name);
      const isExtending = around?.extends === true;
      const before = code.slice(Math.max(0, start - 60), start);
      const isOfPackage = keyword === "object" && /\bpackage\s+$/.test(before);
      if (isOfPackage && isMember && outer !== undefined && clauses.length === open.length)
        clauses.push(within(outer, text));
      const isImplicit =
        keyword === "class" && outer !== undefined && /\bimplicit\s+(?:final\s+)?$/.test(before);
      const inPackage = isMember && (isFunction || !isExtending) ? outer : undefined;
      const kind = isFunction ? (inPackage === undefined ? "method" : "function") : KINDS[keyword as string];
      const after = keyword === "given" ? GIVEN : NAMED;
      after.lastIndex = end;
      const isNamed = isType || isFunction || keyword === "type" || after.test(code);
      open.push({
        ...own,
        found: isNamed
          ? add(text, kind as DefinitionKind, inPackage, {
              isExtension: isExtending && isFunction,
              isOfPackage,
            })
          : -1,
        form: isType ? "type" : "other",
        package: isOfPackage ? within(outer ?? "", text) : isImplicit ? outer : undefined,
        isEnum: keyword === "enum",
        extends: isImplicit,
      });
    }

    function add(
      text: string,
      kind: DefinitionKind,
      inPackage: string | undefined,
      { isExtension = false, isOfPackage = false } = {},
    ): number {
      const each = foundAt(layout, { name: text, kind }, start, code.length);
      return found.push({ ...each, package: inPackage, isExtension, isMember, isOfPackage }) - 1;
    }
  }
}
