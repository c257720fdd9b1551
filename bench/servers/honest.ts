import { setTimeout as sleep } from "node:timers/promises";
import { asking } from "../../test/support/ask.ts";

/** Requests that an honest account repeats. */
const REQUESTS: [name: string, method: string, path: string, body?: unknown][] = [
  ["/health", "GET", "/health"],
  ["/track", "POST", "/api/v1/track", { type: "api_calls" }],
  ["resolve", "GET", "/api/v1/entitlements/resolve"],
  [
    "review of a line",
    "POST",
    "/api/v1/tools/code-review",
    { diff: "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n" },
  ],
];
/** Keeps the account within 120 requests a minute: three of the four count. */
const PAUSE_MS = 1600;

/** Times in milliseconds by the request's name, and the answers that were not 200. */
export interface Seen {
  times: Record<string, number[]>;
  wrong: string[];
}

/**
 * Runs in a process of its own, so that the attackers' work in the parent does not add to its times.
 *
 *     honest.ts <url> <key> <minutes>
 */
const [url = "", key = "", minutes = ""] = process.argv.slice(2);
const ask = asking(url, key);
const seen: Seen = { times: Object.fromEntries(REQUESTS.map(([name]) => [name, []])), wrong: [] };
const endsAt = performance.now() + Number(minutes) * 60_000;
while (performance.now() < endsAt) {
  for (const [name, method, path, body] of REQUESTS) {
    const startedAt = performance.now();
    const { status } = await ask(method, path, { body });
    seen.times[name]?.push(performance.now() - startedAt);
    if (status !== 200) seen.wrong.push(`${name} ${status}`);
  }
  await sleep(PAUSE_MS);
}
process.send?.(seen);
process.disconnect();
