import { expect, it, vi } from "vitest";
import { accountOn } from "../support/accounts/account.ts";
import { startServe } from "../support/serve.ts";
import { calling, LIST, post, startBefore, startUpstream, tools } from "../support/services/upstream.ts";
import { temporaryDirectory } from "../support/store.ts";

const MOST = 4;

it("a free key opens at most its concurrency of upstream streams, and calls still go through", async () => {
  const answer = tools([{ name: "echo" }]);
  const upstream = await startUpstream((received, res, req) => {
    if (received.method !== "GET") return answer(received, res, req);
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write(":\n\n");
  });
  const app = await startBefore(upstream.url, { concurrency: MOST });
  const { token } = await app.account("free");
  const over = new AbortController();
  const open = () =>
    fetch(`${app.url}/mcp/up`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" },
      signal: over.signal,
    });
  const statuses = (await Promise.all(Array.from({ length: 3 * MOST }, open))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MOST);
  expect(statuses.filter((status) => status === 503)).toHaveLength(2 * MOST);
  expect(upstream.received.filter(({ method }) => method === "GET")).toHaveLength(MOST);
  // Streams do not take the places of calls, neither the account's own nor those of others.
  expect((await post(app, LIST, { key: token })).status).toBe(200);
  expect((await post(app, LIST)).status).toBe(200);
  over.abort();
  await expect
    .poll(async () => {
      const again = await fetch(`${app.url}/mcp/up`, {
        headers: { Authorization: `Bearer ${token}`, Accept: "text/event-stream" },
      });
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
});

it("a free key does not fill the heap with long messages whose upstream is silent, and others' still go through", async () => {
  const upstream = await startUpstream(() => {});
  const directory = temporaryDirectory();
  // What Node.js gives itself on a machine of half a GiB.
  const heap = { NODE_OPTIONS: "--max-old-space-size=256" };
  const server = await startServe(["--data", directory, "--mcp", `up=${upstream.url}`], heap);
  const over = new AbortController();
  const call = async (key: string, text: string) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
    };
    const body = JSON.stringify(calling("echo", { text }));
    const { signal } = over;
    const { status } = await fetch(`${server.url}/mcp/up`, { method: "POST", headers, body, signal });
    return status;
  };
  const [free, other] = [await accountOn(server.url, "free"), await accountOn(server.url, "team")];
  // One character of these has every other take two bytes.
  const long = `\u20ac${"x".repeat(4_000_000)}`;
  const statuses: number[] = [];
  for (let count = 0; count < 30; count++) {
    const answered = call(free.key, long).then(
      (status) => void statuses.push(status),
      () => {},
    );
    await Promise.race([
      answered,
      vi.waitUntil(() => upstream.received.length === count + 1, 10_000).catch(() => {}),
    ]);
  }
  expect(statuses.length).toBeGreaterThan(20);
  expect(new Set(statuses)).toEqual(new Set([503]));
  const before = upstream.received.length;
  void call(other.key, long).catch(() => {});
  await expect.poll(() => upstream.received.length, { timeout: 10_000 }).toBe(before + 1);
  over.abort();
  await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200);
});
