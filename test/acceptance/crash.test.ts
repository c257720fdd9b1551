import { Client } from "undici";
import { describe, expect, it } from "vitest";
import { OWNER_KEY } from "../support/app.ts";
import { type ServeProcess, startServe } from "../support/serve.ts";
import { temporaryDirectory } from "../support/store.ts";

const KILLS = Number(process.env.KILLS ?? 5);
const CALLERS = 200;
const headers = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };

describe("a server that is killed", () => {
  it("starts again with at least every acknowledged use and at most every sent one", async () => {
    const directory = temporaryDirectory();
    let server = await startServe(["--data", directory, "--plan", "enterprise"]);
    await raiseLimits(server);
    let sent = 0;
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const load = trackUntilGone(server.url, {
        sent: () => sent++,
        acknowledged: () => acknowledged++,
      });
      // A prime stride, so that every round kills at another instant.
      await new Promise((resolve) => setTimeout(resolve, 60 + ((kill * 197) % 500)));
      // A busy machine may have got no answer until here. The last round has one, so that something is asserted.
      if (kill === KILLS - 1) await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(0);
      await server.end("SIGKILL");
      await load;
      server = await startServe(["--data", directory]);
      const counted = await total(server);
      expect(counted).toBeGreaterThanOrEqual(acknowledged);
      expect(counted).toBeLessThanOrEqual(sent);
      // Uses that were stored but not acknowledged are known now.
      acknowledged = counted;
      sent = counted;
    }
    expect(acknowledged).toBeGreaterThan(0);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  it("makes a second server on the same directory fail with the pid of the first", async () => {
    const directory = temporaryDirectory();
    const first = await startServe(["--data", directory]);
    await expect(startServe(["--data", directory])).rejects.toThrow(String(first.child.pid));
  });
});

async function trackUntilGone(url: string, note: { sent(): void; acknowledged(): void }): Promise<void> {
  const callers = Array.from({ length: CALLERS }, async () => {
    const client = new Client(url);
    try {
      for (;;) {
        note.sent();
        const { statusCode, body } = await client.request({
          method: "POST",
          path: "/api/v1/track",
          headers,
          body: '{"type":"api_calls"}',
        });
        await body.text();
        if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
        note.acknowledged();
      }
    } catch {
      // The server is gone, as intended.
    } finally {
      await client.destroy();
    }
  });
  await Promise.all(callers);
}

async function raiseLimits({ url }: ServeProcess): Promise<void> {
  const { account } = (await (await fetch(`${url}/api/v1/account`, { headers })).json()) as {
    account: { id: string };
  };
  const most = 1e9;
  const limits = {
    requestsPerMinute: most,
    requestsPerHour: most,
    requestsPerDay: most,
    burst: most,
    endpoints: { "usage.track": most },
  };
  const body = JSON.stringify({ limits });
  const { status } = await fetch(`${url}/api/v1/accounts/${account.id}`, { method: "PATCH", headers, body });
  expect(status).toBe(200);
}

async function total({ url }: ServeProcess): Promise<number> {
  const usage = (await (await fetch(`${url}/api/v1/usage`, { headers })).json()) as {
    totals: { api_calls: number };
  };
  return usage.totals.api_calls;
}
