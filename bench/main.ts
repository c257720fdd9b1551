import { readdirSync } from "node:fs";
import { join } from "node:path";

/** `npm run bench -- <name>`: runs what `bench/<name>.ts` measures. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "main.ts")
  .map((file) => file.slice(0, -3))
  .sort();
const name = process.argv[2];
if (!name || !names.includes(name)) {
  console.error(`usage: npm run bench -- <${names.join("|")}>`);
  process.exit(2);
}
const { run } = (await import(join(import.meta.dirname, `${name}.ts`))) as { run: () => Promise<void> };
await run();
process.exit(0);
