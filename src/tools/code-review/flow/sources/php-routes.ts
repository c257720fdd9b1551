import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";

const ROUTING =
  /^(?:Route|\$(?:this\.)?(?:app|router|group|route))\.(?:get|post|put|patch|delete|any|match|map|options)$/;

/**
 * Whether PHP's frameworks fill a text or a list from the address that was asked: `Route::get("/{name}", function (string $name)`
 * of Laravel, `function (Request $request, Response $response, array $args)` of Slim.
 */
export function isOfPhpRoute(
  fragment: Fragment,
  scope: FunctionScope,
  { name, at, declared }: Parameter,
): boolean {
  const types = fragment.texts({ from: declared.from, to: at }).filter((word) => /^[a-zA-Z]/.test(word));
  if (name === "$args") return scope.parameters.some((each) => /^\$(?:response|res)$/.test(each.name));
  const path = fragment.callAround(scope.start)?.path ?? "";
  return ROUTING.test(path) && types.every((type) => type === "string");
}
