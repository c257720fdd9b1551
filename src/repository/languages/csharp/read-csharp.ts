import type { Facts, Import } from "../../facts.ts";
import { inAnyScript } from "../any-script.ts";
import { type MethodForm, methodsIn } from "../classes/methods.ts";
import { within } from "../classes/namespace-table.ts";
import {
  bodyEnd,
  type DefinitionForm,
  definitionsOf,
  type Found,
  named,
  statementEnd,
} from "../definitions.ts";
import { type Layout, layoutOf } from "../layout.ts";
import { arityAt } from "./arity.ts";
import { blankCsharp } from "./blank-csharp.ts";
import { csharpUses } from "./csharp-uses.ts";
import { type Block, namespaceAt, namespacesIn } from "./namespaces.ts";
import { partOf } from "./parts.ts";

const USING = inAnyScript(
  /^[ \t]*(global[ \t]+)?using[ \t]+(?:(static)[ \t]+)?(?:(@?\w+)[ \t]*=[ \t]*)?(?:global::)?([A-Za-z_@][\w.@]*)(<[^;\n]{0,300}>)?[ \t]*;/gm,
);
const FORMS: readonly DefinitionForm[] = [
  {
    pattern: inAnyScript(/(?<![.\w@]|(?<!\w)record\s{1,9})(?:class|struct)\s+(?!where\b)(@?[A-Za-z_]\w*)/g),
    kind: "class",
  },
  {
    pattern: inAnyScript(
      /(?<![.\w@])record\s+(?:(?:class|struct)\s+)?(?!class\b|struct\b)(@?[A-Za-z_]\w*)(?=\s*[(<{;:])/g,
    ),
    kind: "class",
  },
  { pattern: inAnyScript(/(?<![.\w@])interface\s+(@?[A-Za-z_]\w*)/g), kind: "interface" },
  { pattern: inAnyScript(/(?<![.\w@])enum\s+(@?[A-Za-z_]\w*)/g), kind: "enum" },
  {
    pattern: inAnyScript(/(?<![.\w@])delegate\s+[\w.<>[\],?\s]{1,200}?\s(@?[A-Za-z_]\w*)(?=\s{0,20}[(<])/g),
    kind: "type",
  },
];
const METHODS: MethodForm = {
  called: inAnyScript(/(?<![\w$.])([A-Za-z_]\w*)(?:<[\w\s,]{0,100}>)?[ \t]?(?=\()/g),
  keywords:
    /^(?:if|for|foreach|while|switch|catch|return|new|throw|lock|using|fixed|else|do|try|base|this|record|when|is|nameof|typeof|default|sizeof|checked|unchecked|class|struct|delegate|where|await|yield)$/,
  head: /^\)\s*(?:where\s[^{};=]{1,300}|:\s{0,20}(?:base|this)\s{0,5}\([\s\S]{0,300})?(?:=>|[{;])/,
  endOf: (layout, position) =>
    /^\s*(?:where\s[^{};=]{1,300})?=>/.test(layout.code.slice(position, position + 400))
      ? statementEnd(layout, position, () => true)
      : bodyEnd(layout, position),
};
const PARTIAL = /\bpartial\s+(?:(?:record|class|struct|interface)\s+){0,2}$/;
const STATIC = /\bstatic\s+(?:(?:public|internal|partial|unsafe|file|class)\s+){0,4}$/;

const EXTENSION = inAnyScript(/^\w+(?:<[^()]{0,100}>)?\s?\(\s*(?:\[[^\]]{0,100}\]\s*)?this\s/);

/** Reads a C# file. `scopes` has the names of types by the namespace that uses them. */
export function readCsharp(text: string): Facts {
  const code = blankCsharp(text);
  const layout = layoutOf(code.replace(USING, (using) => " ".repeat(using.length)));
  const blocks = namespacesIn(layout);
  const found = definitionsOf(layout, FORMS).filter(
    ({ start }, index, all) => all[index - 1]?.start !== start,
  );
  const types = typesOf(layout, blocks, found);
  const methods = methodsIn(
    layout,
    found.filter(({ kind }) => kind !== "enum"),
    METHODS,
  );
  const own = new Set(
    found.map(({ name, start }) => name + arityAt(code, code.indexOf(name, start) + name.length)),
  );
  const parts = types.flatMap((type) => (type.isPartial ? [partOf(layout, type, type.full)] : []));
  const scopes = csharpUses(
    layout,
    blocks,
    found.filter(({ kind }) => kind === "enum"),
  );
  return {
    imports: importsOf(code),
    definitions: named(
      [...found, ...methods].sort((left, right) => left.start - right.start),
      ["class", "interface", "enum"],
    ),
    declares: [...new Set([...types.map(({ full }) => full), ...extensionsIn(layout, types, methods)])],
    scopes: scopes.map(([namespace, names]): [string, string[]] => [
      namespace,
      names.filter((name) => !own.has(name)),
    ]),
    ...(parts.length > 0 && { parts }),
  };
}

function importsOf(code: string): Import[] {
  return [...code.matchAll(USING)].map(([, isGlobal, isStatic, alias, name = "", generic = ""]) => {
    const written = name.replaceAll("@", "");
    const isOfType = isStatic !== undefined || alias !== undefined;
    return {
      module: isOfType ? written + arityAt(generic, 0) : `${written}.*`,
      ...(alias !== undefined && { names: [alias] }),
      ...(isGlobal !== undefined && { isGlobal: true }),
    };
  });
}

interface Type extends Found {
  /** With its namespace and the number of its type parameters. */
  full: string;
  isPartial: boolean;
  isStatic: boolean;
}

/** Returns the types that are not within another. */
function typesOf(layout: Layout, blocks: readonly Block[], found: readonly Found[]): Type[] {
  const { code } = layout;
  const at = namespaceAt(blocks);
  let last = -1;
  return found.flatMap((each) => {
    if (each.start < last) return [];
    last = each.end;
    const before = code.slice(Math.max(0, each.start - 80), each.start);
    const name = code.indexOf(each.name, each.start) + each.name.length;
    return [
      {
        ...each,
        full: within(at(each.start), each.name.replace("@", "")) + arityAt(code, name),
        isPartial: PARTIAL.test(before),
        isStatic: STATIC.test(before),
      },
    ];
  });
}

/** Returns the extension methods of static classes, which a namespace has like its types: `Shop..Total`. */
function extensionsIn({ code }: Layout, types: readonly Type[], methods: readonly Found[]): string[] {
  let next = 0;
  return methods.flatMap(({ name, start }) => {
    while (next < types.length && (types[next] as Type).end < start) next++;
    const type = types[next];
    if (!type?.isStatic || type.start > start) return [];
    if (!EXTENSION.test(code.slice(start, start + 300))) return [];
    const namespace = type.full.slice(0, Math.max(0, type.full.lastIndexOf(".")));
    return [within(namespace, `.${name}`)];
  });
}
