import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnosis } from "./report.ts";

const PUT_ON_PATH = "python-own-module";
const OF_OTHERS = new Set(["python-add-module", "python-correct-submodule"]);
const MISSING = /No module named '?(?<top>[A-Za-z_]\w*)(?<rest>(?:\.\w+)*)/;
/** The folders to search for modules, besides the folders directly below the project, as in a monorepo. */
const ROOTS = ["", "src", "lib", "python"];
const MAX_FOLDERS = 200;
const NOT_THE_PROJECT = /^(?:\.|node_modules$|venv$|env$|site-packages$|build$|dist$|__pycache__$)/;

/**
 * If the module that Python does not find is in the project, suggests that first, and removes the suggestion to
 * install a published package of the same name. Only this machine can check that.
 */
export function withOwnModule(diagnosis: Diagnosis, directory: string): Diagnosis {
  const { cause, suggestions } = diagnosis;
  const missing = /^python-(?:sub)?module$/.test(cause?.rule ?? "")
    ? MISSING.exec(cause?.message ?? "")?.groups
    : undefined;
  const found = missing?.top && findModule(directory, missing.top);
  const own = suggestions.find(({ id }) => id === PUT_ON_PATH);
  if (!missing || !found || !own) return diagnosis;
  const name = `${missing.top}${missing.rest}`;
  const title = missing.rest
    ? `Correct the import of ${name} or add it: ${missing.top} is the project's own, in ${found}`
    : `Put ${rootOf(found)} on the path: ${name} is the project's own, in ${found}. pythonpath in pyproject.toml, or an editable install`;
  const others = suggestions.filter(({ id }) => id !== PUT_ON_PATH && !OF_OTHERS.has(id));
  return { ...diagnosis, suggestions: [{ ...own, title }, ...others] };
}

/** Returns the file or package of a module, as a path relative to the folder. */
function findModule(directory: string, name: string): string | undefined {
  const below = foldersIn(directory);
  for (const root of [...ROOTS, ...below, ...below.map((folder) => `${folder}/src`)]) {
    for (const path of [`${name}/__init__.py`, `${name}.py`]) {
      const own = root === "" ? path : `${root}/${path}`;
      if (isFile(join(directory, own))) return own;
    }
  }
  return undefined;
}

/** Returns the folder that has to be on Python's path. */
function rootOf(module: string): string {
  return dirname(module.replace(/\/__init__\.py$/, ""));
}

function foldersIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NOT_THE_PROJECT.test(entry.name))
      .map(({ name }) => name)
      .slice(0, MAX_FOLDERS);
  } catch {
    return [];
  }
}

/** Whether the path is a file. Errors, such as a path below a file or missing permission, count as no. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
