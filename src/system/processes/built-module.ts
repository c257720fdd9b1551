import { basename, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageRoot } from "../package.ts";

/** Whether processes of our own run from the bundle: the tests build it once, and its files start in a fifth of the time. */
export const runsBuilt = !import.meta.url.endsWith(".ts") || process.env.TOOLPLANE_BUILT_WORKERS === "1";

/**
 * Where a module that another process is to import lies. Our own are named by their source, and where that
 * process runs from the bundle they are entries of it, side by side; any other is where its URL says.
 */
export function builtModule(url: URL): string {
  if (!runsBuilt || url.protocol !== "file:") return url.href;
  const file = fileURLToPath(url);
  const isOurs = ["src", "dist"].some((folder) => file.startsWith(join(packageRoot, folder) + sep));
  if (!isOurs) return url.href;
  return pathToFileURL(join(packageRoot, "dist", `${basename(file, ".ts")}.js`)).href;
}
