import type { Call } from "../../../syntax/calls.ts";
import type { Definition } from "../../../syntax/definitions/definition.ts";
import type { Fragment } from "../../../syntax/fragment.ts";
import { keysBefore } from "../../../syntax/functions/parameters.ts";
import { oncePerFragment } from "../../../syntax/lookup/once-per-fragment.ts";
import { librariesIn } from "./libraries.ts";
import type { Part } from "./parts.ts";
import { isProcedureInput, isRouteInput, isToolInput, isValidatedPart } from "./routes.ts";

/** Words of a file whose routes declare what they take, also without a library that it imports. */
const DECLARING = /^(?:schema|inputSchema|\w{1,10}[vV]alidator|validationResult|matchedData)$/;

const readOf = oncePerFragment((fragment: Fragment) => ({
  declares:
    fragment.language === "javascript" &&
    (librariesIn(fragment).isUsed || fragment.wordsLike(DECLARING).length > 0),
}));

/** Whether a file may have routes that declare what they take. */
export function mayDeclare(fragment: Fragment): boolean {
  return readOf(fragment).declares;
}

/**
 * Whether the route of a handler declares that what is read of its first parameter is no free text.
 *
 * @param parts the expression, which begins with the parameter's name
 * @param keys what is read of the expression
 */
export function isDeclared(
  fragment: Fragment,
  { at, parameter, function: scope }: Definition,
  parts: readonly Part[],
  keys: readonly string[],
): boolean {
  const isFirst = parameter !== undefined && parameter.declared === scope?.parameters[0]?.declared;
  const taken = isFirst && keysBefore(fragment, parameter.declared, at);
  if (!taken) return false;
  const called = parts.findLastIndex(({ open }) => open !== undefined);
  const behind = [...parts.slice(Math.max(called, 0) + 1).map(({ name }) => name), ...keys];
  const path = [...taken, ...behind];
  return routesAround(fragment, scope.start).some((call) =>
    called > 0
      ? isValidatedPart(fragment, call, parts[called] as Part, behind)
      : isToolInput(fragment, call, path) ||
        isProcedureInput(fragment, call, path) ||
        isRouteInput(fragment, call, path),
  );
}

/** Returns the calls that may make a route of a handler: the one that it is given to, and one that this is given to. */
function routesAround(fragment: Fragment, start: number): Call[] {
  const inner = fragment.callAround(start);
  const outer = inner && fragment.callAround(inner.at);
  return [inner, outer].flatMap((call) => call ?? []);
}
