import type { Fragment } from "../../syntax/fragment.ts";
import { declarationOf } from "./imported.ts";
import { librariesIn, PARSING } from "./schemas/libraries.ts";

/** `$request->validate([…])` of Laravel and `$validator->validated()`. */
const LARAVELS =
  /^(?:\$?(?:this\.)?request|request\(\)|\$this|\$validator|Validator)\b.*\bvalidated?(?:WithBag)?$/;

/** Whether a call returns what it is given if that fits a schema, though its name, `validate`, says that it is harmless. */
export function handsOnWhatFits(fragment: Fragment, path: string, name: string): boolean {
  if (!name.startsWith("validate")) return false;
  if (fragment.language === "php") return LARAVELS.test(path);
  if (path === name || !PARSING.test(name)) return false;
  const [schema = ""] = path.split(/[.([]/, 1);
  return librariesIn(fragment).isUsed || librariesIn(declarationOf(fragment, schema).file).isUsed;
}
