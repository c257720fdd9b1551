import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountOn } from "../support/accounts/account.ts";
import { asking } from "../support/ask.ts";
import { launchServe, type ServeProcess } from "../support/serve.ts";
import { unlimitedPlans } from "./fuzz/unlimited-plans.ts";
import { watchedLoop } from "./worst-cases/watch-loop.ts";
import type { Ask, WorstCase } from "./worst-cases/worst-case.ts";
import { armed, worstCases } from "./worst-cases/worst-cases.ts";

/**
 * Longest block of the event loop that passes. Bodies or indexes handled in the loop would block it for seconds to
 * minutes. `npm run bench -- worst-cases` measures.
 */
const MAX_HELD_MS = 2500;
/** Statuses that may refuse a legal request. Any other says that the case is none, and that its cost was not met. */
const REFUSALS = [403, 404, 409, 429, 503, 507];
const areas = [...new Set(worstCases.map((each) => each.area))];

// One server for all areas: each case has an account of its own, and no area expects a server without data.
const directory = mkdtempSync(join(tmpdir(), "toolplane-"));
let loop: Awaited<ReturnType<typeof watchedLoop>>;
let launched: ReturnType<typeof launchServe> | undefined;
let server: ServeProcess;
beforeAll(async () => {
  loop = await watchedLoop();
  launched = launchServe(
    ["--data", join(directory, "data"), "--plans", unlimitedPlans(directory), "--log-level", "error"],
    loop.env,
  );
  server = await launched.started;
});
afterAll(async () => {
  launched?.child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

it.each(areas)("the most expensive request of every endpoint blocks no other account: %s", async (area) => {
  const honest = asking(server.url, (await accountOn(server.url, "team")).key);
  const complaints: string[] = [];
  const hostiles = new Map<WorstCase["prepare"], Ask>();
  /** Returns the account of a case: a new one, since bounds are used up, unless cases share their preparation. */
  async function hostileFor({ prepare }: WorstCase): Promise<Ask> {
    const hostile = hostiles.get(prepare) ?? asking(server.url, (await accountOn(server.url, "free")).key);
    if (prepare) hostiles.set(prepare, hostile);
    return hostile;
  }
  for (const each of worstCases.filter((each) => each.area === area)) {
    const { name } = each.endpoint;
    const hostile = await hostileFor(each.worst);
    const fire = await armed(hostile, each);
    await loop.look();
    const answering = fire();
    const tracked = await honest("POST", "/api/v1/track", { body: { type: "api_calls" } });
    if (tracked.status !== 200) complaints.push(`${name}: the honest account got ${tracked.status}`);
    for (const { status, body } of await answering) {
      if (status >= 300 && !REFUSALS.includes(status))
        complaints.push(`${name}: ${status} ${JSON.stringify(body)}`);
    }
    const { held } = await loop.look();
    if (held > MAX_HELD_MS) complaints.push(`${name} held the loop for ${held.toFixed(0)} ms`);
  }
  expect(complaints).toEqual([]);
  expect(server.child.exitCode).toBeNull();
});
