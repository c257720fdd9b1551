import { main } from "../src/cli/program.ts";

/** `npm run dev`: `tool serve` from the sources, with the flags that follow, restarted when a file changes. */
const flags = process.argv.slice(2);
process.argv.splice(2, flags.length, "serve", "--data", ".tool/dev", "--log-level", "debug", ...flags);
await main();
