import { inAnyScript } from "../any-script.ts";
import type { Found } from "../definitions.ts";
import type { Layout } from "../layout.ts";
import { arityAt } from "./arity.ts";
import { type Block, namespaceAt } from "./namespaces.ts";

const CHAIN = inAnyScript(/@?[A-Za-z_]\w*(?:\s*\.\s*@?[A-Za-z_]\w*)*/g);
/** Keywords after which a name is not what is declared. */
const KEYWORD =
  /^(?:abstract|and|as|async|await|base|case|class|const|else|enum|event|explicit|extern|fixed|global|goto|implicit|in|interface|internal|is|new|not|notnull|operator|or|out|override|params|partial|private|protected|public|readonly|record|ref|required|return|scoped|sealed|sizeof|stackalloc|static|struct|switch|this|throw|typeof|unsafe|using|virtual|volatile|when|where|with|yield|delegate|from|join|on|equals|select|orderby|by|into|let|file)$/;
/** What stands between a type and the name that it is the type of. */
const AFTER_TYPE = /^(?:\s+|(?:>|\[[,\s]{0,10}\]|\?|\*){1,6}\s+)$/;
/** Keywords that a type with parentheses follows: `new Basket(3)`, `is Basket(var total)`. */
const TYPE_FOLLOWS = /^(?:new|is|case|not|or|and)$/;
/** A variable, a keyword or a type of the language: nothing that another file declares. */
const CAPITAL = inAnyScript(/^[A-Z_]/);
const PLAIN = /^[a-z]\w*$/;
/** Parts of a name that are kept. */
const MAX_PARTS = 8;

/**
 * Returns the names of types that a file uses, by the namespace in which it does: `Basket`, `Basket.Empty`, of a type with
 * two parameters ``Basket`2``. A member that is called has a dot before it (`.Total`), as it may be an extension.
 */
export function csharpUses(
  layout: Layout,
  blocks: readonly Block[],
  enums: readonly Found[],
): [string, string[]][] {
  const { code } = layout;
  const at = namespaceAt(blocks);
  const uses = new Map<string, Set<string>>();
  const declared = new Set<string>();
  let attributesEnd = 0;
  let nextEnum = 0;
  let before = "";
  let end = 0;
  for (const { index, 0: chain } of code.matchAll(CHAIN)) {
    const behind = index + chain.length;
    const gap = end;
    const previous = before;
    end = behind;
    if (PLAIN.test(chain) && code[index - 1] !== ".") {
      before = chain;
      continue;
    }
    const between = code.slice(gap, index);
    const follows = code.slice(behind, behind + 20).trimStart();
    const parts = chain.split(/[\s.@]+/).filter((part) => part !== "");
    before = parts.at(-1) ?? "";
    while (nextEnum < enums.length && (enums[nextEnum]?.end ?? 0) < index) nextEnum++;
    if ((enums[nextEnum]?.start ?? code.length) < index && index < (enums[nextEnum]?.end ?? 0)) continue;

    const namespace = at(index);
    const names = uses.get(namespace) ?? new Set<string>();
    uses.set(namespace, names);
    if (previous === "namespace") continue;
    const isMember = /\.\s*$/.test(between);
    const isCalled = follows.startsWith("(");
    const last = parts.at(-1) as string;
    if ((isMember || parts.length > 1) && (isCalled || follows.startsWith("<"))) names.add(`.${last}`);
    if (isMember) continue;
    const opening = between.trimEnd();
    if (opening.endsWith("["))
      attributesEnd = Math.max(attributesEnd, layout.closing(index - between.length + opening.length - 1));
    const isAttribute = index < attributesEnd && /[[,:]$/.test(opening);
    if (parts.length === 1) {
      const isName = previous !== "" && !KEYWORD.test(previous) && AFTER_TYPE.test(between);
      if (isName && previous !== last) declared.add(last);
      if (isName) continue;
      if (isCalled && !isAttribute && !TYPE_FOLLOWS.test(previous) && !/(?<!:):$/.test(opening)) continue;
      if (/^=(?![=>])/.test(follows)) continue;
      if (/^:(?!:)/.test(follows) && /[(,{]$/.test(opening)) continue;
    }
    const name = typeName(parts);
    if (name === undefined) continue;
    const full = name.isWhole ? name.text + arityAt(code, behind) : name.text;
    names.add(full);
    if (isAttribute) names.add(withAttribute(full));
  }
  const own = (name: string) => name.includes(".") && declared.has(name.slice(0, name.indexOf(".")));
  return [...uses].map(([namespace, names]) => [namespace, [...names].filter((name) => !own(name))]);
}

/** Returns the beginning of a name whose parts may be namespaces and types: from one with a capital letter to the last. */
function typeName(parts: readonly string[]): { text: string; isWhole: boolean } | undefined {
  const isCapital = (part: string | undefined) => CAPITAL.test(part ?? "");
  const count = isCapital(parts[0]) ? parts.slice(0, MAX_PARTS).findLastIndex(isCapital) + 1 : 0;
  return count === 0 ? undefined : { text: parts.slice(0, count).join("."), isWhole: count === parts.length };
}

function withAttribute(name: string): string {
  const [plain = "", arity] = name.split("`");
  return `${plain}Attribute${arity === undefined ? "" : `\`${arity}`}`;
}
