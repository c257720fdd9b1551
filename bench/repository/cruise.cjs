// Writes the edges that dependency-cruiser, installed beside this file, finds: node cruise.cjs DIRECTORY OUTPUT
const { execFileSync } = require("node:child_process");
const { existsSync, writeFileSync } = require("node:fs");

const [, , directory, output] = process.argv;
process.chdir(directory);

async function run() {
  const { cruise } = await import("dependency-cruiser");
  const { default: extractTSConfig } = await import("dependency-cruiser/config-utl/extract-ts-config");
  const listed = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8", maxBuffer: 1 << 28 }).split(
    "\0",
  );
  const files = listed.filter((file) => /\.(?:[cm]?[jt]s|[jt]sx)$/.test(file));
  const fileName = "tsconfig.json";
  const tsConfig = existsSync(fileName) ? extractTSConfig(fileName) : undefined;
  const { output: found } = await cruise(
    files,
    {
      tsPreCompilationDeps: true,
      ...(tsConfig && { tsConfig: { fileName } }),
      doNotFollow: { path: "node_modules" },
      enhancedResolveOptions: {
        exportsFields: ["exports"],
        conditionNames: ["import", "require", "node", "default", "types"],
        extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".json", ".vue"],
      },
    },
    {},
    tsConfig && { tsConfig },
  );
  const isFile = ({ couldNotResolve, coreModule, resolved }) =>
    !couldNotResolve && !coreModule && !/(?:^|\/)node_modules\//.test(resolved);
  const edges = found.modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(isFile).map(({ resolved }) => `${source}\t${resolved}`),
  );
  writeFileSync(output, [...new Set(edges)].join("\n"));
}

run();
