import type { Definition, Facts, Import } from "../../facts.ts";
import { inAnyScript, namesAlone } from "../any-script.ts";
import { blank, C_LITERALS } from "../blank.ts";
import { layoutOf } from "../layout.ts";
import { declarationsIn } from "./declarations.ts";
import { preprocessed, within } from "./preprocessed.ts";

/** Raw strings, digits between apostrophes, comments that a backslash continues, and what C has. */
const LITERALS = new RegExp(
  String.raw`\b(?:u8|[uUL])?R"([^\s()\\]{0,16})\([\s\S]*?(?:\)\1"|$)|(?<=[\da-fA-F])'(?=[\da-fA-F])|\/\/(?:[^\\\n]|\\(?:\r?\n)?)*|${C_LITERALS.source}`,
  "g",
);
const SPECIFIER = inAnyScript(/^(?:"[^"\n]+"|<[^>\n]+>|[A-Za-z_]\w*)/);
/** A macro that stands for a header: `#define CONFIG "config.h"`. */
const HEADER_MACRO = inAnyScript(/^\s+([A-Za-z_]\w*)\s+("[^"\n]+"|<[^>\n]+>)\s*$/);
/** A statement of C++20 about modules. */
const MODULE = inAnyScript(
  /^[ \t]*(export[ \t]+)?(module|import)[ \t]+(?:([\w.]*(?::[ \t]*[\w.]+)?)|("[^"\n]+"|<[^>\n]+>))[ \t]*;/gm,
);
/** ASCII names of one or two letters are those of local variables. */
const NAME = inAnyScript(
  /(?<![\w.]|->|(?<!\w)(?:struct|union|enum|class)\s)(?:[A-Za-z_]\w{2,}|[^\0-\x7f]\w*)/g,
);
const MACRO = inAnyScript(/^\s+([A-Za-z_]\w*)\(/);

/**
 * Reads a file of C or C++. Modules are includes with their quotes or angle brackets, macros that stand for one, and
 * `module shop`. `macros` has those macros with their headers. Members have their class before
 * them (`Store.open`) among what it defines and declares; `uses` has every name by itself.
 */
export function readC(text: string): Facts {
  const plain = namesAlone(blank(text, LITERALS));
  const { code, others, directives } = preprocessed(plain);
  const layout = layoutOf(code);
  const { imports, module } = modulesIn(text, code);
  const functions: Definition[] = [];
  const headers: string[] = [];
  for (const { word, rest, start, end } of directives) {
    if (/^(?:include|include_next|import)$/.test(word)) {
      const at = /^(?:\s|\\\r?\n)*/.exec(rest)?.[0].length ?? 0;
      const specifier = SPECIFIER.exec(text.slice(end - rest.length + at, end))?.[0];
      if (specifier !== undefined) imports.push({ module: specifier });
    } else if (word === "define") {
      const name = MACRO.exec(rest)?.[1];
      const [, alias, header] = HEADER_MACRO.exec(text.slice(end - rest.length, end)) ?? [];
      if (name)
        functions.push({ name, kind: "function", from: layout.lineAt(start), to: layout.lineAt(end - 1) });
      else if (header !== undefined) headers.push(`${alias} ${header}`);
    }
  }
  const { defined, declared, statics, bodies } = declarationsIn(layout);
  const isInBody = within(bodies);
  for (const { start, text: branch } of others) {
    // What is within a body would be taken for declarations.
    if (isInBody(start)) continue;
    const found = declarationsIn(layoutOf(branch));
    const before = layout.lineAt(start) - 1;
    for (const each of found.defined)
      defined.push({ ...each, from: each.from + before, to: each.to + before });
    for (const name of found.declared) declared.push(name);
    for (const name of found.statics) statics.push(name);
  }
  const definitions = [...defined, ...functions].sort((left, right) => left.from - right.from);
  const own = new Set([...definitions.map(({ name }) => name), ...statics]);
  const bodied = new Set(defined.map(({ name }) => name));
  const declares = [...new Set(declared)].filter((name) => !bodied.has(name));
  return {
    imports,
    definitions,
    declares,
    uses: usedNames(plain, own, declared),
    ...(module !== undefined && { package: module }),
    ...(headers.length > 0 && { macros: headers }),
  };
}

/** Returns what is imported as a module or like one, and the module whose interface the file is. */
function modulesIn(text: string, code: string): { imports: Import[]; module: string | undefined } {
  const imports: Import[] = [];
  let own = "";
  let module: string | undefined;
  for (const { index, 0: whole, 1: isExported, 2: word, 3: name = "", 4: header } of code.matchAll(MODULE)) {
    const full = name.replace(/\s/g, "");
    if (header !== undefined) {
      const at = index + whole.indexOf(header);
      imports.push({ module: text.slice(at, at + header.length) });
    } else if (word === "import") {
      if (full !== "") imports.push({ module: `module ${full.startsWith(":") ? own : ""}${full}` });
    } else if (!full.startsWith(":")) {
      own = full.replace(/:.*/, "");
      // A part of a module that is not exported is imported by its name as well; the rest of a module implies its interface.
      if (isExported !== undefined || full.includes(":")) module = full;
      else if (full !== "") imports.push({ module: `module ${full}` });
    }
  }
  return { imports, module };
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
