import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder with this package's package.json, both from the sources and from the bundle. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
).version;

function findRoot(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("package.json is missing: this installation is not whole");
  return findRoot(parent);
}
