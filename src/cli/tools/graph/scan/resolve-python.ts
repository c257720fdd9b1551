import { posix } from "node:path";
import type { PythonImport } from "./python-imports.ts";
import type { Target } from "./target.ts";

/** What an import of a file leads to: files of the repository where they are there, else the package. */
export function pythonResolver(files: ReadonlySet<string>) {
  const fileOf = (path: string) =>
    [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`].find((candidate) => files.has(candidate));

  /** The submodules that are imported, or else the module they would be in. */
  function within(base: string, { names }: PythonImport): string[] {
    const own = fileOf(base);
    const submodules = names.map((name) => fileOf(posix.join(base, name)));
    const found = submodules.filter((file) => file !== undefined);
    const whole = own !== undefined && (names.length === 0 || found.length < names.length);
    return whole ? [own, ...found] : found;
  }

  /** Where modules may be named from: the directory above the outermost package, and upwards. */
  function rootsOf(file: string): string[] {
    const roots: string[] = [];
    for (let at = posix.dirname(file); ; at = posix.dirname(at)) {
      roots.push(at);
      if (at === ".") return [...roots, "src"];
    }
  }

  return (file: string, imported: PythonImport): Target[] => {
    const path = imported.module.replaceAll(".", "/");
    if (imported.level > 0) {
      const base = posix.join(posix.dirname(file), ...Array(imported.level - 1).fill(".."), path);
      const found = within(base, imported);
      const specifier = ".".repeat(imported.level) + imported.module;
      return found.length > 0 ? found.map((id) => ({ kind: "file", id })) : [{ kind: "missing", specifier }];
    }
    for (const root of rootsOf(file)) {
      const found = within(posix.join(root, path), imported);
      if (found.length > 0) return found.map((id) => ({ kind: "file", id }));
    }
    const name = imported.module.split(".", 1)[0] as string;
    return [{ kind: "package", id: `python:${name}`, name }];
  };
}
