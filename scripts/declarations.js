import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** What whoever imports the package has beside it. */
const IMPORTED = /^(node:|zod$|vitest$)/;

/**
 * Declarations of each entry, rolled into one text: [name, contents]. Type errors are the business of
 * `npm run check`.
 *
 * @param entries by name, the sources relative to `src/`.
 */
export async function declarations(root, entries) {
  // Within the package, where the declarations find what they import.
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
