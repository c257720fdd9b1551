import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { nearest } from "../../files/nearest.ts";
import { inAnyScript } from "../any-script.ts";
import { fileTarget, type Project } from "../language.ts";
import { nuxtRoots } from "./nuxt-roots.ts";

const TAG = /<([A-Z]\w{0,80}|[a-z][a-z\d]{0,40}(?:-[a-z\d]{1,40}){1,8})(?=[\s/>])/g;
const CALLED = inAnyScript(/(?<![.\w$])([a-z_$][\w$]{0,80})\(/g);
const HOOK_CALLED = inAnyScript(/(?<![.\w$])(use[A-Z][\w$]{0,80})\(/g);
const NAMES = inAnyScript(/[\w$]+/g);
const IMPORTED = /\bimport\b([^;"'`]{0,1000}?)\bfrom\b/g;
/** Directories where any call may be auto-imported. Elsewhere, outside components, only calls of `use…` are kept. */
const OF_NUXT = /(?:^|\/)(?:composables|middleware|plugins|server|shared|stores|utils)\//;
const NO_CALL = /^(?:if|for|while|switch|catch|return|function|await|typeof|import|require|super|new)$/;
/** Directories from which Nuxt auto-imports functions: those in the sources, then those in the root. */
const COMPOSABLES = ["composables", "utils", "stores"];
const SHARED = ["shared/utils", "shared/types", "server/utils"];

/** Returns the names that a file uses without importing them: components by their tags, functions by their calls. */
export function usesIn(text: string, code: string, path: string): string[] {
  const isComponent = path.endsWith(".vue");
  const isAny = isComponent || OF_NUXT.test(path);
  const calls = (isComponent ? text : code).matchAll(isAny ? CALLED : HOOK_CALLED);
  const called = Array.from(calls, ([, name = ""]) => name).filter((name) => !NO_CALL.test(name));
  const tags = isComponent ? Array.from(text.matchAll(TAG), ([, name = ""]) => pascal(name)) : [];
  const names = new Set([...tags, ...called]);
  if (names.size === 0) return [];
  for (const [, imported = ""] of code.matchAll(IMPORTED))
    for (const name of imported.match(NAMES) ?? []) names.delete(name);
  return [...names];
}

/** Resolves the names that files of Nuxt applications use without importing them. */
export function nuxtNames(project: Project): (path: string, facts: Facts) => Target[] {
  const roots = nuxtRoots(project);
  if (roots.size === 0) return () => [];
  const byRoot = new Map([...roots.keys()].map((root) => [root, new Map<string, string[]>()]));
  for (const [path, { definitions }] of project.facts) {
    const root = nearest(roots, path);
    if (root === undefined) continue;
    const names = byRoot.get(root) as Map<string, string[]>;
    const source = roots.get(root) as string;
    const component = within(path, source, ["components"]);
    if (component !== undefined && path.endsWith(".vue")) addTo(names, componentName(component), path);
    else if (within(path, source, COMPOSABLES) ?? within(path, root, SHARED))
      for (const { name } of definitions) if (!name.includes(".")) addTo(names, name, path);
  }
  return (path, { uses = [], definitions }) => {
    const root = nearest(roots, path);
    if (root === undefined) return [];
    const names = byRoot.get(root) as Map<string, string[]>;
    const own = new Set(definitions.map(({ name }) => name));
    return uses
      .filter((name) => !own.has(name))
      .flatMap((name) => names.get(name) ?? names.get(name.replace(/^Lazy(?=[A-Z])/, "")) ?? [])
      .map(fileTarget);
  };
}

/** Returns the part of a path below one of the folders of a directory. */
function within(path: string, directory: string, folders: readonly string[]): string | undefined {
  const found = folders
    .map((folder) => `${posix.join(directory, folder)}/`)
    .find((folder) => path.startsWith(folder));
  return found && path.slice(found.length);
}

/**
 * Returns the name of a component: `AccountCard` for `account/AccountCard.vue`, `BaseButton` for
 * `base/button/index.vue`.
 */
function componentName(path: string): string {
  const parts = path
    .replace(/(?:\.(?:client|server|global|island))?\.vue$/, "")
    .split("/")
    .filter((part) => !/^[[(]/.test(part))
    .map(pascal);
  if (parts.length > 1 && parts.at(-1) === "Index") parts.pop();
  return parts.reduce((name, part) => {
    // Words that the folders already end with are not repeated.
    const words = part.match(/[A-Z][^A-Z]*/g) ?? [];
    for (let said = words.length; said > 0; said--) {
      const begin = words.slice(0, said).join("");
      if (name.endsWith(begin)) return name + words.slice(said).join("");
    }
    return name + part;
  }, "");
}

function pascal(name: string): string {
  return name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
