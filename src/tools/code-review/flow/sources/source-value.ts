import type { Fragment } from "../../syntax/fragment.ts";
import { LEVEL } from "../level.ts";
import type { Target } from "../target.ts";
import { NOTHING, UNKNOWN, type Value, valueAt } from "../value.ts";
import { isOwnPath } from "./own-address.ts";
import { carriesRequest, isLocalPath, isOwnName } from "./request-sources.ts";

/**
 * Returns the value of an expression that reads what a client sent or the command line gave, or undefined for another.
 *
 * @param paths the expression as written, and with the origin of its receiver.
 */
export function sourceValue(
  fragment: Fragment,
  target: Target | undefined,
  paths: readonly [string, string],
  at: number,
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

/** Whether a path is the whole request of Flask, passed on to be read elsewhere. */
export function isWholeRequest({ names }: Fragment, path: string): boolean {
  return path === "request" && names.imports.get(path) === "flask.request";
}
