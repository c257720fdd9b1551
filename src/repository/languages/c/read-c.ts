import type { Definition, Facts, Import } from "../../facts.ts";
import { blank, C_LITERALS } from "../blank.ts";
import { layoutOf } from "../layout.ts";
import { declarationsIn } from "./declarations.ts";
import { preprocessed } from "./preprocessed.ts";

/** Raw strings, digits between apostrophes, and what C has. */
const LITERALS = new RegExp(
  String.raw`\b(?:u8|[uUL])?R"([^\s()\\]{0,16})\([\s\S]*?(?:\)\1"|$)|(?<=\d)'(?=\d)|${C_LITERALS.source}`,
  "g",
);
const SPECIFIER = /^\s*(?:"([^"\n]+)"|<([^>\n]+)>)/;
/** Names of one or two letters are those of local variables. */
const NAME = /(?<![\w.])[A-Za-z_]\w{2,}/g;
const MACRO = /^\s+([A-Za-z_]\w*)\(/;

/**
 * Reads a file of C or C++. Modules are includes with their quotes or angle brackets. Members have their class before
 * them (`Store.open`) among what it defines and declares; `uses` has every name by itself.
 */
export function readC(text: string): Facts {
  const plain = blank(text, LITERALS);
  const { code, others, directives } = preprocessed(plain);
  const layout = layoutOf(code);
  const imports: Import[] = [];
  const macros: Definition[] = [];
  for (const { word, rest, start, end } of directives) {
    if (/^(?:include|include_next|import)$/.test(word)) {
      const [, quoted, angled] = SPECIFIER.exec(text.slice(end - rest.length, end)) ?? [];
      if (quoted !== undefined) imports.push({ module: `"${quoted}"` });
      else if (angled !== undefined) imports.push({ module: `<${angled}>` });
    } else if (word === "define") {
      const name = MACRO.exec(rest)?.[1];
      if (name)
        macros.push({ name, kind: "function", from: layout.lineAt(start), to: layout.lineAt(end - 1) });
    }
  }
  const { defined, declared } = declarationsIn(layout);
  for (const { start, text: branch } of others) {
    // What is within a body would be taken for declarations.
    if (layout.depthAt(start) > 0) continue;
    const found = declarationsIn(layoutOf(branch));
    const before = layout.lineAt(start) - 1;
    defined.push(
      ...found.defined.map((each) => ({ ...each, from: each.from + before, to: each.to + before })),
    );
    declared.push(...found.declared);
  }
  const definitions = [...defined, ...macros].sort((left, right) => left.from - right.from);
  const own = new Set(definitions.map(({ name }) => name));
  const declares = [...new Set(declared)].filter((name) => !own.has(name));
  return { imports, definitions, declares, uses: usedNames(plain, own, declared) };
}

/** Returns the names that a text has more often than it declares them, without those that it defines itself. */
function usedNames(text: string, own: ReadonlySet<string>, declared: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of declared) left.set(name, (left.get(name) ?? 0) + 1);
  const used = new Set<string>();
  for (const [name] of text.matchAll(NAME)) {
    const declarations = left.get(name) ?? 0;
    if (declarations > 0) left.set(name, declarations - 1);
    else if (!own.has(name)) used.add(name);
  }
  return [...used];
}
