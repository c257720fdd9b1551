import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { outward } from "../../files/nearest.ts";
import { fileTarget, type Project } from "../language.ts";
import { definersBy } from "./definers.ts";
import { STANDARD_HEADERS } from "./standard-headers.ts";

/** Folders beside code from which builds usually let it include, the most usual first. */
const ROOTS = ["", "include", "src", "inc", "lib"];
/** What follows the name of a header: nothing, or the ending of the template that the build makes it of. */
const ENDINGS = ["", ".in", ".cmake", ".cmakein", ".meson"];

/**
 * Resolves includes from the folder of the file, if in quotes, then from the folders around it, each with its `include`
 * and `src`, then to the nearest file that ends like that. A file also leads to those that define what it uses of what
 * headers declare.
 */
export function cResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const included = inclusion(project.paths);
  const named = namesOf(project.facts);
  const known = new Map<string, readonly Target[]>();
  const includesOf = (path: string, facts: Facts): readonly Target[] => {
    const before = known.get(path);
    if (before) return before;
    const found = facts.imports.flatMap(({ module }): Target[] => {
      if (module.startsWith(MODULE)) return named.modules.get(module.slice(MODULE.length)) ?? [];
      const headers = /^["<]/.test(module) ? [module] : (named.headers.get(module) ?? []);
      return headers.flatMap((header) => included(header, path) ?? []);
    });
    known.set(path, found);
    return found;
  };
  const definers = definersBy(project.facts, includesOf);
  return (path, facts) => [...includesOf(path, facts), ...definers(path, facts).map(fileTarget)];
}

const MODULE = "module ";

/** Returns the files of each module of C++20, and the headers that each macro may stand for. */
function namesOf(all: ReadonlyMap<string, Facts>) {
  const modules = new Map<string, Target[]>();
  const headers = new Map<string, string[]>();
  for (const [path, { package: module, macros = [] }] of all) {
    if (module !== undefined) addTo(modules, module, fileTarget(path));
    for (const macro of macros) {
      const name = macro.slice(0, macro.indexOf(" "));
      const header = macro.slice(name.length + 1);
      if (!headers.get(name)?.includes(header)) addTo(headers, name, header);
    }
  }
  return { modules, headers };
}

/** Returns a function that finds what an include means; undefined for what comes with the compiler. */
function inclusion(paths: ReadonlySet<string>): (specifier: string, from: string) => Target | undefined {
  const byName = new Map<string, string[]>();
  for (const path of paths) addTo(byName, posix.basename(path), path);
  const ending = (name: string): readonly string[] =>
    (byName.get(posix.basename(name)) ?? []).filter((path) => `/${path}`.endsWith(`/${name}`));

  /** The file that a name means in a folder, by both. Many files of a folder include the same. */
  const found = new Map<string, string | undefined>();
  function find(name: string, folder: string, isQuoted: boolean): string | undefined {
    const key = `${isQuoted} ${folder}\0${name}`;
    if (found.has(key)) return found.get(key);
    const best =
      around(name, folder, isQuoted) ?? (STANDARD_HEADERS.has(name) ? undefined : nearest(name, folder));
    found.set(key, best);
    return best;
  }

  function around(name: string, folder: string, isQuoted: boolean): string | undefined {
    for (const outer of outward(folder)) {
      for (const root of ROOTS) {
        const place = posix.join(outer, root);
        if (!isQuoted && place === folder && folder !== ".") continue;
        const path = ENDINGS.map((end) => posix.join(place, name + end)).find((each) => paths.has(each));
        if (path !== undefined) return path;
      }
    }
    return undefined;
  }

  /** Returns the file that ends like a name and shares most folders with a folder; undefined if several do. */
  function nearest(name: string, folder: string): string | undefined {
    const only = onlyBelow(name);
    for (const outer of outward(folder)) if (only.has(outer)) return only.get(outer);
    return undefined;
  }

  /** By folder, the only file below it that ends like a name; undefined where several do. */
  const below = new Map<string, ReadonlyMap<string, string | undefined>>();
  function onlyBelow(name: string): ReadonlyMap<string, string | undefined> {
    const known = below.get(name);
    if (known) return known;
    const only = new Map<string, string | undefined>();
    const all = ENDINGS.map((end) => ending(name + end)).find((each) => each.length > 0) ?? [];
    for (const path of all)
      for (const outer of outward(posix.dirname(path))) only.set(outer, only.has(outer) ? undefined : path);
    below.set(name, only);
    return only;
  }

  return (specifier, from) => {
    const name = posix.normalize(specifier.slice(1, -1).trim().replaceAll("\\", "/"));
    const isQuoted = specifier.startsWith('"');
    const folder = posix.dirname(from);
    // C++ names its own headers without an ending.
    if (!isQuoted && (STANDARD_HEADERS.has(name) || /^\w+$/.test(name))) return undefined;
    const own = posix.join(folder, name);
    if (isQuoted && paths.has(own)) return fileTarget(own);
    if (name.startsWith("../")) return undefined;
    const path = find(name, folder, isQuoted);
    if (path !== undefined) return fileTarget(path);
    if (STANDARD_HEADERS.has(name)) return undefined;
    const library = name.split("/")[0] as string;
    return { kind: "package", id: `c:${library}`, name: library };
  };
}
