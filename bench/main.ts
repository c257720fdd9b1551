import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** `npm run bench -- <name>`: runs what `bench/<name>.ts` or `bench/tools/<name>.ts` measures. */
const files = new Map(
  [".", "tools"]
    .flatMap((folder) => readdirSync(join(import.meta.dirname, folder)).map((file) => join(folder, file)))
    .filter((file) => file.endsWith(".ts") && file !== "main.ts")
    .map((file) => [basename(file, ".ts"), join(import.meta.dirname, file)]),
);
const file = files.get(process.argv[2] ?? "");
if (!file) {
  console.error(`usage: npm run bench -- <${[...files.keys()].join("|")}>`);
  process.exit(2);
}
// As in the built package: React's development build takes twice as long to render a page.
process.env.NODE_ENV ??= "production";
const { run } = (await import(file)) as { run: () => Promise<void> };
await run();
// Connections that are kept alive would keep the process. Its exit code is what the bench has set.
process.exit();
