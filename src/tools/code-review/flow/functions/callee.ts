import { firstIndex } from "../../../../system/binary-search.ts";
import { splitAtCommas } from "../../syntax/calls.ts";
import { exportsOf } from "../../syntax/exports.ts";
import type { Fragment, OtherFiles } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import { starsOf } from "../../syntax/imports.ts";
import { oncePerFragment } from "../../syntax/lookup/once-per-fragment.ts";
import { receiverPath } from "../receivers.ts";
import { pathOnField } from "./fields.ts";
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

/** Maximum names under which a function is looked for in other files. */
const MAX_NAMES = 10;

/** Returns the names by which other files know a function: its own, and those under which it is exported. */
export function exportedNames({ fragment, scope }: Callee): string[] {
  const exported = namesOfExported(fragment).get(scope) ?? [];
  return [...new Set([...(scope.name ? [scope.name] : []), ...exported])].slice(0, MAX_NAMES);
}

const namesOfExported = oncePerFragment(
  (fragment: Fragment): ReadonlyMap<FunctionScope, readonly string[]> => {
    const names = new Map<FunctionScope, string[]>();
    if (fragment.language !== "javascript") return names;
    for (const [name, exported] of exportsOf(fragment).named) {
      const callee = "at" in exported ? valueAt(fragment, exported.at, [], new Trail(MAX_WITHIN)) : undefined;
      if (callee?.fragment !== fragment) continue;
      const known = names.get(callee.scope);
      if (known) known.push(name);
      else names.set(callee.scope, [name]);
    }
    return names;
  },
);

/** What follows an imported module in the path of a call: the names of a function, or of an object and its method. */
const CALLED = /^(?:\(\))?(?:\.[\w$]{1,80}(?:\(\))?){0,2}$/;

const TYPE = /^[A-Z]/;

