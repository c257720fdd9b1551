import type { Project } from "../../project.ts";
import { exportsOf } from "../../syntax/exports.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions.ts";
import { receiverPath } from "../receivers.ts";
import { ownFunctionsOf } from "./own-functions.ts";

/** A function of the project, and the file that it is in. */
export interface Callee {
  fragment: Fragment;
  scope: FunctionScope;
}

/** Returns the function that a call refers to, if it is of the same file or of one that this imports. */
export function calleeOf(fragment: Fragment, path: string, at: number): Callee | undefined {
  const imported = importedCallee(fragment, path, at);
  if (imported) return imported;
  const scope = ownFunctionsOf(fragment).calledBy(path, at);
  return scope && { fragment, scope };
}

/** Returns the names by which other files know a function: its own, and those under which it is exported. */
export function exportedNames({ fragment, scope }: Callee): string[] {
  const exported = fragment.language === "javascript" ? [...exportsOf(fragment).named] : [];
  const others = exported.filter(
    ([, each]) => "at" in each && valueAt(fragment, each.at, [], MAX_EXPORTS)?.scope === scope,
  );
  return [...new Set([...(scope.name ? [scope.name] : []), ...others.map(([name]) => name)])];
}

/** What follows an imported module in the path of a call: the names of a function, or of an object and its method. */
const CALLED = /^(?:\(\))?(?:\.[\w$]{1,80}(?:\(\))?){0,2}$/;

function importedCallee(fragment: Fragment, path: string, at: number): Callee | undefined {
  const { project, names } = fragment;
  if (!project?.imports(fragment.path) || !path.endsWith("()")) return undefined;
  const [first = ""] = path.split(/[.([]/, 1);
  if (names.imports.has(first) && isShadowed(fragment, first, at)) return undefined;
  return leadingTo(project, fragment.path, receiverPath(fragment, path, at));
}

/** Whether something else of the file has the name of an import at `at`: `const { run } = require("./run")` is the import. */
function isShadowed(fragment: Fragment, name: string, at: number): boolean {
  const definition = fragment.names.definition(name, at);
  return definition !== undefined && fragment.text(definition.value.from) !== "require";
}

/** Maximum files from an import to the function behind it: those between export it again. */
const MAX_EXPORTS = 4;

function leadingTo(project: Project, from: string, resolved: string, files = 0): Callee | undefined {
  const found = project.importedAs(from, resolved);
  if (!found || files >= MAX_EXPORTS || !CALLED.test(found.rest)) return undefined;
  const words = found.rest.replaceAll("()", "").split(".").filter(Boolean);
  return exportedBy(project, found.path, words, files + 1);
}

/** Returns the function that a file exports as `name` or, of an object or class that it exports, as `object.name`. */
function exportedBy(
  project: Project,
  path: string,
  words: readonly string[],
  files: number,
): Callee | undefined {
  const fragment = project.file(path);
  if (!fragment) return undefined;
  const [name = "default", ...rest] = words;
  if (fragment.language !== "javascript") return named(fragment, name, rest, files);
  const { named: exported, all } = exportsOf(fragment);
  const through = (module: string, words: readonly string[]) =>
    leadingTo(project, path, [module, ...words].join("."), files);
  const own = exported.get(name);
  if (own && "module" in own) return through(own.module, own.name ? [own.name, ...rest] : rest);
  if (own) return valueAt(fragment, own.at, rest, files);
  for (const module of all) {
    const found = through(module, words);
    if (found) return found;
  }
  const main = words.length > 0 ? exported.get("default") : undefined;
  return main && "at" in main ? valueAt(fragment, main.at, words, files) : undefined;
}

/** Returns the function that an expression is, or the method of the object that it is. */
function valueAt(fragment: Fragment, at: number, rest: readonly string[], files: number): Callee | undefined {
  const { names } = fragment;
  const text = fragment.text(at);
  const [method] = rest;
  if (method === undefined) {
    const scope = names.functionsByStart.get(text === "async" ? at + 1 : at);
    if (scope) return { fragment, scope };
  }
  if (text === "{" && method !== undefined) {
    const { partner } = fragment.tokens[at] as { partner: number };
    const scope = names.functions.find(
      (each) => each.name === method && each.start > at && each.start < partner,
    );
    return scope && { fragment, scope };
  }
  const name = text === "new" || text === "class" ? at + 1 : at;
  return fragment.isWord(name) ? named(fragment, fragment.text(name), rest, files) : undefined;
}

/** Returns the function that a name stands for at the top of a file, or the method of what it stands for. */
function named(fragment: Fragment, name: string, rest: readonly string[], files: number): Callee | undefined {
  const { names, project } = fragment;
  const imported = names.imports.get(name);
  if (imported !== undefined && project)
    return leadingTo(project, fragment.path, [imported, ...rest].join("."), files);
  const own = ownFunctionsOf(fragment);
  const [method] = rest;
  const scope = method === undefined ? own.standing(name) : own.methodOf(name, method);
  if (scope) return { fragment, scope };
  const given = names.all(name).find(({ kind, at }) => kind === "assign" && !names.functionAt(at));
  if (!given || fragment.text(given.value.from) === name) return undefined;
  return files < MAX_EXPORTS ? valueAt(fragment, given.value.from, rest, files + 1) : undefined;
}
