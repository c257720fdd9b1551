import { posix } from "node:path";
import type { Definition, Facts } from "../../facts.ts";
import { inAnyScript, namesAlone } from "../any-script.ts";
import { blank, C_LITERALS } from "../blank.ts";
import { classesIn } from "../classes/classes-in.ts";
import { type MethodForm, methodsIn } from "../classes/methods.ts";
import { within } from "../classes/namespace-table.ts";
import { bodyEnd, type DefinitionForm, definitionsOf, type Found, named, outermost } from "../definitions.ts";
import { type Layout, layoutOf } from "../layout.ts";

const LITERALS = new RegExp(`"""[\\s\\S]*?(?:"""|$)|${C_LITERALS.source}`, "g");
const IMPORT = inAnyScript(/(?:^|;)[ \t]*import\s+(?:static\s+)?([\w.]+(?:\.\*)?)\s*(?=;)/gm);
const FORMS: readonly DefinitionForm[] = [
  { pattern: inAnyScript(/(?<![.\w])class\s+([A-Z]\w*)/g), kind: "class" },
  { pattern: inAnyScript(/(?<![.\w])record\s+([A-Z]\w*)(?=\s*[(<])/g), kind: "class" },
  { pattern: inAnyScript(/(?<![.\w])@?interface\s+([A-Z]\w*)/g), kind: "interface" },
  { pattern: inAnyScript(/(?<![.\w])enum\s+([A-Z]\w*)/g), kind: "enum" },
];
const PACKAGE = inAnyScript(/^[ \t]*package[ \t]+([\w.]+)/m);
/** What names packages rather than classes, which letters without capitals would not tell. */
const HEAD = /(?:^|;)[ \t]*(?:import|package)\b[^;\n]*/gm;
const USED = inAnyScript(/(?<![\w.])(?:[a-z_]\w*\.)*[A-Z]\w*/g);
const METHODS: MethodForm = {
  // A lookbehind for the context would be tried at every position. This finds candidates, which are then checked.
  called: inAnyScript(/(?<![\w$])([A-Za-z_$][\w$]*)[ \t]?(?=\()/g),
  keywords:
    /^(?:if|for|while|switch|catch|return|new|throw|synchronized|else|do|try|assert|super|this|record)$/,
  head: inAnyScript(/^\)\s*(?:throws\s[\w\s.,]{1,300})?[{;]/),
  endOf: bodyEnd,
};

/**
 * Reads a Java file. `uses` has every name that begins like a class, since classes of one package need no import, and
 * with its package where that is written before it: `new shop.cart.Basket()`.
 */
export function readJava(text: string, path: string): Facts {
  const code = namesAlone(blank(text, LITERALS));
  const layout = layoutOf(code);
  const classes = definitionsOf(layout, FORMS);
  const own = PACKAGE.exec(code)?.[1] ?? "";
  return {
    imports: [...code.matchAll(IMPORT)].map(([, module = ""]) => ({ module })),
    definitions: definitionsIn(layout, classes),
    package: own,
    declares: [...new Set([posix.basename(path, ".java"), ...outermost(classes)])].map((name) =>
      within(own, name),
    ),
    uses: [...new Set(code.replace(HEAD, "").match(USED)?.flatMap(classesIn))],
  };
}

function definitionsIn(layout: Layout, classes: readonly Found[]): Definition[] {
  const all = [...classes, ...methodsIn(layout, classes, METHODS)].sort(
    (left, right) => left.start - right.start,
  );
  return named(
    all.filter(({ start }, index) => all[index - 1]?.start !== start),
    ["class", "interface", "enum"],
  );
}
