import { posix } from "node:path";
import type { Facts, Import, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";
import type { Fixtures } from "./fixtures.ts";
import { importRoots } from "./import-roots.ts";
import { readFixtures } from "./read-python.ts";
import { STANDARD_LIBRARY } from "./standard-library.ts";

/**
 * Resolves an import as Python does: first the standard library, since it is loaded before anything else, then the
 * roots of the file. A directory without `__init__.py` does not shadow an installed package: only the named module in
 * it counts.
 */
export function pythonResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const { paths } = project;
  const rootsOf = importRoots(project);

  const modules = new Map<string, string | undefined>();

  function moduleAt(path: string): string | undefined {
    if (modules.has(path)) return modules.get(path);
    const inside = pathIn(path, "__init__");
    const found = [`${inside}.py`, `${path}.py`, `${path}.pyi`, `${inside}.pyi`].find((each) =>
      paths.has(each),
    );
    modules.set(path, found);
    return found;
  }

  /** Returns the imported submodules, and the module itself where other names are taken from it. */
  function taken(base: string, names: readonly string[] | undefined): string[] {
    const own = moduleAt(base);
    const submodules = (names ?? []).map((name) => moduleAt(pathIn(base, name)));
    const found = submodules.filter((file) => file !== undefined);
    const isWhole = own !== undefined && (!names || names.length === 0 || found.length < names.length);
    return isWhole ? [own, ...found] : found;
  }

  function relative(file: string, dots: number, { module, names }: Import): Target[] {
    const path = module.slice(dots).replaceAll(".", "/");
    const above = posix
      .dirname(file)
      .split("/")
      .filter((part) => part !== ".");
    const base = dots - 1 > above.length ? undefined : above.slice(0, above.length - dots + 1).join("/");
    const found = base === undefined ? [] : taken(pathIn(base, path), names);
    return found.length > 0 ? found.map(fileTarget) : [{ kind: "missing", module }];
  }

  function resolve(file: string, imports: readonly Import[]): Target[] {
    const roots = rootsOf(file);
    return imports.flatMap((imported): Target[] => {
      const { module, names } = imported;
      const dots = /^\.*/.exec(module)?.[0].length ?? 0;
      if (dots > 0) return relative(file, dots, imported);
      const name = module.split(".", 1)[0] as string;
      const isStandard = STANDARD_LIBRARY.has(name) && name !== "test";
      const path = module.replaceAll(".", "/");
      for (const root of isStandard ? [] : roots(name)) {
        const found = taken(pathIn(root, path), names);
        if (found.length > 0) return found.map(fileTarget);
        // Python takes the first package that it finds, so what that lacks is missing.
        if (moduleAt(pathIn(root, name)) !== undefined) return [{ kind: "missing", module }];
      }
      return [{ kind: "package", id: `python:${name}`, name }];
    });
  }

  const fixtures = new Map<string, Fixtures>();

  /** Returns the fixtures of a file, also those that it imports. */
  function fixturesOf(file: string): Fixtures {
    const known = fixtures.get(file);
    if (known) return known;
    const { imports, ...own } = readFixtures(project.text(file) ?? "");
    const names = new Set(own.names);
    let { isAutomatic } = own;
    // Where files import from each other in a circle, each sees what is known so far.
    fixtures.set(file, own);
    for (const imported of imports) {
      const taken = imported.names ?? [];
      for (const name of taken) names.add(name);
      if (taken.length > 0) continue;
      for (const target of resolve(file, [imported])) {
        if (target.kind !== "file") continue;
        const others = fixturesOf(target.path);
        for (const name of others.names) names.add(name);
        isAutomatic ||= others.isAutomatic;
      }
    }
    const all = { names, isAutomatic };
    fixtures.set(file, all);
    return all;
  }

  /** Returns the nearest conftest.py of each fixture that a file asks for, and those with one that surrounds each test. */
  function conftests(file: string, uses: readonly string[]): Target[] {
    const sought = new Set(uses);
    const found: Target[] = [];
    for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
      const conftest = pathIn(at, "conftest.py");
      if (conftest !== file && paths.has(conftest)) {
        const { names, isAutomatic } = fixturesOf(conftest);
        const here = [...sought].filter((name) => names.has(name));
        if (isAutomatic || here.length > 0) found.push(fileTarget(conftest));
        for (const name of here) sought.delete(name);
      }
      if (at === ".") return found;
    }
  }

  return (file, { imports, uses }) => [...resolve(file, imports), ...(uses ? conftests(file, uses) : [])];
}

/** Joins normalised paths. */
function pathIn(directory: string, path: string): string {
  if (path === "") return directory;
  return directory === "." || directory === "" ? path : `${directory}/${path}`;
}
