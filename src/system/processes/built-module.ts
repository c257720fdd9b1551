import { basename, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageRoot } from "../package.ts";

/**
 * Whether worker processes run from the bundle. Tests build it once, because its files start in a fifth of the time.
 */
export const runsBuilt = !import.meta.url.endsWith(".ts") || process.env.TOOLPLANE_BUILT_WORKERS === "1";

/** Whether worker processes can import TypeScript: as the sources' do, or by Node itself. */
export function loadsTypeScript(): boolean {
  return !runsBuilt || Boolean((process.features as { typescript?: string | false }).typescript);
}

/**
 * Returns the URL of a module for another process to import. The project's own modules are named by their source
 * file; if that process runs from the bundle, they map to its entries. Other URLs are returned unchanged.
 */
export function builtModule(url: URL): string {
  if (!runsBuilt || url.protocol !== "file:") return url.href;
  const file = fileURLToPath(url);
  const isOurs = ["src", "dist"].some((folder) => file.startsWith(join(packageRoot, folder) + sep));
  if (!isOurs) return url.href;
  return pathToFileURL(join(packageRoot, "dist", `${basename(file, ".ts")}.js`)).href;
}
