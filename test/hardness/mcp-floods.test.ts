import { expect, it } from "vitest";
import { LIST, post, startBefore, startUpstream, tools } from "../support/services/upstream.ts";

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
