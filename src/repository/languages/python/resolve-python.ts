import { posix } from "node:path";
import type { Facts, Import, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";
import { importRoots } from "./import-roots.ts";
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

  return (file, { imports }) => {
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
  };
}

/** Joins normalised paths. */
function pathIn(directory: string, path: string): string {
  if (path === "") return directory;
  return directory === "." || directory === "" ? path : `${directory}/${path}`;
}
