import type { Fragment } from "../../syntax/fragment.ts";
import type { Range } from "../../syntax/range.ts";
import { LEVEL } from "../level.ts";
import type { Target } from "../target.ts";
import { NOTHING, UNKNOWN, type Value, valueAt } from "../value.ts";
import { isOwnPath } from "./own-address.ts";
import { carriesRequest, fillingOf, isLocalPath, isOwnName, isTakenOutOfRequest } from "./request-sources.ts";
import type { Sources } from "./sources.ts";

/** What clients send, and what the command line gives. */
export const CLIENTS: Sources = {
  read: sourceValue,
  ends: () => false,
  filling: fillingOf,
  isTakenOut: isTakenOutOfRequest,
  // The whole request of Flask.
  isWhole: ({ names }, path) => path === "request" && names.imports.get(path) === "flask.request",
};

function sourceValue(
  fragment: Fragment,
  target: Target | undefined,
  paths: readonly [string, string],
  { from: at }: Range,
): Value | undefined {
  if (isOwnName(fragment, paths[0], at)) return NOTHING;
  if (paths.some((path) => isLocalPath(fragment, path, at))) return commandLineValue(target);
  if (target === "address" && isOwnPath(fragment, paths)) return NOTHING;
  return carriesRequest(fragment, paths, at) ? valueAt(LEVEL.request) : undefined;
}

/** Returns the value of a command line argument. Files and hosts that it names are those of whoever runs the program. */
function commandLineValue(target: Target | undefined): Value {
  if (target === "markup") return UNKNOWN;
  return valueAt(target === "path" || target === "address" ? LEVEL.parameter : LEVEL.commandLine);
}
