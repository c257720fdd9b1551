import { Client } from "undici";
import { expect, it } from "vitest";
import { unlimitedPlans } from "../hardness/fuzz/unlimited-plans.ts";
import { OWNER_KEY } from "../support/app.ts";
import { type ServeProcess, startServe } from "../support/serve.ts";
import { calling, startUpstream } from "../support/services/upstream.ts";
import { temporaryDirectory } from "../support/store.ts";

const KILLS = 5;
const CALLS = Number(process.env.CALLS ?? 10_000);
const CALLERS = 64;
const headers = {
  authorization: `Bearer ${OWNER_KEY}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

it("a killed gateway has counted at least every answered call and at most every sent one", async () => {
  const upstream = await startUpstream();
  const directory = temporaryDirectory();
  const flags = [
    "--data",
    `${directory}/data`,
    "--plans",
    unlimitedPlans(directory),
    "--mcp",
    `up=${upstream.url}`,
  ];
  let server = await startServe(flags);
  let [sent, answered, nextId] = [0, 0, 0];
  for (let kill = 1; kill <= KILLS; kill++) {
    const until = (kill * CALLS) / KILLS;
    let end = (): void => {};
    const isTime = new Promise<void>((resolve) => {
      end = resolve;
    });
    const load = callUntilGone(server.url, {
      nextId: () => ++nextId,
      sent: () => ++sent,
      answered: () => ++answered >= until && end(),
    });
    await isTime;
    await server.end("SIGKILL");
    await load;
    server = await startServe(flags);
    const counted = await total(server);
    expect(counted).toBeGreaterThanOrEqual(answered);
    expect(counted).toBeLessThanOrEqual(sent);
    upstream.received.length = 0;
  }
  expect(answered).toBeGreaterThanOrEqual(CALLS);
});

interface Notes {
  nextId(): number;
  sent(): void;
  answered(): void;
}

async function callUntilGone(url: string, { nextId, sent, answered }: Notes): Promise<void> {
  const callers = Array.from({ length: CALLERS }, async () => {
    const client = new Client(url);
    try {
      for (;;) {
        const body = JSON.stringify(calling("echo", {}, nextId()));
        sent();
        const answer = await client.request({ method: "POST", path: "/mcp/up", headers, body });
        const text = await answer.body.text();
        if (answer.statusCode !== 200 || !text.endsWith("}}")) throw new Error(`answered ${text}`);
        answered();
      }
    } catch {
      // The server is gone, as intended.
    } finally {
      await client.destroy();
    }
  });
  await Promise.all(callers);
}

async function total({ url }: ServeProcess): Promise<number> {
  const usage = (await (await fetch(`${url}/api/v1/usage`, { headers })).json()) as {
    totals: { mcp_calls: number };
  };
  return usage.totals.mcp_calls;
}
