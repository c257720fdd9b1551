import type { Facts, Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { within } from "../classes/namespace-table.ts";
import { named } from "../definitions.ts";
import { layoutOf } from "../layout.ts";
import { blankKotlin } from "./blank-kotlin.ts";
import { type KotlinDefinition, kotlinDefinitions } from "./kotlin-definitions.ts";
import { kotlinUses } from "./kotlin-uses.ts";

const IMPORT = inAnyScript(
  /(?:^|;)[ \t]*import[ \t]+((?:\w+|`[^`\n]*`)(?:\.(?:\w+|`[^`\n]*`))*(?:\.\*)?)(?:[ \t]+as[ \t]+(\w+))?/gm,
);
const HEAD = /^[ \t]*(?:import|package)\b[^\n]*/gm;
const PACKAGE = inAnyScript(/^[ \t]*package[ \t]+([\w.` ]+)/m);
const JVM_NAME = inAnyScript(/@file:JvmName[ \t]*\([ \t]*"(\w+)"/);

/** Reads a Kotlin file. Of a script, only imports and definitions: what else it knows, the program that runs it says. */
export function readKotlin(text: string, path: string): Facts {
  const code = blankKotlin(text);
  const found = kotlinDefinitions(layoutOf(code), text);
  const facts = {
    imports: importsOf(text, code),
    definitions: named(
      found.map(({ isVisible, isExtension, ...each }) => each),
      ["class", "interface", "enum"],
    ),
  };
  if (path.endsWith(".kts")) return facts;
  const own = packageOf(text, code);
  return {
    ...facts,
    package: own,
    declares: declaredIn(found, own, facadeOf(text, path)),
    uses: usesOf(code, found),
  };
}

function importsOf(text: string, code: string): Import[] {
  return [...code.matchAll(IMPORT)].map((match) => {
    const [whole, module = "", alias] = match;
    const at = match.index + whole.indexOf(module);
    const written = text.slice(at, at + module.length).replaceAll("`", "");
    return { module: written, ...(alias !== undefined && { names: [alias] }) };
  });
}

function packageOf(text: string, code: string): string {
  const match = PACKAGE.exec(code);
  if (!match) return "";
  const end = match.index + match[0].length;
  return text
    .slice(end - (match[1] as string).length, end)
    .replaceAll("`", "")
    .trim();
}

/** Returns the class by which Java refers to the functions of a file. */
function facadeOf(text: string, path: string): string {
  const name = /([^/]*)\.kt$/.exec(path)?.[1] ?? "";
  return JVM_NAME.exec(text)?.[1] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Kt`;
}

function declaredIn(found: readonly KotlinDefinition[], own: string, facade: string): string[] {
  const visible = found.filter(({ isVisible }) => isVisible);
  const names = visible.map(({ name, isExtension }) => within(own, isExtension ? `.${name}` : name));
  const hasFunctions = visible.some(({ kind }) => kind === "function" || kind === "value");
  return [...new Set([...names, ...(hasFunctions ? [within(own, facade)] : [])])];
}

/** Returns the names that the file uses and does not define: its own come first. */
function usesOf(code: string, found: readonly KotlinDefinition[]): string[] {
  const own = new Set(found.map(({ name }) => name));
  return kotlinUses(code.replace(HEAD, "")).filter((name) => !own.has(name));
}
