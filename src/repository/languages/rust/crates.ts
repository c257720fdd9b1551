import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Project } from "../language.ts";
import { membersOf, membersOfToml } from "../members.ts";

/** A Cargo package. Its library, programs, tests, examples and benches are crates of their own. */
export interface Crate {
  /** The root files of its crates, the library first. */
  roots: string[];
  /** Returns the root of a library in this repository, by the name that code has for it. */
  libraryOf(name: string): string | undefined;
  /** Whether the package depends on a package of that name. */
  depends(name: string): boolean;
}

const DEPENDENCIES = ["dependencies", "dev-dependencies", "build-dependencies"];

export function cratesOf({ paths, text }: Pick<Project, "paths" | "text">): Crate[] {
  const manifests = [...paths].filter((path) => posix.basename(path) === "Cargo.toml").flatMap(manifestAt);
  const libraries = new Map(manifests.map(({ name, library }) => [name, library]));

  function manifestAt(path: string) {
    const directory = posix.dirname(path);
    const document = membersOfToml(text(path));
    const { name } = membersOf(document.package);
    if (typeof name !== "string") return [];
    const named = [document.bin, document.test, document.example, document.bench].flat();
    const given = named.map((each) => membersOf(each).path).filter((each) => typeof each === "string");
    const lib = membersOf(document.lib);
    const library = posix.join(directory, typeof lib.path === "string" ? lib.path : "src/lib.rs");
    const libraryName = typeof lib.name === "string" ? lib.name : name.replaceAll("-", "_");
    const dependencies = DEPENDENCIES.flatMap((table) => Object.entries(membersOf(document[table])));
    const packages = new Map(
      dependencies.map(([key, value]) => [key.replaceAll("-", "_"), String(membersOf(value).package ?? key)]),
    );
    const found = given.map((each) => posix.join(directory, each));
    return [{ name, directory, library, libraryName, packages, found }];
  }

  const byDirectory = new Map<string, string[]>();
  for (const path of paths) {
    const found =
      /^(.*?\/?)(?:src\/(?:main|lib)\.rs|(?:src\/bin|tests|examples|benches)\/[^/]+(?:\.rs|\/main\.rs)|build\.rs)$/.exec(
        path,
      );
    const directory = found && (found[1] === "" ? "." : (found[1] as string).replace(/\/$/, ""));
    if (directory) addTo(byDirectory, directory, path);
  }

  return manifests.map(({ directory, library, libraryName, packages, found }) => ({
    roots: [...new Set([library, ...found, ...(byDirectory.get(directory) ?? [])])].filter((root) =>
      paths.has(root),
    ),
    libraryOf(name) {
      const wanted = name === libraryName ? library : libraries.get(packages.get(name) ?? "");
      return wanted !== undefined && paths.has(wanted) ? wanted : undefined;
    },
    depends: (name) => packages.has(name),
  }));
}
