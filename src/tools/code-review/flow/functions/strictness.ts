import { TEMPLATE_OPEN, type Token } from "../../lexer/token.ts";
import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import type { Range } from "../../syntax/range.ts";
import type { Target } from "../target.ts";
import { ownFunctionsOf } from "./own-functions.ts";

/** Whether another file imports this one, so that it may pass values to its functions. */
export function isImported({ project, path }: Fragment): boolean {
  return project?.isImported(path) ?? false;
}

/** Whether a call is of the project's own code, which may do anything with its arguments. Libraries join and convert them. */
export function isOfProject(fragment: Fragment, path: string, at: number): boolean {
  if (!path.includes("(")) return false;
  const [first = ""] = path.split(/[.([]/, 1);
  const origin = fragment.names.imports.get(first);
  if (origin !== undefined) return fragment.project?.importedAs(fragment.path, origin) !== undefined;
  return (
    /^(?:this|self|cls|super)$/.test(first) ||
    ownFunctionsOf(fragment).byName.has(first) ||
    fragment.names.definition(first, at) !== undefined
  );
}

/**
 * Whether it is not known which part of an object or of a call's result a name stands for: `const { name } = parse(request)`,
 * `const options = { name }`.
 */
export function isPartOfUnknown(fragment: Fragment, { kind, value }: Definition): boolean {
  if (kind !== "assign") return false;
  if (isObject(fragment, value)) return true;
  return /^[}\]]$/.test(fragment.text(value.from - 2)) && fragment.text(value.to - 1) === ")";
}

/** Whether an expression is an object or a list, of which it is not known which member is used. */
export function isObject(fragment: Fragment, { from }: Range): boolean {
  return /^[[{]$/.test(fragment.text(from));
}

/** Types of texts, and those that say nothing of what a value is. */
const TEXTS =
  /^(?:String|Buffer|Optional|Union|Annotated|Any|None|Promise|Array|List|Sequence|Iterable|Record|Path|URL)$/;

/** Whether a parameter is declared to be an object, of which it is not known which member is used: `filter: QueryFilter`. */
export function takesObject(fragment: Fragment, { at, declared }: Parameter): boolean {
  if (fragment.text(declared.from) === "{" || fragment.text(at + 1).replace("?", ":") !== ":") return false;
  const types = fragment.texts({ from: at + 2, to: declared.to });
  return types.some((type) => (/^[A-Z]/.test(type) && !TEXTS.test(type)) || type === "{");
}

/** Returns the part of an expression that decides what a target does with it: where an address leads, its beginning says. */
export function decidingPart(fragment: Fragment, target: Target | undefined, range: Range): Range {
  const { from, to } = range;
  if (target !== "address") return range;
  const isTemplate = fragment.text(from) === TEMPLATE_OPEN;
  const begins = isTemplate ? from + 1 : from;
  if (fragment.isString(begins) && fragment.text(begins) !== "") return { from, to: from };
  if (isTemplate) {
    const hole = fragment.isString(begins) ? begins + 1 : begins;
    const { partner = -1 } = fragment.tokens[hole] ?? {};
    return partner > hole ? { from: hole + 1, to: partner } : range;
  }
  for (let index = from; index < to; index++) {
    const { text, partner } = fragment.tokens[index] as Token;
    if (partner > index) index = partner;
    else if (text === "+" && index > from) return { from, to: index };
  }
  return range;
}
