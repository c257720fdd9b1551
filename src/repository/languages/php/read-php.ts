import type { Facts } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { blank, spaces } from "../blank.ts";
import { within } from "../classes/namespace-table.ts";
import { type DefinitionForm, definitionsOf, type Found, named } from "../definitions.ts";
import { type Layout, layoutOf } from "../layout.ts";
import { type Scope, scopeAt, scopesIn } from "./names.ts";
import { pathConstantsIn, requiredIn } from "./paths.ts";
import { phpUses } from "./php-uses.ts";

/** What is outside the tags of PHP, comments and strings, those of several lines with their label. */
const LITERALS = inAnyScript(
  /\?>[\s\S]*?(?:<\?(?:php\b|=)|$)|(?:\/\/|#(?!\[))[^\n?]*(?:\?(?!>)[^\n?]*)*|\/\*[\s\S]*?(?:\*\/|$)|<<<[ \t]*(["']?)([A-Za-z_]\w*)\1[ \t]*\r?\n[\s\S]*?(?:(?<=\n)[ \t]*\2(?!\w)|$)|'[^'\\]*(?:\\[\s\S][^'\\]*)*(?:'|\\?$)|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|`[^`\\]*(?:\\[\s\S][^`\\]*)*(?:`|\\?$)/g,
);
const OPENING = /<\?(?:php\b|=)/i;
const FORMS: readonly DefinitionForm[] = [
  {
    pattern: inAnyScript(/(?<![\w$>:\\])(?:class|trait)\s+(?!extends\b|implements\b)([A-Za-z_]\w*)/gi),
    kind: "class",
  },
  { pattern: inAnyScript(/(?<![\w$>:\\])interface\s+([A-Za-z_]\w*)/gi), kind: "interface" },
  { pattern: inAnyScript(/(?<![\w$>:\\])enum\s+([A-Za-z_]\w*)(?=\s*(?:[:{]|implements\b))/gi), kind: "enum" },
  { pattern: inAnyScript(/(?<![\w$>:\\])function\s+&?\s*([A-Za-z_]\w*)(?=\s{0,20}\()/gi), kind: "function" },
];
const CONSTANT = inAnyScript(/(?<![\w$>:\\])const\s+([A-Za-z_]\w*)\s*=/gi);
const METHOD = /\b(?:public|protected|private|static)\s+$/i;
const DEFINE = inAnyScript(/(?<![\w$>:\\])define\s*\(\s*["'] +["']/g);

/** Reads a PHP file. Its names are resolved here, since they depend on nothing in other files. */
export function readPhp(text: string): Facts {
  const opening = OPENING.exec(text);
  const outside = opening ? opening.index + opening[0].length : text.length;
  const code = blank(spaces(text.slice(0, outside)) + text.slice(outside), LITERALS);
  const layout = layoutOf(code);
  const found = asMethods(layout, definitionsOf(layout, FORMS));
  const { scopes, imported, statements } = scopesIn(layout);
  const scopeOf = scopeAt(scopes);
  const macros = pathConstantsIn(text, layout, (position) => scopeOf(position).depth);
  return {
    imports: [...imported.map((module) => ({ module })), ...requiredIn({ text, code })],
    definitions: named(found, ["class", "interface", "enum"]),
    declares: declaredIn(text, layout, { found, scopes }),
    uses: phpUses({ ...layout, code: without(code, statements) }, scopes),
    ...(macros.length > 0 && { macros }),
  };
}

/** Makes methods of the functions directly inside a class. */
function asMethods({ depthAt }: Layout, found: readonly Found[]): Found[] {
  const open: { end: number; depth: number }[] = [];
  return found.map((each) => {
    const depth = depthAt(each.start);
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= each.start) open.pop();
    if (each.kind !== "function") open.push({ end: each.end, depth });
    return each.kind === "function" && open.at(-1)?.depth === depth - 1 ? { ...each, kind: "method" } : each;
  });
}

function declaredIn(
  text: string,
  { code, depthAt }: Layout,
  { found, scopes }: { found: readonly Found[]; scopes: readonly Scope[] },
): string[] {
  const scopeOf = scopeAt(scopes);
  const names = found.flatMap(({ name, kind, start }) => {
    // Also a class without a name has methods.
    const isMethod = kind === "method" || METHOD.test(code.slice(Math.max(0, start - 20), start));
    return isMethod ? [] : [within(scopeOf(start).namespace, kind === "function" ? `${name}()` : name)];
  });
  const constantScope = scopeAt(scopes);
  const constants = [...code.matchAll(CONSTANT)].flatMap(({ index, 1: name = "" }) => {
    const { namespace, depth } = constantScope(index);
    return depthAt(index) > depth ? [] : [`${within(namespace, name)}#`];
  });
  const defined = [...code.matchAll(DEFINE)].map(({ index, 0: whole }) => {
    const [, name = ""] = /["'](.*)["']/.exec(text.slice(index, index + whole.length)) ?? [];
    return `${name.replace(/^\\+/, "").replace(/\\+/g, ".")}#`;
  });
  return [...new Set([...names, ...constants, ...defined])];
}

function without(code: string, statements: readonly { start: number; end: number }[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of statements) {
    parts.push(code.slice(from, start), spaces(code.slice(start, end)));
    from = end;
  }
  return parts.join("") + code.slice(from);
}
