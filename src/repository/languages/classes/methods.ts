import { CAPITAL, inAnyScript } from "../any-script.ts";
import { type Found, foundAt } from "../definitions.ts";
import type { Layout } from "../layout.ts";

/** How a language declares methods whose types stand before their names. */
export interface MethodForm {
  /** Global: a name with parameters, up to their parenthesis. Group 1 is the name. */
  called: RegExp;
  /** Keywords that look like such a name. */
  keywords: RegExp;
  /** What follows the parameters, up to the body or `;`. */
  head: RegExp;
  /** Returns where the method ends, from behind its parameters. */
  endOf(layout: Layout, position: number): number;
}

const AFTER_TYPE = inAnyScript(/[\w>\]?]\s{1,20}$/);
/** What precedes a constructor without a modifier. */
const AFTER_MEMBER = /[;{}]\s{1,40}$/;
const EXPRESSION = /(?:\bnew|\breturn|[=.,(])\s*$/;

/** Returns the methods directly inside these classes. */
export function methodsIn(layout: Layout, classes: readonly Found[], form: MethodForm): Found[] {
  const depths = new Set(classes.map(({ start }) => layout.depthAt(start) + 1));
  return [...layout.code.matchAll(form.called)].flatMap(
    (match) => methodAt(layout, match, depths, form) ?? [],
  );
}

function methodAt(
  layout: Layout,
  match: RegExpExecArray,
  depths: ReadonlySet<number>,
  { keywords, head, endOf }: MethodForm,
): Found | undefined {
  const [whole, name = ""] = match;
  const { code } = layout;
  if (keywords.test(name) || !depths.has(layout.depthAt(match.index))) return undefined;
  const before = code.slice(Math.max(0, match.index - 50), match.index);
  const isDeclared = AFTER_TYPE.test(before) || (CAPITAL.test(name) && AFTER_MEMBER.test(before));
  if (!isDeclared || EXPRESSION.test(before)) return undefined;
  const parameters = layout.closing(match.index + whole.length);
  if (!head.test(code.slice(parameters, parameters + 400))) return undefined;
  return foundAt(layout, { name, kind: "method" }, match.index, endOf(layout, parameters + 1));
}
