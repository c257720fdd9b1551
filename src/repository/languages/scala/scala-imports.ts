import type { Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";

const NAME = "(?:[A-Za-z_$][\\w$]*|`[^`\\n]*`)";
/** A path, and what is taken of it: `a.b.C`, `a.b.{C, D => E, _}`, `a.b.*`, `a.b as c`, with others behind commas. */
const CLAUSE = `${NAME}(?:\\s*\\.\\s*${NAME})*(?:\\s*\\.\\s*(?:\\*|\\{[^{}]{0,5000}\\}))?(?:[ \\t]+as[ \\t]+${NAME})?`;
/** Global: all imports of a line, or what it exports. Group 1 are the clauses. */
export const IMPORTS = inAnyScript(
  new RegExp(`(?<![.\\w$])(?:import|export)[ \\t]+(${CLAUSE}(?:[ \\t]*,\\s*${CLAUSE})*)`, "g"),
);
const PATH = inAnyScript(
  new RegExp(
    `\\s*(${NAME}(?:\\s*\\.\\s*${NAME})*)(?:\\s*\\.\\s*(\\*|\\{[^{}]*\\}))?(?:[ \\t]+as[ \\t]+(${NAME}))?`,
    "y",
  ),
);
const WHOLE = /^(?:_|\*|given\b.*)$/;
const SELECTOR = /^(\S+?)\s*(?:=>|\sas\s)\s*(\S+)$/;

/** Returns the imports of a file. Whatever is imported whole, or only its given instances, ends with `.*`. */
export function scalaImports(code: string, text: string): Import[] {
  return [...code.matchAll(IMPORTS)].flatMap(({ index, 0: whole, 1: clauses = "" }) => {
    const start = index + whole.length - clauses.length;
    const found: Import[] = [];
    for (let at = start; at < index + whole.length; ) {
      PATH.lastIndex = at;
      const match = PATH.exec(code);
      if (!match) break;
      const [all, path = "", selectors, alias] = match;
      const offset = at + all.indexOf(path);
      found.push(...importsAt(plain(text.slice(offset, offset + path.length)), selectors, alias));
      at = code.indexOf(",", PATH.lastIndex) + 1 || code.length;
    }
    return found;
  });
}

function importsAt(path: string, selectors: string | undefined, alias: string | undefined): Import[] {
  if (selectors === undefined) {
    if (path.endsWith("._")) return [{ module: `${path.slice(0, -2)}.*` }];
    return [{ module: path, ...(alias !== undefined && { names: [alias] }) }];
  }
  if (selectors === "*") return [{ module: `${path}.*` }];
  return selectors
    .slice(1, -1)
    .split(",")
    .map((each) => each.trim())
    .flatMap((each): Import[] => {
      if (each === "") return [];
      if (WHOLE.test(each)) return [{ module: `${path}.*` }];
      const [, name = each, renamed] = SELECTOR.exec(each) ?? [];
      if (renamed === "_") return [];
      return [{ module: `${path}.${name}`, ...(renamed !== undefined && { names: [renamed] }) }];
    });
}

function plain(path: string): string {
  return path.replace(/[`\s]/g, "").replace(/^_root_\./, "");
}
