import { join, sep } from "node:path";
import { build } from "esbuild";
import { packageRoot } from "../../src/system/package.ts";

/**
 * Bundles a module of the package as the build does, and loads it. `changed` replaces JSON files, by their paths
 * below the package's root.
 */
export async function builtWith<Module>(
  entry: string,
  changed: ReadonlyMap<string, unknown>,
): Promise<Module> {
  const { outputFiles } = await build({
    absWorkingDir: packageRoot,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [
      {
        name: "changed-data",
        setup({ onLoad }) {
          onLoad({ filter: /\.json$/ }, ({ path }) => {
            const name = path.slice(join(packageRoot, sep).length).split(sep).join("/");
            return changed.has(name)
              ? { contents: JSON.stringify(changed.get(name)), loader: "json" }
              : undefined;
          });
        },
      },
    ],
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(contents).toString("base64")}`);
}