function importedCallee(fragment: Fragment, path: string, at: number): Callee | undefined {
  const { project, names } = fragment;
  if (!project?.imports(fragment.path) || !path.endsWith("()")) return undefined;
  const [first = ""] = path.split(/[.([]/, 1);
  if (names.imports.has(first) && isShadowed(fragment, first, at)) return undefined;
  const given = pathOnField(fragment, path, at) ?? receiverPath(fragment, path, at);
  // The type of a field or of a parameter may be imported.
  const resolved = TYPE.test(given) ? names.resolve(given) : given;
  const known = ledTo(fragment);
  if (!known.has(resolved)) {
    const callee =
      leadingTo(project, fragment.path, resolved) ?? throughStars(fragment, wordsOf(resolved), new Trail());
    known.set(resolved, callee && { path: callee.fragment.path, start: callee.scope.start });
    return callee;
  }
  const place = known.get(resolved);
  const file = place && project.file(place.path);
  const scope = place && file?.names.functionsByStart.get(place.start);
  return file && scope && { fragment: file, scope };
}

/** The functions to which paths of a file lead. Their files are read anew where there is no room to keep them. */
const ledTo = oncePerFragment(
  (_: Fragment) => new Map<string, { path: string; start: number } | undefined>(),
);

/** Whether something else of the file has the name of an import at `at`: `const { run } = require("./run")` is the import. */
function isShadowed(fragment: Fragment, name: string, at: number): boolean {
  const definition = fragment.names.definition(name, at);
  if (definition === undefined) return false;
  const { from } = definition.value;
  return fragment.text(from) !== "require" && fragment.text(from + 1) !== "import";
}

/** Maximum places that are looked at from an import to the function behind it, and from an export to its function. */
const [MAX_PLACES, MAX_WITHIN] = [100, 5];

/** The places from an import to the function behind it: files that export again what others export, and names for values. */
class Trail {
  readonly #places = new Set<string>();

  constructor(private readonly most = MAX_PLACES) {}

  /** Notes a place. Returns whether it is a new one, and not one too many. */
  enters(path: string, what: string | number): boolean {
    const place = `${what} ${path}`;
    if (this.#places.size >= this.most || this.#places.has(place)) return false;
    this.#places.add(place);
    return true;
  }
}

function leadingTo(
  project: OtherFiles,
  from: string,
  resolved: string,
  trail = new Trail(),
): Callee | undefined {
  const found = project.importedAs(from, resolved);
  if (!found || !CALLED.test(found.rest)) return undefined;
  const words = wordsOf(found.rest);
  return trail.enters(found.path, words.join("."))
    ? exportedBy(project, found.path, words, trail)
    : undefined;
}

function wordsOf(path: string): string[] {
  return path.replaceAll("()", "").split(".").filter(Boolean);
}

/** Returns the function of a module of which a file of Python imports all names: `from .users import *`. */
function throughStars(fragment: Fragment, words: readonly string[], trail: Trail): Callee | undefined {
  const { project, path, names } = fragment;
  const [name = ""] = words;
  if (!project || names.all(name).length > 0 || ownFunctionsOf(fragment).byName.has(name)) return undefined;
  for (const module of starsOf(fragment)) {
    const holder = module.endsWith(".") ? module : `${module}.`;
    const found = leadingTo(project, path, holder + words.join("."), trail);
    if (found) return found;
  }
  return undefined;
}

/** Returns the function that a file exports as `name` or, of an object or class that it exports, as `object.name`. */
function exportedBy(
  project: OtherFiles,
  path: string,
  words: readonly string[],
  trail: Trail,
): Callee | undefined {
  const fragment = project.file(path);
  if (!fragment) return undefined;
  const [name = "default", ...rest] = words;
  if (fragment.language !== "javascript") return named(fragment, name, rest, trail);
  const { named: exported, all } = exportsOf(fragment);
  const through = (module: string, words: readonly string[]) =>
    leadingTo(project, path, [module, ...words].join("."), trail);
  const own = exported.get(name);
  if (own && "module" in own) return through(own.module, own.name ? [own.name, ...rest] : rest);
  if (own) return valueAt(fragment, own.at, rest, trail);
  for (const module of all) {
    const found = through(module, words);
    if (found) return found;
  }
  const main = words.length > 0 ? exported.get("default") : undefined;
  return main && "at" in main ? valueAt(fragment, main.at, words, trail) : undefined;
}

/** Returns the function that an expression is, or the method of the object that it is. */
function valueAt(fragment: Fragment, at: number, rest: readonly string[], trail: Trail): Callee | undefined {
  const text = fragment.text(at);
  const [method] = rest;
  if (method === undefined) {
    const scope = fragment.names.functionsByStart.get(text === "async" ? at + 1 : at);
    if (scope) return { fragment, scope };
  }
  if (text === "{" && method !== undefined) {
    const member = membersOf(fragment, at).get(method);
    if (typeof member === "number") return valueAt(fragment, member, rest.slice(1), trail);
    return member && { fragment, scope: member };
  }
  const name = text === "new" || text === "class" ? at + 1 : at;
  return fragment.isWord(name) && trail.enters(fragment.path, name)
    ? named(fragment, fragment.text(name), rest, trail)
    : undefined;
}

type Members = ReadonlyMap<string, FunctionScope | number>;
const objects = oncePerFragment(() => new Map<number, Members>());

/** Returns the members of the object whose brace opens at `open`: functions, or where the value of another begins. */
function membersOf(fragment: Fragment, open: number): Members {
  const known = objects(fragment).get(open);
  if (known) return known;
  const members = new Map<string, FunctionScope | number>();
  objects(fragment).set(open, members);
  const { partner = open } = fragment.tokens[open] ?? {};
  const { functions } = fragment.names;
  for (const { from, to } of splitAtCommas(fragment, { from: open + 1, to: Math.max(open + 1, partner) })) {
    const isMarked = /^(?:async|\*)$/.test(fragment.text(from)) && !/^[:(]$/.test(fragment.text(from + 1));
    const key = isMarked ? from + 1 : from;
    const value = fragment.text(key + 1) === ":" ? key + 2 : key;
    const first = functions[firstIndex(functions, ({ body }) => body.from > key)];
    const isFunction = first && first.body.from < to && first.name === fragment.text(key);
    members.set(fragment.text(key), isFunction && fragment.text(value) !== "{" ? first : value);
  }
  return members;
}

/** Returns the function that a name stands for at the top of a file, or the method of what it stands for. */
function named(fragment: Fragment, name: string, rest: readonly string[], trail: Trail): Callee | undefined {
  const { names, project } = fragment;
  const imported = names.imports.get(name);
  if (imported !== undefined && project)
    return leadingTo(project, fragment.path, [imported, ...rest].join("."), trail);
  const own = ownFunctionsOf(fragment);
  const [method] = rest;
  const scope = method === undefined ? own.standing(name) : own.methodOf(name, method);
  if (scope) return { fragment, scope };
  const given = names.all(name).find(({ kind, at }) => kind === "assign" && !names.functionAt(at));
  return given
    ? valueAt(fragment, given.value.from, rest, trail)
    : throughStars(fragment, [name, ...rest], trail);
}
