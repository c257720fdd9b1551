import { isBuiltin } from "node:module";
import { posix } from "node:path";
import type { PathMappings } from "./path-mappings.ts";
import type { Target } from "./target.ts";

export const JAVASCRIPT_EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/** Tried in this order behind what an import names. */
const ENDINGS = ["", ...JAVASCRIPT_EXTENSIONS, ".d.ts", ".json", ".vue", ".svelte"];
/** TypeScript names the file that it will compile to. */
const SOURCES: Record<string, string[]> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** Directories of the packages that the repository itself consists of, by name. */
export type Workspaces = ReadonlyMap<string, string>;

/** What an import leads to: a file of the repository where it is one, else the package. */
export function javascriptResolver(
  files: ReadonlySet<string>,
  mappings: PathMappings,
  workspaces: Workspaces,
) {
  function fileOf(path: string): string | undefined {
    const extension = posix.extname(path);
    const stem = path.slice(0, path.length - extension.length);
    const candidates = [
      ...ENDINGS.map((ending) => path + ending),
      ...(SOURCES[extension] ?? []).map((source) => stem + source),
      ...ENDINGS.slice(1).map((ending) => posix.join(path, `index${ending}`)),
    ];
    return candidates.find((candidate) => files.has(candidate));
  }

  function inWorkspace(name: string, specifier: string): string | undefined {
    const directory = workspaces.get(name);
    if (directory === undefined) return undefined;
    const rest = specifier.slice(name.length + 1);
    return fileOf(posix.join(directory, "src", rest)) ?? fileOf(posix.join(directory, rest));
  }

  return (file: string, specifier: string): Target => {
    const path = specifier.replace(/[?].*$/, "");
    if (/^\.{0,2}\//.test(path) || path === "." || path === "..") {
      const id = path.startsWith("/") ? undefined : fileOf(posix.join(posix.dirname(file), path));
      return id === undefined ? { kind: "missing", specifier } : { kind: "file", id };
    }
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
    const id =
      mappings(file, path)
        .map(fileOf)
        .find((found) => found !== undefined) ?? inWorkspace(name, path);
    if (id !== undefined) return { kind: "file", id };
    if (isBuiltin(path)) return { kind: "package", id: `node:${path.replace(/^node:/, "")}`, name: path };
    if (path.startsWith("#")) return { kind: "missing", specifier };
    return { kind: "package", id: /^[a-z]+:/.test(path) ? path : `npm:${name}`, name };
  };
}
