import { posix } from "node:path";
import type { Facts, Target } from "../../facts.ts";
import { nearest } from "../../files/nearest.ts";
import { fileTarget, type Project } from "../language.ts";
import { type Crate, cratesOf } from "./crates.ts";
import { type ModuleTree, moduleTree } from "./module-tree.ts";

const OWN = /^(?:std|core|alloc|proc_macro|test)$/;

/** A macro that more files define is one for each module. Edges from each user to each of these files would multiply. */
const MAX_DEFINERS = 64;

/**
 * Resolves `mod` to the file of that module, and a path to the file of the longest module that it begins with, in its
 * own crate or another one of the repository. Macros are found by name in the whole crate.
 */
export function rustResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const crates = cratesOf(project);
  const packages = new Set(
    [...project.paths].filter((path) => posix.basename(path) === "Cargo.toml").map(posix.dirname),
  );
  const trees = new Map<string, ModuleTree>();
  const treeOf = (root: string): ModuleTree => {
    const tree = trees.get(root) ?? moduleTree(root, project);
    trees.set(root, tree);
    return tree;
  };
  /** For each file, the first tree that contains it and its module there. */
  const places = new Map<string, { crate: Crate; tree: ModuleTree; module: string[] }>();
  for (const crate of crates) {
    for (const root of crate.roots) {
      const tree = treeOf(root);
      for (const [file, module] of tree.modules)
        if (!places.has(file)) places.set(file, { crate, tree, module });
    }
  }

  const macros = new Map<Crate, Map<string, string[]>>();
  for (const [file, { crate }] of places) {
    const defined = macros.get(crate) ?? new Map<string, string[]>();
    macros.set(crate, defined);
    for (const name of project.facts.get(file)?.macros ?? []) {
      const files = defined.get(name) ?? [];
      defined.set(name, files);
      if (files.length <= MAX_DEFINERS) files.push(file);
    }
  }
  const definersOf = (defined: Map<string, string[]> | undefined, name: string): string[] => {
    const files = defined?.get(name) ?? [];
    return files.length > MAX_DEFINERS ? [] : files;
  };

  return (path, facts) => {
    const { imports, uses = [] } = facts;
    const place = places.get(path);
    const own = new Set(facts.macros);
    const defined = place && macros.get(place.crate);
    const used = uses.flatMap((name) => (own.has(name) ? [] : definersOf(defined, name)));
    const imported = imports.flatMap(({ module }): Target[] => {
      if (module.startsWith("mod ")) {
        const files = place?.tree.children.get(path)?.get(module) ?? [];
        if (files.length > 0) return files.map(fileTarget);
        return place ? [{ kind: "missing", module }] : [];
      }
      if (module.startsWith("include ")) {
        const written = module.slice("include ".length);
        const directory = written.startsWith("./") ? posix.dirname(path) : nearest(packages, path);
        const file = posix.join(directory ?? "", written);
        return project.paths.has(file) ? [fileTarget(file)] : [];
      }
      if (!place) return [];
      const parts = module.split("::");
      const [head = ""] = parts;
      const inside = within(place.module, parts);
      if (inside) return targetOf(place.tree.longest(inside));
      const child = place.tree.longest([...place.module, ...parts]);
      if (child !== undefined && child !== path) return targetOf(child);
      const library = place.crate.libraryOf(head);
      if (library !== undefined) return targetOf(treeOf(library).longest(parts.slice(1)));
      if (place.crate.depends(head)) return [{ kind: "package", id: `rust:${head}`, name: head }];
      return OWN.test(head) ? [{ kind: "package", id: `rust:${head}`, name: head }] : [];
    });
    return [...imported, ...used.map(fileTarget)];
  };
}

/** Resolves `crate`, `self` and `super` to a path from the crate's root; undefined for any other path. */
function within(module: readonly string[], parts: readonly string[]): string[] | undefined {
  if (parts[0] === "crate") return parts.slice(1);
  if (parts[0] === "self") return [...module, ...parts.slice(1)];
  const above = parts.findIndex((part) => part !== "super");
  if (above === 0) return undefined;
  const levels = above < 0 ? parts.length : above;
  return [...module.slice(0, Math.max(0, module.length - levels)), ...parts.slice(levels)];
}

function targetOf(file: string | undefined): Target[] {
  return file === undefined ? [] : [fileTarget(file)];
}
