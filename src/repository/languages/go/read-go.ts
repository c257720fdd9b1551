import type { Definition, Facts, Import } from "../../facts.ts";
import { inAnyScript, namesAlone } from "../any-script.ts";
import { blank } from "../blank.ts";
import { type DefinitionForm, definitionsOf, statementEnd } from "../definitions.ts";
import { layoutOf } from "../layout.ts";

const LITERALS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`[^`]*(?:`|$)|"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]{0,4}(?:\\.[^'\\\n]{0,10})?'/g;
const IMPORTS = /^import\s*(?:\(([^()]*)\)|([^\n(]+))/gm;
const IMPORT = inAnyScript(/(?:(?<![\w.])([\w.]+)[ \t]+)?(["`]) *["`]/g);
const FORMS: readonly DefinitionForm[] = [
  { pattern: inAnyScript(/^func\s+(\w+)/gm), kind: "function", isOuter: true },
];
const DECLARATION = inAnyScript(/^(type|var|const)[ \t]+(\w+(?:[ \t]*,[ \t]*\w+)*)([ \t]+interface\b)?/gm);
const METHOD = inAnyScript(/^func\s*\(\s*(?:\w+\s+)?\*?\s*(\w+)[^)\n]*\)\s*(\w+)/gm);
const GROUP = /^(type|var|const)\s*\(/gm;
/** A name, with the member that follows it, or a member of an expression. `...pkg.Type` is a name, too. */
const WORD = inAnyScript(
  /(?<!\w|(?<!\.\.)\.)[A-Za-z_]\w*(?:\s*\.\s*([A-Za-z_]\w*))?|(?<!\.)\.\s*([A-Za-z_]\w*)/g,
);
/** Names that a file declares rather than uses. */
const OWN_NAME = inAnyScript(/^package\s+\w+|(^func\s*(?:\([^)\n]*\)\s*)?)\w+(?=\s*[([])/gm);
const FIRST = inAnyScript(/^\w*/);
const PACKAGE = inAnyScript(/^package\s+(\w+)/m);
/** Names that a line of a group declares. */
const GROUPED = inAnyScript(/^[ \t]*(\w+(?:[ \t]*,[ \t]*\w+)*)/gm);
const KEYWORD =
  /^(?:break|default|func|interface|select|case|defer|go|map|struct|chan|else|goto|package|switch|const|fallthrough|if|range|type|continue|for|import|return|var|nil|true|false|string|int|error|bool|byte|any|len|make|append|err|ok|ctx|t|i|_)$/;

/**
 * Reads a Go file, with the names taken from each imported package. `uses` has the names that its package may define,
 * and members with a dot before them (`.Close`), since methods need not stand in the file of their type.
 */
export function readGo(text: string): Facts {
  const code = namesAlone(blank(text, LITERALS));
  const imports = importsOf(text, code);
  const taken = new Map<string, Set<string>>(imports.map(({ alias }) => [alias, new Set()]));
  const uses = new Set<string>();
  for (const [word, member, last = member] of code.replace(OWN_NAME, "$1").matchAll(WORD)) {
    const name = FIRST.exec(word)?.[0] as string;
    const names = member === undefined ? undefined : taken.get(name);
    if (names && member !== undefined) names.add(member);
    else {
      if (name !== "" && !KEYWORD.test(name)) uses.add(name);
      if (last !== undefined) uses.add(`.${last}`);
    }
  }
  return {
    imports: imports.map(
      ({ module, alias }): Import => ({
        module,
        names: [...(alias === "." ? uses : (taken.get(alias) ?? []))],
      }),
    ),
    definitions: definitionsIn(code),
    package: PACKAGE.exec(code)?.[1] ?? "",
    uses: [...uses],
  };
}

function importsOf(text: string, code: string): { module: string; alias: string }[] {
  return [...code.matchAll(IMPORTS)].flatMap((block) =>
    [...block[0].matchAll(IMPORT)].map((match) => {
      const start = block.index + match.index + match[0].search(/["`]/);
      const module = text.slice(start + 1, block.index + match.index + match[0].length - 1);
      const alias = match[1] === "import" ? undefined : match[1];
      return { module, alias: alias ?? packageName(module) };
    }),
  );
}

/** Returns the conventional name of a package: the last part of its path that is not a version. */
function packageName(module: string): string {
  const parts = module.split("/");
  const last = parts.at(-1) as string;
  const name = /^v\d+$/.test(last) && parts.length > 1 ? (parts.at(-2) as string) : last;
  return name.replace(/\.v\d+$/, "").replace(/^go-|-go$|\.go$/g, "");
}

function definitionsIn(code: string): Definition[] {
  const layout = layoutOf(code);
  const found: Definition[] = definitionsOf(layout, FORMS);
  for (const match of code.matchAll(METHOD)) {
    const [whole, receiver, name] = match;
    const body = code.indexOf("{", match.index + whole.length);
    const to = layout.lineAt(body < 0 ? match.index : layout.closing(body));
    found.push({ name: `${receiver}.${name}`, kind: "method", from: layout.lineAt(match.index), to });
  }
  for (const match of code.matchAll(DECLARATION)) {
    const [whole, word, names = "", isInterface] = match;
    const kind = isInterface ? "interface" : word === "type" ? "type" : "value";
    const to = layout.lineAt(statementEnd(layout, match.index + whole.length));
    for (const name of namesIn(names)) found.push({ name, kind, from: layout.lineAt(match.index), to });
  }
  let last = 0;
  for (const match of code.matchAll(GROUP)) {
    const open = match.index + match[0].length - 1;
    if (open < last) continue;
    last = layout.closing(open);
    const kind = match[1] === "type" ? "type" : "value";
    const inside = code.slice(open + 1, last);
    let next = 0;
    for (const each of inside.matchAll(GROUPED)) {
      // A line within brackets continues what was declared above.
      if (each.index < next) continue;
      const at = open + 1 + each.index + each[0].length;
      const end = statementEnd(layout, at);
      next = end - open - 1;
      const lines = { from: layout.lineAt(at), to: layout.lineAt(end) };
      for (const name of namesIn(each[1] as string)) found.push({ name, kind, ...lines });
    }
  }
  return found
    .map(({ name, kind, from, to }) => ({ name, kind, from, to }))
    .sort((left, right) => left.from - right.from);
}

function namesIn(list: string): string[] {
  return list.split(",").map((name) => name.trim());
}
