import { posix } from "node:path";
import { outward } from "./files/nearest.ts";
import type { Project } from "./languages/language.ts";

/** Finds the files that may import some others, and few besides. */
export interface ImportSearch {
  targets: ReadonlySet<string>;
  /** An extended regular expression (POSIX) that matches a line of each such import. */
  pattern: string;
  /** Globs of the files to search. */
  files: readonly string[];
  /** Finds what such imports are written as, where each says it in one piece. */
  specifiers?: RegExp;
}

const SCRIPTS = ["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx", "vue", "svelte", "astro"];
const SCRIPT = new RegExp(`(?:\\.d)?\\.(?:${SCRIPTS.join("|")})$`);
const PYTHON = /\.py$/;
const PACKAGE = /(?:^|\/)__init__\.py$/;
/** `"."`, `"../.."`: a folder above, by which its index is imported. */
const ABOVE = "(\\.\\.?/)*\\.\\.?/?";
/** The name in a package.json. */
const NAME = /"name"\s{0,9}:\s{0,9}"([^"\n]{1,200})"/;

/** Returns searches for what may import some files, one for each language. */
export function importSearches(
  targets: readonly string[],
  project: Pick<Project, "paths" | "text">,
): ImportSearch[] {
  const searches: ImportSearch[] = [];
  const scripts = new Set(targets.filter((path) => SCRIPT.test(path)));
  if (scripts.size > 0) {
    const pattern = specifierOf([...scripts], project);
    const files = SCRIPTS.map((ending) => `*.${ending}`);
    searches.push({ targets: scripts, pattern, files, specifiers: new RegExp(pattern, "g") });
  }
  const modules = new Set(targets.filter((path) => PYTHON.test(path)));
  if (modules.size > 0) searches.push({ targets: modules, pattern: imported([...modules]), files: ["*.py"] });
  return searches;
}

/** What scripts are imported as: a path that ends with a name, from the folder that an index is of, or a package. */
function specifierOf(targets: readonly string[], { paths, text }: Pick<Project, "paths" | "text">): string {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const path of targets) {
    const stem = posix.basename(path).replace(SCRIPT, "");
    names.add(escaped(stem));
    if (stem === "index") {
      names.add(escaped(posix.basename(posix.dirname(path))));
      others.add(ABOVE);
    }
    for (const directory of outward(posix.dirname(path))) {
      const manifest = posix.join(directory, "package.json");
      if (!paths.has(manifest)) continue;
      // Other packages know a file by the name of its own if its manifest leads there.
      const content = text(manifest) ?? "";
      const name = content.includes(stem) ? NAME.exec(content)?.[1] : undefined;
      if (name !== undefined) others.add(`${escaped(name)}(/[^"']*)?`);
      break;
    }
  }
  const named = `([^"']*/)?(${[...names].join("|")})(\\.[a-z]+)?/?`;
  return `["'](${[named, ...others].join("|")})(\\?[^"']*)?["']`;
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
