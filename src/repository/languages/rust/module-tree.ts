import { posix } from "node:path";
import type { Project } from "../language.ts";

/** What is taken in from the directory of a file, as part of its module. */
const INCLUDED = /^include (\.\/.+)$/;

/** The files of a crate by module. */
export interface ModuleTree {
  /** The path of each file's module, from the crate's root. */
  modules: ReadonlyMap<string, string[]>;
  /** For each file, the files of its `mod` declarations: of one that depends on the system, several. */
  children: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Returns the file of the longest module that a path begins with. */
  longest(path: readonly string[]): string | undefined;
}

export function moduleTree(root: string, { paths, facts }: Pick<Project, "paths" | "facts">): ModuleTree {
  const modules = new Map<string, string[]>([[root, []]]);
  const children = new Map<string, Map<string, string[]>>();
  const files = new Map<string, string>([["", root]]);
  const open = [root];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const own = modules.get(file) as string[];
    const found = new Map<string, string[]>();
    children.set(file, found);
    for (const { module, names: places = [""] } of facts.get(file)?.imports ?? []) {
      const included = INCLUDED.exec(module)?.[1];
      const name = /^mod (\S+)$/.exec(module)?.[1];
      if (name !== undefined) {
        const inner = name.split("::");
        const there = places.flatMap((place) => childOf(file, inner, place) ?? []);
        found.set(module, there);
        for (const child of there) add(child, [...own, ...inner]);
      } else if (included !== undefined) add(posix.join(posix.dirname(file), included), own);
    }
  }

  function add(file: string, module: string[]): void {
    if (modules.has(file) || !facts.has(file)) return;
    modules.set(file, module);
    const name = module.join("::");
    if (!files.has(name)) files.set(name, file);
    open.push(file);
  }

  /** A path that an attribute gives is that of the file, or of the module around it in the file. */
  function childOf(file: string, inner: readonly string[], place: string): string | undefined {
    if (place === "") return fileOf(posix.join(directoryOf(file, root), ...inner));
    const around = inner.slice(0, -1);
    const directory = around.length > 0 ? directoryOf(file, root) : posix.dirname(file);
    const path = posix.join(directory, ...around, place);
    return paths.has(path) ? path : undefined;
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
