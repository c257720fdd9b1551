import { posix } from "node:path";
import type { Facts, Target } from "../../facts.ts";
import { NamespaceTable, nearest } from "../classes/namespace-table.ts";
import { fileTarget, type Project } from "../language.ts";
import { lowered } from "./names.ts";
import { placesBy } from "./path-constants.ts";

const isTestCode = (path: string) => /(?:^|\/)tests?\//i.test(path);
const INCLUDED = "include:";
/** Of a constant, only the namespace is the same in capital letters. */
const keyOf = (name: string) => {
  const last = name.endsWith("#") ? name.lastIndexOf(".") + 1 : name.length;
  return lowered(name.slice(0, last)) + name.slice(last);
};

/**
 * Resolves the names of PHP, which files give in full, and the paths that they require. Of several files that declare a
 * name, takes the nearest in the tree.
 */
export function phpResolver({ paths, facts }: Project): (path: string, facts: Facts) => Target[] {
  const all = new NamespaceTable();
  /** Without test code, which defines functions in place of PHP's own, and brings libraries with it that do so. */
  const untested = new NamespaceTable();
  const namespaces = new Set<string>();
  const places = placesBy(facts);
  for (const [path, { declares = [] }] of facts) {
    // What a script without an ending declares is for itself.
    if (posix.extname(path) === "") continue;
    for (const declared of declares) {
      const name = keyOf(declared);
      all.add(name, path);
      if (!isTestCode(path)) untested.add(name, path);
      for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
        const namespace = name.slice(0, dot);
        if (namespaces.has(namespace)) break;
        namespaces.add(namespace);
      }
    }
  }

  function find(written: string, from: string): Target[] {
    const name = keyOf(written);
    const isClass = !/[)#]$/.test(name);
    const table = isClass || isTestCode(from) ? all : untested;
    const own = table.find(name);
    // A function or constant that the namespace does not have is a global one.
    const found = own.length > 0 || isClass ? own : table.find(name.slice(name.lastIndexOf(".") + 1));
    const path = nearest(found, from);
    return path === undefined ? [] : [fileTarget(path)];
  }

  function imported(module: string, from: string): Target[] {
    if (module.startsWith(".")) return existing([posix.join(posix.dirname(from), module)]);
    if (module.includes("{")) return existing(places(module, from));
    if (module.startsWith(INCLUDED)) {
      const path = module.slice(INCLUDED.length);
      const own = posix.join(posix.dirname(from), path);
      return existing(/^\.\.?\//.test(path) ? [posix.normalize(path), own] : [own, posix.normalize(path)]);
    }
    const found = find(module, from);
    if (found.length > 0 || namespaces.has(keyOf(module)) || !module.includes(".")) return found;
    const name = module
      .split(".")
      .slice(0, 2)
      .join("\\")
      .replace(/[()#]+$/, "");
    return [{ kind: "package", id: `php:${name}`, name }];
  }

  function existing(candidates: readonly string[]): Target[] {
    const found = candidates.find((path) => paths.has(path));
    return found === undefined ? [] : [fileTarget(found)];
  }

  return (path, { imports, uses = [] }) => [
    ...imports.flatMap(({ module }) => imported(module, path)),
    ...uses.flatMap((name) => find(name, path)),
  ];
}
