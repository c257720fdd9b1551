import { posix } from "node:path";
import { outward } from "./files/nearest.ts";
import type { Project } from "./languages/language.ts";

/** Finds the files that may import some others, and few besides. */
export interface ImportSearch {
  /** An extended regular expression (POSIX) that matches a line of each such import. */
  pattern: string;
  /** Globs of the files to search. */
  files: readonly string[];
}

const SCRIPTS = ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx", "vue", "svelte", "astro"];
const SCRIPT = new RegExp(`(?:\\.d)?\\.(?:${SCRIPTS.join("|")})$`);
const PYTHON = /\.py$/;
const PACKAGE = /(?:^|\/)__init__\.py$/;
/** `"."`, `"../.."`: a folder above, by which its index is imported. */
const ABOVE = `(\\.\\.?/)*\\.\\.?/?`;

/** Returns searches for what may import some files, one for each language. */
export function importSearches(
  targets: readonly string[],
  project: Pick<Project, "paths" | "text">,
): ImportSearch[] {
  const specifiers = targets
    .filter((path) => SCRIPT.test(path))
    .flatMap((path) => specifiersOf(path, project));
  const modules = targets.filter((path) => PYTHON.test(path));
  const searches: ImportSearch[] = [];
  if (specifiers.length > 0)
    searches.push({ pattern: quoted(specifiers), files: SCRIPTS.map((ending) => `*.${ending}`) });
  if (modules.length > 0) searches.push({ pattern: imported(modules), files: ["*.py"] });
  return searches;
}

/** Returns patterns of what an import of a script is written as, between quotes. */
function specifiersOf(path: string, { paths, text }: Pick<Project, "paths" | "text">): string[] {
  const stem = posix.basename(path).replace(SCRIPT, "");
  const found = stem === "index" ? ofIndex(posix.dirname(path)) : [`(.*/)?${escaped(stem)}(\\.[a-z]+)?`];
  for (const directory of outward(posix.dirname(path))) {
    const manifest = posix.join(directory, "package.json");
    if (!paths.has(manifest)) continue;
    // Other packages know a file by the name of its own if its manifest leads there.
    const content = text(manifest) ?? "";
    const name = content.includes(stem)
      ? /"name"\s{0,9}:\s{0,9}"([^"\n]{1,200})"/.exec(content)?.[1]
      : undefined;
    if (name !== undefined) found.push(`${escaped(name)}(/.*)?`);
    break;
  }
  return found;
}

function ofIndex(directory: string): string[] {
  const folder = directory === "." ? [] : [`(.*/)?${escaped(posix.basename(directory))}/?`];
  return [...folder, ABOVE, `(.*/)?index(\\.[a-z]+)?`];
}

function quoted(specifiers: readonly string[]): string {
  return `["'](${[...new Set(specifiers)].join("|")})(\\?[^"']*)?["']`;
}

/** `from a.b import c`, `import a.b`, and `b` on a line of its own within `from a import (…)` */
function imported(modules: readonly string[]): string {
  const names = `(${[...new Set(modules.map(moduleName))].join("|")})`;
  const forms = [
    `(from|import)[[:space:]]+(.*[^[:alnum:]_])?${names}([^[:alnum:]_]|$)`,
    `^[[:space:]]+${names}[[:space:]]*(as[[:space:]]|,|#|$)`,
  ];
  // `from . import a` in another file of a package.
  if (modules.some((path) => PACKAGE.test(path))) forms.push("from[[:space:]]+\\.+[[:space:]]+import");
  return forms.join("|");
}

/** Returns the last part of the name by which a module is imported. */
function moduleName(path: string): string {
  return escaped(posix.basename(PACKAGE.test(path) ? posix.dirname(path) : path.replace(PYTHON, "")));
}

function escaped(name: string): string {
  return name.replace(/[.[\]{}()*+?^$|\\]/g, "\\$&");
}
