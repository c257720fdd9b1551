import { type Class, classesOf } from "../../syntax/classes.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { isDeclaredHarmless } from "../types.ts";

/** Names of parameters that hold an object, or an identifier whose URL pattern admits no slash. */
const OTHERS =
  /^(?:args|change|view|pk|id|slug|uuid|year|month|day|page|cls|\w*_(?:pk|id|slug|uuid)|\w{0,40}(?:form|formset|file|user|obj|object|instance|model|queryset|response|exception|error|settings|config|session|db|func|callback|client|logger))$/i;
const TEXTS = /^(?:str|Optional|Union|None|Annotated|typing|t)$/;

/**
 * Whether a parameter is a part of the address, as those behind the request are in a view of Django,
 * `def download(request, name)`. A helper may have the same signature, so this counts for file paths only, which are
 * never reported as errors.
 */
export function isViewParameter(fragment: Fragment, scope: FunctionScope, parameter: Parameter): boolean {
  if (fragment.language !== "python" || !scope.name || /^(?:_|test)/.test(scope.name)) return false;
  const own = /^(?:self|cls)$/.test(scope.parameters[0]?.name ?? "") ? 1 : 0;
  if (scope.parameters[own]?.name !== "request" || scope.parameters.indexOf(parameter) <= own) return false;
  // In pytest, `request` is a fixture.
  if (OTHERS.test(parameter.name) || fragment.words.has("pytest")) return false;
  return isText(fragment, parameter) && !isDeclaredHarmless(fragment, parameter.at);
}

/** Whether a parameter has no type, or that of a text. */
function isText(fragment: Fragment, { at, declared }: Parameter): boolean {
  if (fragment.text(at + 1) !== ":") return true;
  for (let index = at + 2; index < declared.to && fragment.text(index) !== "="; index++)
    if (fragment.isWord(index) && !TEXTS.test(fragment.text(index))) return false;
  return true;
}

const BASES = /^(?:\w{0,40}Controller|ControllerBase|Hub)$/;

/** Classes of ASP.NET whose public methods answer requests: `class Orders : ControllerBase { … }`. */
export const controllersIn = oncePerFragment((fragment: Fragment): readonly Class[] =>
  classesOf(fragment).filter(({ head }) => {
    const bases = fragment.texts(head);
    return bases.includes(":") && bases.some((base) => BASES.test(base));
  }),
);
