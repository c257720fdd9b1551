import { describe, expect, it } from "vitest";
import { overHttp, overHttpV2 } from "../mcp/support/sessions.ts";
import { startApp, type TestApp } from "../support/app.ts";

/** Tasks that never fill three workers evenly, so that the search uses all of its time. */
const LONG = {
  workers: 3,
  timeBudgetMs: 20_000,
  tasks: Array.from({ length: 61 }, (_, index) => ({
    id: `t${index}`,
    durationMs: 1000 + ((index * 37) % 11),
  })),
};

function running(app: TestApp): number {
  return app.app.services.workers.state().running;
}

describe.each([
  ["2025-11-25", overHttp],
  ["2026-07-28", overHttpV2],
] as const)("a long call over HTTP, as of %s", (_, open) => {
  it("sends progress before its answer", async () => {
    const app = await startApp();
    const { call } = await open(app);
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => heard.push(progress);
    const answer = await call("scheduler_plan", { ...LONG, timeBudgetMs: 2000 }, { onprogress });
    expect(answer.structuredContent).toHaveProperty("makespanMs");
    expect(heard[0]).toBe(0.4);
  });

  it("stops computing when its client goes away", async () => {
    const app = await startApp();
    const { call, close } = await open(app);
    const calling = call("scheduler_plan", LONG, { onprogress: () => {} });
    calling.catch(() => {});
    await expect.poll(() => running(app)).toBe(1);
    await close();
    await expect.poll(() => running(app)).toBe(0);
  });
});

it("a call of 2026-07-28 stops computing when its client aborts it, with or without a progress stream", async () => {
  const app = await startApp();
  const { call } = await overHttpV2(app);
  for (const onprogress of [undefined, () => {}]) {
    const closing = new AbortController();
    const calling = call("scheduler_plan", LONG, {
      signal: closing.signal,
      ...(onprogress && { onprogress }),
    });
    calling.catch(() => {});
    await expect.poll(() => running(app)).toBe(1);
    closing.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => running(app)).toBe(0);
  }
});
