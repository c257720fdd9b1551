import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder with this package's package.json, both from the sources and from the bundle. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

export const packageVersion: string = ownManifest().version;

function ownManifest(): { version: string } {
  const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  if (manifest.name === "toolplane") return manifest;
  // Otherwise a file would be missing, at the first request that needs it.
  throw new Error(
    `toolplane was bundled into ${manifest.name ?? "another program"}, without the files that it starts and reads beside it. Leave it out of the bundle: esbuild --external:toolplane, "externals" of webpack, "serverExternalPackages" of Next.js.`,
  );
}

function findRoot(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("package.json is missing: this installation is not whole");
  return findRoot(parent);
}
