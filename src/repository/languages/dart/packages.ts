import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import { nearest } from "../../files/nearest.ts";
import { nearest as nearestPath } from "../classes/namespace-table.ts";
import type { Project } from "../language.ts";

export interface Packages {
  /** The `lib` directory that a file is in. */
  libraryOf(path: string): string | undefined;
  /** Where a file of a package is, or would be; undefined if the repository has no such package. */
  fileOf(name: string, rest: string, from: string): string | undefined;
}

const MANIFEST = /(?:^|\/)pubspec\.yaml$/;
const NAME = /^name[ \t]*:[ \t]*["']?(\w+)/m;
/** A package that is taken from a directory: `path:` right below its name, or beside it in braces. */
const BY_PATH =
  /^[ \t]+(\w+)[ \t]*:[ \t]*(?:(?:#[^\n]*)?\r?\n[ \t]+|\{[ \t]*)path[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,}#]+))/gm;

/**
 * Finds packages by their manifests. A name means a file's own package, then the directory that its package names for it,
 * then the nearest package of the name with that file: a workspace takes its own packages, whatever version is asked for.
 */
export function packagesOf({ paths, text }: Pick<Project, "paths" | "text">): Packages {
  const packages = new Map<string, { name: string; byPath: ReadonlyMap<string, string> }>();
  for (const path of paths) {
    if (!MANIFEST.test(path)) continue;
    const directory = posix.dirname(path);
    const manifest = text(path) ?? "";
    const overrides = text(posix.join(directory, "pubspec_overrides.yaml")) ?? "";
    const name = NAME.exec(manifest)?.[1] ?? "";
    packages.set(directory, { name, byPath: byPathIn(`${manifest}\n${overrides}`, directory) });
  }

  function libraryOf(path: string): string | undefined {
    const library = posix.join(nearest(packages, path) ?? ".", "lib");
    return path.startsWith(`${library}/`) ? library : undefined;
  }

  /** Files by what they are imported as: `shop/src/cart.dart` */
  const files = new Map<string, string[]>();
  /** A library of each name. */
  const libraries = new Map<string, string>();
  for (const path of paths) {
    const library = path.endsWith(".dart") ? libraryOf(path) : undefined;
    const name = library && packages.get(posix.dirname(library))?.name;
    if (library === undefined || name === undefined) continue;
    addTo(files, name + path.slice(library.length), path);
    libraries.set(name, library);
  }

  return {
    libraryOf,
    fileOf(name, rest, from) {
      const directory = nearest(packages, from) ?? "";
      const own = packages.get(directory);
      const told = own?.name === name ? directory : own?.byPath.get(name);
      if (told !== undefined && packages.has(told)) return posix.join(told, "lib", rest);
      const library = libraries.get(name);
      return nearestPath(files.get(`${name}/${rest}`) ?? [], from) ?? (library && posix.join(library, rest));
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
