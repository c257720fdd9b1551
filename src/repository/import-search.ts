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
/** Globs of the files that may import scripts, and modules of Python. */
const [SCRIPT_FILES, PYTHON_FILES] = [SCRIPTS.map((ending) => `*.${ending}`), ["*.py"]];
const PYTHON = /\.py$/;
const PACKAGE = /(?:^|\/)__init__\.py$/;
/** `"."`, `"../.."`: a folder above, by which its index is imported. */
const ABOVE = "(\\.\\.?/)*\\.\\.?/?";
/** The name in a package.json. */
const NAME = /"name"\s{0,9}:\s{0,9}"([^"\n]{1,200})"/;

/** Where names for files are, and one that stands for a single file: `"@acme/db": ["libs/db/src/index.ts"]`. */
const MAPPINGS = ["tsconfig.json", "tsconfig.base.json", "jsconfig.json"];
const MAPPED = /"([^"*\n]{1,200})"\s{0,9}:\s{0,9}\[\s{0,99}"[^"*\n]{1,300}"/g;

/** What is known of a repository's files and imports. */
interface Known extends Pick<Project, "paths" | "text"> {
  /** Returns the file that a specifier means in a file. */
  meant(specifier: string, from: string): string | undefined;
}

/** Returns searches for what may import some files, one for each language. */
export function importSearches(targets: readonly string[], known: Known): ImportSearch[] {
  const searches: ImportSearch[] = [];
  const scripts = new Set(targets.filter((path) => SCRIPT.test(path)));
  if (scripts.size > 0) {
    const pattern = specifierOf([...scripts], known);
    searches.push({ targets: scripts, pattern, files: SCRIPT_FILES, specifiers: new RegExp(pattern, "g") });
  }
  const modules = new Set(targets.filter((path) => PYTHON.test(path)));
  if (modules.size > 0)
    searches.push({ targets: modules, pattern: imported([...modules]), files: PYTHON_FILES });
  return searches;
}

/** What scripts are imported as: a path that ends with a name, the folder that an index is of, or a package. */
function specifierOf(targets: readonly string[], known: Known): string {
  const names = new Set<string>();
  const others = new Set<string>();
  for (const path of targets) {
    const stem = posix.basename(path).replace(SCRIPT, "");
    names.add(escaped(stem));
    if (stem === "index") {
      names.add(escaped(posix.basename(posix.dirname(path))));
      others.add(ABOVE);
    }
    const name = packageNamed(path, known);
    for (const each of [...mappedNames(path, known), ...(name === undefined ? [] : [name])])
      others.add(escaped(each));
  }
  const named = `([^"']*/)?(${[...names].join("|")})(\\.[a-z]+)?/?`;
  return `["'](${[named, ...others].join("|")})(\\?[^"']*)?["']`;
}

/** Returns the name of the package whose entry a file is. */
function packageNamed(path: string, { paths, text, meant }: Known): string | undefined {
  for (const directory of outward(posix.dirname(path))) {
    const manifest = posix.join(directory, "package.json");
    if (!paths.has(manifest)) continue;
    const name = NAME.exec(text(manifest) ?? "")?.[1];
    return name !== undefined && meant(name, manifest) === path ? name : undefined;
  }
  return undefined;
}

/** Returns the names that the mappings above a file give to it. */
function mappedNames(path: string, { paths, text, meant }: Known): string[] {
  const directory = posix.dirname(path);
  const files = [...outward(directory)].flatMap((above) => MAPPINGS.map((name) => posix.join(above, name)));
  const names = files
    .filter((file) => paths.has(file))
    .flatMap((file) => Array.from((text(file) ?? "").matchAll(MAPPED), ([, name = ""]) => name));
  return [...new Set(names)].filter((name) => meant(name, posix.join(directory, "package.json")) === path);
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
