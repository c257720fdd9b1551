import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";
import { definersBy } from "./definers.ts";
import { STANDARD_HEADERS } from "./standard-headers.ts";

/** Folders beside code from which builds usually let it include, the most usual first. */
const ROOTS = ["", "include", "src", "inc", "lib"];
/** What build systems make headers of, by the ending of the template. */
const TEMPLATES = [".in", ".cmake", ".cmakein", ".meson"];

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
  const ending = (name: string): readonly string[] => {
    const all = byName.get(posix.basename(name)) ?? [];
    return name.includes("/") ? all.filter((path) => path === name || path.endsWith(`/${name}`)) : all;
  };

  /** The file that a name means in a folder, by both. Many files of a folder include the same. */
  const found = new Map<string, string | undefined>();
  function find(name: string, folder: string, isQuoted: boolean): string | undefined {
    const key = `${isQuoted} ${folder}\0${name}`;
    if (found.has(key)) return found.get(key);
    const plain = ending(name);
    const rooted = [
      ...plain.map((path) => ({ path, root: folderBefore(path, name) })),
      ...TEMPLATES.flatMap((end) =>
        ending(name + end).map((path) => ({ path, root: folderBefore(path, name + end) })),
      ),
    ].filter(({ root }) => isQuoted || root !== folder || folder === ".");
    const best =
      first(rooted, ({ root }) => nearness(root, folder)) ??
      (STANDARD_HEADERS.has(name) ? undefined : nearest(plain, folder));
    found.set(key, best);
    return best;
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

/** Returns the folder from which a path is included by a name that it ends with. */
function folderBefore(path: string, name: string): string {
  return path === name ? "." : path.slice(0, -name.length - 1);
}

/** Tells how near a folder of headers is to a folder of code; 0 if it is not beside a folder around that one. */
function nearness(root: string, folder: string): number {
  const around = ROOTS.map((name) => {
    const outer = name === "" ? root : posix.dirname(root);
    const isRoot = name === "" || posix.basename(root) === name;
    const isAround = outer === "." || folder === outer || folder.startsWith(`${outer}/`);
    return isRoot && isAround ? depthOf(outer) + 1 - ROOTS.indexOf(name) / ROOTS.length : 0;
  });
  return Math.max(...around);
}

function depthOf(folder: string): number {
  return folder === "." ? 0 : folder.split("/").length;
}

/** Returns the path with the highest rank above 0. */
function first<Candidate extends { path: string }>(
  candidates: readonly Candidate[],
  rank: (candidate: Candidate) => number,
): string | undefined {
  let best: { path: string | undefined; rank: number } = { path: undefined, rank: 0 };
  for (const each of candidates) {
    const own = rank(each);
    if (own > best.rank) best = { path: each.path, rank: own };
  }
  return best.path;
}

/** Returns the path that shares most folders with a folder; undefined if several do. */
function nearest(paths: readonly string[], folder: string): string | undefined {
  const own = folder.split("/");
  const shared = (path: string) => {
    const parts = path.split("/");
    let count = 0;
    while (count < own.length && own[count] === parts[count]) count++;
    return count;
  };
  const [best, second] = paths
    .map((path) => ({ path, rank: shared(path) }))
    .sort((left, right) => right.rank - left.rank);
  return best && best.rank !== second?.rank ? best.path : undefined;
}
