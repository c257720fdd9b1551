import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { fakeClock } from "../../support/clock.ts";
import {
  calling,
  counted,
  events,
  post,
  startBefore,
  startUpstream,
} from "../../support/services/upstream.ts";

/** Starts an upstream whose tool reports progress and never answers, before it a server, and a call with a key. */
async function callWithoutEnd(expiresAt?: string) {
  const clock = fakeClock();
  let closed: Promise<unknown> | undefined;
  let stream!: ServerResponse;
  const upstream = await startUpstream((_, res) => {
    stream = res;
    closed = once(res, "close");
    events(res, {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: 1, progress: 1 },
    });
  });
  const app = await startBefore(upstream.url, {}, { clock });
  const body = { name: "ci", scopes: ["read"], ...(expiresAt && { expiresAt }) };
  const { key, secret } = (await app.request("POST", "/api/v1/keys", { body })).body;
  const answer = post(app, calling("export"), { key: secret });
  await expect.poll(() => closed !== undefined).toBe(true);
  return { app, clock, key, answer, stream: () => stream, closed: () => closed };
}

it.each([
  ["revoked", "DELETE", undefined],
  ["suspended", "PATCH", { suspended: true }],
  ["bound to other tools", "PATCH", { tools: ["usage.track"] }],
])(
  "an answer that an upstream streams ends when its key is %s, and counts like one that was cancelled",
  async (...[, method, body]) => {
    const { app, clock, key, answer, closed } = await callWithoutEnd();
    await app.request(method, `/api/v1/keys/${key.id}`, { body });
    await clock.advance(5_000);
    expect((await answer).text).toContain("The credential of this request is no longer valid.");
    await closed();
    expect(await counted(app)).toBe(1);
  },
);

it("an answer that an upstream streams goes on when its key expires meanwhile", async () => {
  const { clock, answer, stream } = await callWithoutEnd(new Date(fakeClock().now() + 60_000).toISOString());
  await clock.advance(70_000);
  stream().end('data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}\n\n');
  expect((await answer).text).toContain("done");
});
