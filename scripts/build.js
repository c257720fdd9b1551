/**
 * Bundles `src/` into `dist/`: split ESM, so that a command loads only what it runs. Runs on a bare
 * Node with esbuild (`prepare` calls it), in about a second; files of an earlier build that this one
 * no longer makes are deleted at the end, so that a running server keeps what it has yet to load.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");

/** Copied as they are: [from, to], relative to the root and to `dist/`. */
const ASSETS = ["swagger-ui.css", "swagger-ui-bundle.js"].map((file) => [
  `node_modules/swagger-ui-dist/${file}`,
  `docs/${file}`,
]);

const entryPoints = {
  cli: "src/cli/program.ts",
  index: "src/index.ts",
  ...Object.fromEntries(workers().map((file) => [basename(file, ".ts"), file])),
};

const [{ metafile }] = await Promise.all([bundle(), declareTypes()]).catch((error) => {
  // esbuild has said where.
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
for (const [from, to] of ASSETS) cpSync(join(root, from), join(dist, to), { recursive: true });
removeAllBut([
  ...Object.keys(metafile.outputs).map((file) => relative(dist, join(root, file))),
  ...ASSETS.map(([, to]) => to),
  "types",
]);

function bundle() {
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entryPoints).filter(([, file]) => existsSync(join(root, file))),
    ),
    outdir: dist,
    // Flat: a worker is found beside whichever chunk starts it.
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: "warning",
    // The second keeps Ink from calling React's development tools, which are not installed.
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    // Native, found by path at run time, or never called.
    external: ["keytar", "@napi-rs/keyring", "pg-native", "open", "react-devtools-core"],
    // CommonJS packages call require() for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
}

/** A worker thread's file is an entry of its own: every `*-worker.ts`. */
function workers() {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("-worker.ts"))
    .map((file) => join("src", file));
}

/** Declarations for `import … from "toolplane"`. Type errors are the business of `npm run check`. */
async function declareTypes() {
  if (!existsSync(join(root, "src/index.ts"))) return;
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", join(root, "scripts/types.json")]).catch(
    (error) => {
      if (!existsSync(join(dist, "types/index.d.ts"))) throw error;
    },
  );
}

function removeAllBut(kept) {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (kept.some((path) => file === path || isWithin(file, path) || isWithin(path, file))) continue;
    rmSync(join(dist, file), { recursive: true, force: true });
  }
}

function isWithin(path, folder) {
  return !relative(folder, path).startsWith("..") && dirname(path) !== path;
}
