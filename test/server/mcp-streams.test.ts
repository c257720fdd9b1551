import { describe, expect, it } from "vitest";
import { overHttp, overHttpV2 } from "../mcp/support/sessions.ts";
import { startApp, type TestApp } from "../support/app.ts";

/** Enough tasks to search among for as long as there is time. */
const LONG = {
  workers: 3,
  timeBudgetMs: 20_000,
  tasks: Array.from({ length: 60 }, (_, index) => ({
    id: `t${index}`,
    durationMs: 100 + ((index * 37) % 91),
    dependsOn: index < 6 ? [] : [`t${(index * 7) % (index - 3)}`],
  })),
};

function running(app: TestApp): number {
  return app.app.services.workers.state().running;
}

describe.each([
  ["2025-11-25", overHttp],
  ["2026-07-28", overHttpV2],
] as const)("a long call over HTTP, as of %s", (revision, open) => {
  it("tells who asks for it how it goes on, before its answer", async () => {
    const app = await startApp();
    const { call } = await open(app);
    const heard: number[] = [];
    const given = { ...LONG, timeBudgetMs: 3500 };
    const onprogress = ({ progress }: { progress: number }) => heard.push(progress);
    const answer = await call("scheduler_plan", given, { onprogress });
    expect(answer.structuredContent).toHaveProperty("makespanMs");
    expect(heard.slice(0, 2)).toEqual([0.4, 2.4]);
  });

  it.runIf(revision === "2026-07-28")("stops computing when its client closes the stream", async () => {
    const app = await startApp();
    const { call } = await open(app);
    for (const onprogress of [undefined, () => {}]) {
      const closing = new AbortController();
      const calling = call("scheduler_plan", LONG, {
        signal: closing.signal,
        ...(onprogress && { onprogress }),
      });
      calling.catch(() => {});
      await expect.poll(() => running(app), { timeout: 10_000 }).toBe(1);
      closing.abort();
      await expect(calling).rejects.toThrow();
      await expect.poll(() => running(app), { timeout: 10_000 }).toBe(0);
    }
  });

  it("stops computing when its client goes away", async () => {
    const app = await startApp();
    const { call, close } = await open(app);
    const calling = call("scheduler_plan", LONG, { onprogress: () => {} });
    calling.catch(() => {});
    await expect.poll(() => running(app), { timeout: 10_000 }).toBe(1);
    await close();
    await expect.poll(() => running(app), { timeout: 10_000 }).toBe(0);
  });
});
