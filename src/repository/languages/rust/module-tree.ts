import { posix } from "node:path";
import type { Project } from "../language.ts";

/** The files of a crate by module. */
export interface ModuleTree {
  /** The path of each file's module, from the crate's root. */
  modules: ReadonlyMap<string, string[]>;
  /** For each file, the files of its `mod` declarations. */
  children: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Returns the file of the longest module that a path begins with. */
  longest(path: readonly string[]): string | undefined;
}

export function moduleTree(root: string, { paths, facts }: Pick<Project, "paths" | "facts">): ModuleTree {
  const modules = new Map<string, string[]>([[root, []]]);
  const children = new Map<string, Map<string, string>>();
  const files = new Map<string, string>([["", root]]);
  const open = [root];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const own = modules.get(file) as string[];
    const found = new Map<string, string>();
    children.set(file, found);
    for (const { module } of facts.get(file)?.imports ?? []) {
      const [, name, place] = /^mod (\S+)(?: at (.+))?$/.exec(module) ?? [];
      if (name === undefined) continue;
      const inner = name.split("::");
      const child =
        place === undefined
          ? fileOf(posix.join(directoryOf(file, root), ...inner))
          : posix.join(posix.dirname(file), place);
      if (child === undefined || !paths.has(child)) continue;
      found.set(module, child);
      if (modules.has(child)) continue;
      const path = [...own, ...inner];
      modules.set(child, path);
      files.set(path.join("::"), child);
      open.push(child);
    }
  }

  function fileOf(path: string): string | undefined {
    return [`${path}.rs`, `${path}/mod.rs`].find((candidate) => paths.has(candidate));
  }

  return {
    modules,
    children,
    longest(path) {
      for (let count = path.length; count >= 0; count--) {
        const file = files.get(path.slice(0, count).join("::"));
        if (file !== undefined) return file;
      }
      return undefined;
    },
  };
}

/** Returns the directory of a file's modules: its own for `mod.rs` and a crate's root, else one of its name. */
function directoryOf(file: string, root: string): string {
  const isRoot = file === root || posix.basename(file) === "mod.rs";
  return isRoot ? posix.dirname(file) : file.slice(0, -".rs".length);
}
