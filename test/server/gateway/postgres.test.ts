import { describe, expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { calling, counted, LIST, post, startBefore, startUpstream } from "../../support/services/upstream.ts";

async function startTwo() {
  const upstream = await startUpstream();
  const databaseUrl = await createDatabase();
  const start = () => startBefore(upstream.url, { title: "The library" }, { databaseUrl });
  return { upstream, one: await start(), two: await start() };
}

describe("one upstream behind two servers on one PostgreSQL database", () => {
  it("counts calls of both together, and a retry on the other server once", async () => {
    const { one, two } = await startTwo();
    await post(one, LIST);
    await post(one, calling("echo", { text: "a" }, 1));
    await post(two, calling("echo", { text: "a" }, 1));
    expect([await counted(one), await counted(two)]).toEqual([1, 1]);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(index % 2 ? one : two, calling("echo", {}, index + 10))),
    );
    for (const app of [one, two]) {
      expect(await counted(app)).toBe(21);
      const { body } = await app.request("GET", "/api/v1/upstreams/up");
      expect(body.tools).toEqual([expect.objectContaining({ tool: "echo", calls: 22 })]);
    }
  });

  it("is paused only by the server on which it failed", async () => {
    const { upstream, one, two } = await startTwo();
    upstream.become((_, res) => res.destroy());
    for (let time = 0; time < 5; time++) await post(one, calling("echo", {}, time));
    const { length } = upstream.received;
    expect((await post(one, LIST)).status).toBe(503);
    expect(upstream.received).toHaveLength(length);
    expect((await post(two, LIST)).status).toBe(502);
    expect(upstream.received).toHaveLength(length + 1);
    expect([await counted(one), await counted(two)]).toEqual([0, 0]);
  });
});
