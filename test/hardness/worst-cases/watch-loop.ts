import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";

/** Returns the environment that makes a server report how long its event loop was blocked. See `watch-loop.mjs`. */
export async function watchedLoop() {
  const port = await freePort();
  return {
    env: {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "watch-loop.mjs")}`,
      WATCH_LOOP_PORT: String(port),
    },
    /** Returns the longest block of the loop since the last call, in milliseconds, and the resident bytes. */
    look: async () =>
      (await (await fetch(`http://127.0.0.1:${port}`)).json()) as { held: number; rss: number },
  };
}
