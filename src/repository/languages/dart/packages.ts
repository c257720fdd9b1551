import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import { nearest } from "../../files/nearest.ts";
import { nearest as nearestPath } from "../classes/namespace-table.ts";
import type { Project } from "../language.ts";

export interface Packages {
  /** The `lib` directory that a file is in. */
  libraryOf(path: string): string | undefined;
  /** The directory of the package that a file means by a name, if the repository has one. */
  named(name: string, from: string): string | undefined;
}

const MANIFEST = /(?:^|\/)pubspec\.yaml$/;
const NAME = /^name[ \t]*:[ \t]*["']?(\w+)/m;
/** A package that is taken from a directory: `path:` right below its name, or beside it in braces. */
const BY_PATH =
  /^[ \t]+(\w+)[ \t]*:[ \t]*(?:(?:#[^\n]*)?\r?\n[ \t]+|\{[ \t]*)path[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,}#]+))/gm;

/**
 * Finds packages by their manifests. A name means a file's own package, then the directory that its package names for it,
 * then the nearest package with the name: a workspace or its tools take its own packages, whatever version is asked for.
 */
export function packagesOf({ paths, text }: Pick<Project, "paths" | "text">): Packages {
  const packages = new Map<string, { name: string; byPath: ReadonlyMap<string, string> }>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    if (!MANIFEST.test(path)) continue;
    const directory = posix.dirname(path);
    const manifest = text(path) ?? "";
    const overrides = text(posix.join(directory, "pubspec_overrides.yaml")) ?? "";
    const name = NAME.exec(manifest)?.[1] ?? "";
    packages.set(directory, { name, byPath: byPathIn(`${manifest}\n${overrides}`, directory) });
  }
  // A package that has nothing to import stands for none, such as a template of its manifest.
  const libraries = new Set<string>();
  for (const path of paths) if (path.endsWith(".dart")) libraries.add(libraryOf(path) ?? "");
  for (const [directory, { name }] of packages)
    if (libraries.has(posix.join(directory, "lib"))) addTo(byName, name, directory);

  function libraryOf(path: string): string | undefined {
    const library = posix.join(nearest(packages, path) ?? ".", "lib");
    return path.startsWith(`${library}/`) ? library : undefined;
  }

  return {
    libraryOf,
    named(name, from) {
      const directory = nearest(packages, from);
      const own = directory === undefined ? undefined : packages.get(directory);
      if (own?.name === name) return directory;
      const told = own?.byPath.get(name);
      if (told !== undefined && packages.has(told)) return told;
      return nearestPath(byName.get(name) ?? [], from);
    },
  };
}

/** Returns directories by the names of the packages that are taken from them. */
function byPathIn(manifest: string, directory: string): Map<string, string> {
  return new Map(
    Array.from(manifest.matchAll(BY_PATH), ([, name = "", ...written]) => {
      const path = written.find((each) => each !== undefined) ?? "";
      return [name, posix.join(directory, path).replace(/(?<=.)\/$/, "")];
    }),
  );
}
