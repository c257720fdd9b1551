import type { Definition, Facts } from "../../facts.ts";
import { blank, C_LITERALS } from "../blank.ts";
import { bodyEnd, type DefinitionForm, definitionsOf, type Found, foundAt, named } from "../definitions.ts";
import { type Layout, layoutOf } from "../layout.ts";

const LITERALS = new RegExp(`"""[\\s\\S]*?(?:"""|$)|${C_LITERALS.source}`, "g");
const IMPORT = /^[ \t]*import\s+(?:static\s+)?([\w.]+(?:\.\*)?)\s*;/gm;
const FORMS: readonly DefinitionForm[] = [
  { pattern: /(?<![.\w])class\s+([A-Z]\w*)/g, kind: "class" },
  { pattern: /(?<![.\w])record\s+([A-Z]\w*)(?=\s*[(<])/g, kind: "class" },
  { pattern: /(?<![.\w])@?interface\s+([A-Z]\w*)/g, kind: "interface" },
  { pattern: /(?<![.\w])enum\s+([A-Z]\w*)/g, kind: "enum" },
];
/** A lookbehind for the context would be tried at every position. This finds candidates, which `methodAt` checks. */
const CALLED = /(?<![\w$])([A-Za-z_$][\w$]*)[ \t]?(?=\()/g;
const AFTER_TYPE = /[\w>\]]\s{1,20}$/;
/** What precedes a constructor without a modifier. */
const AFTER_MEMBER = /[;{}]\s{1,40}$/;
const EXPRESSION = /(?:\bnew|\breturn|[=.,(])\s*$/;
const NO_METHOD =
  /^(?:if|for|while|switch|catch|return|new|throw|synchronized|else|do|try|assert|super|this|record)$/;

/**
 * Reads a Java file. `uses` has every name that begins like a class, since classes of one package need no import, and
 * with its package where that is written before it: `new shop.cart.Basket()`.
 */
export function readJava(text: string): Facts {
  const code = blank(text, LITERALS);
  return {
    imports: [...code.matchAll(IMPORT)].map(([, module = ""]) => ({ module })),
    definitions: definitionsIn(layoutOf(code)),
    package: /^[ \t]*package[ \t]+([\w.]+)/m.exec(code)?.[1] ?? "",
    uses: [...new Set(code.match(/(?<![\w.])(?:[a-z_]\w*\.)*[A-Z]\w*/g))],
  };
}

function definitionsIn(layout: Layout): Definition[] {
  const found = definitionsOf(layout, FORMS);
  const depths = new Set(found.map(({ start }) => layout.depthAt(start) + 1));
  const methods = [...layout.code.matchAll(CALLED)].flatMap((match) => methodAt(layout, match, depths) ?? []);
  const all = [...found, ...methods].sort((left, right) => left.start - right.start);
  return named(
    all.filter(({ start }, index) => all[index - 1]?.start !== start),
    ["class", "interface", "enum"],
  );
}

/** Recognises a method: a name with parameters and a body or `;`, directly inside a class. */
function methodAt(layout: Layout, match: RegExpExecArray, depths: ReadonlySet<number>): Found | undefined {
  const [whole, name = ""] = match;
  const { code } = layout;
  if (NO_METHOD.test(name) || !depths.has(layout.depthAt(match.index))) return undefined;
  const before = code.slice(Math.max(0, match.index - 50), match.index);
  const isDeclared = AFTER_TYPE.test(before) || (/^[A-Z]/.test(name) && AFTER_MEMBER.test(before));
  if (!isDeclared || EXPRESSION.test(before)) return undefined;
  const parameters = layout.closing(match.index + whole.length);
  if (!/^\)\s*(?:throws\s[\w\s.,]{1,300})?[{;]/.test(code.slice(parameters, parameters + 400)))
    return undefined;
  return foundAt(layout, { name, kind: "method" }, match.index, bodyEnd(layout, parameters + 1));
}
