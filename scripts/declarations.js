import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** Modules that importers of the package have installed. */
const IMPORTED = /^(node:|zod$|vitest$)/;

/**
 * Returns [name, contents] of each entry's declarations, rolled into one file. Type errors are ignored here;
 * `npm run check` reports them.
 *
 * @param entries the sources, relative to `src/`, by name.
 */
export async function declarations(root, entries) {
  // Inside the package, so that the declarations' imports resolve.
  const directory = mkdtempSync(join(root, "dist", ".declarations-"));
  try {
    const compiler = join(root, "node_modules/@typescript/native/bin/tsc");
    await promisify(execFile)(process.execPath, [
      compiler,
      ...["-p", join(root, "scripts/types.json"), "--outDir", directory],
    ]).catch(() => {});
    const rolled = [];
    for (const [name, source] of Object.entries(entries)) {
      rolled.push([`${name}.d.ts`, await roll(join(directory, source.replace(/\.ts$/, ".d.ts")))]);
    }
    return rolled;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function roll(input) {
  const bundle = await rollup({
    input,
    external: (id) => IMPORTED.test(id),
    plugins: [dts()],
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  const { output } = await bundle.generate({ format: "es" });
  await bundle.close();
  return output[0].code;
}
