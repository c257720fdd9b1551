import type { Definition, Facts, Import } from "../../facts.ts";
import { inAnyScript, namesAlone } from "../any-script.ts";
import { blank } from "../blank.ts";
import { type Fixtures, fixturesIn, pluginsIn, usedFixtures } from "./fixtures.ts";

const LITERALS =
  /(?:\b[rRbBuUfFtT]{1,2})?(?:"""(?:[^"\\]|\\(?:[\s\S]|$)|"(?!""))*(?:"""|$)|'''(?:[^'\\]|\\(?:[\s\S]|$)|'(?!''))*(?:'''|$)|"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'?)|#[^\n]*/g;
const FROM = inAnyScript(
  /(?:^|[;:])[ \t]*from[ \t]*(?![ \t])(\.*)(?:[ \t]*(?![ \t])(\w[\w.]*))?[ \t]+import[ \t]*(?:\(([^()]*)\)|([^\n;()]+))/gm,
);
const PLAIN = /(?:^|[;:])[ \t]*import[ \t]+([^\n;]+)/gm;
const DEFINITION = inAnyScript(/^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/);
const IMPORTED = inAnyScript(/^[A-Za-z_][\w.]*$/);
const VALUE = inAnyScript(/^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=(?!=)/);

/**
 * Reads the imports of a Python file, at any depth, its definitions, and the fixtures of pytest that its tests ask for.
 * Ignores imports by `importlib`.
 */
export function readPython(text: string): Facts {
  const code = codeOf(text);
  const definitions = definitionsOf(code);
  const uses = usedFixtures({ text, code, definitions });
  const plugins = pluginsIn(text).map((module) => ({ module }));
  return { imports: [...importsOf(code), ...plugins], definitions, ...(uses && { uses }) };
}

/** A file's fixtures, and the imports by which those of other files become its own. */
export function readFixtures(text: string): Fixtures & { imports: readonly Import[] } {
  const code = codeOf(text);
  const plugins = pluginsIn(text).map((module) => ({ module, names: [] }));
  const imports = [...importsOf(code).filter(({ names }) => names), ...plugins];
  return { ...fixturesIn({ text, code, definitions: definitionsOf(code) }), imports };
}

function codeOf(text: string): string {
  return namesAlone(blank(text, LITERALS));
}

function importsOf(code: string): Import[] {
  // Python takes names for the same if their compatible forms are (PEP 3131).
  const joined = code.replace(/\\\r?\n/g, "  ").normalize("NFKC");
  const from = [...joined.matchAll(FROM)].map(([, dots = "", module = "", inBrackets, plain = ""]) => ({
    module: dots + module,
    names: namesIn(inBrackets ?? plain),
  }));
  const plain = [...joined.matchAll(PLAIN)].flatMap(([, list = ""]) =>
    namesIn(list).map((module) => ({ module })),
  );
  return [...from, ...plain].filter(({ module }) => module !== "");
}

/** Returns the names in an import list: `a.b` and `d` of `a.b as c, d`, none for a star. */
function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim().split(/\s/, 1)[0] as string)
    .filter((name) => IMPORTED.test(name));
}

/** Finds definitions by indentation: each ends with the last line that is indented further. */
function definitionsOf(code: string): Definition[] {
  const found: (Definition & { indent: number })[] = [];
  const open: (Definition & { indent: number })[] = [];
  let brackets = 0;
  let last = 0;
  let decorated: number | undefined;
  for (const [index, line] of code.split("\n").entries()) {
    const isContinued = brackets > 0;
    brackets = Math.max(0, brackets + balanceOf(line));
    if (line.trim() === "") continue;
    if (!isContinued) {
      const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
      while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) closeAt(open, last);
      const [, , word, name] = DEFINITION.exec(line) ?? [];
      const value = indent === 0 ? VALUE.exec(line)?.[1] : undefined;
      if (line.trimStart().startsWith("@")) decorated ??= index + 1;
      else {
        if (word !== undefined && name !== undefined) {
          const holder = open.at(-1);
          const isMember = word === "def" && holder?.kind === "class";
          const definition = {
            name: isMember ? `${holder.name}.${name}` : name,
            kind:
              word === "class" ? ("class" as const) : isMember ? ("method" as const) : ("function" as const),
            from: decorated ?? index + 1,
            to: index + 1,
            indent,
          };
          found.push(definition);
          open.push(definition);
        } else if (value !== undefined) {
          const definition = { name: value, kind: "value" as const, from: index + 1, to: index + 1, indent };
          found.push(definition);
          open.push(definition);
        }
        decorated = undefined;
      }
    }
    last = index + 1;
  }
  while (open.length > 0) closeAt(open, last);
  return found.map(({ indent: _, ...definition }) => definition);
}

function closeAt(open: Definition[], line: number): void {
  const closed = open.pop();
  if (closed) closed.to = line;
}

function balanceOf(line: string): number {
  let balance = 0;
  for (const [bracket] of line.matchAll(/[()[\]{}]/g)) balance += "([{".includes(bracket) ? 1 : -1;
  return balance;
}
