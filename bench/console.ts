import { startCrowd } from "../test/support/accounts/crowd.ts";
import { consolePaths } from "../test/web/support/console-paths.ts";
import { visitor } from "../test/web/support/visitor.ts";
import { median } from "./data/times.ts";

const ASKED = 11;
const MOST_KB = 200;
const MOST_MS = 300;

/** Measures the console's pages, with 1,000 users, 10,000 keys, a year of usage and 100,000 audit entries. */
export async function run(): Promise<void> {
  const crowd = await startCrowd();
  try {
    const owner = visitor(crowd.url);
    const link = new URL(crowd.signInUrl);
    await owner.send(await owner.get(link.pathname + link.search), "/sign-in");
    for (const path of await consolePaths(owner)) {
      const times: number[] = [];
      let bytes = 0;
      let status = 0;
      for (let asked = 0; asked < ASKED; asked++) {
        const startedAt = performance.now();
        const page = await owner.get(path);
        times.push(performance.now() - startedAt);
        bytes = Buffer.byteLength(page.html);
        status = page.status;
      }
      const middle = median(times);
      const kilobytes = bytes / 1024;
      const over = middle > MOST_MS || kilobytes > MOST_KB || status !== 200 ? "  <-- over" : "";
      const figures = `${middle.toFixed(0).padStart(6)} ms ${kilobytes.toFixed(0).padStart(5)} KB`;
      console.log(`${figures}  ${status} ${path}${over}`);
    }
  } finally {
    await crowd.close();
  }
}
