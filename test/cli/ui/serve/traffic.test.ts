import { describe, expect, it } from "vitest";
import { createTraffic, type Served } from "../../../../src/cli/ui/serve/traffic.ts";

const NOON = Date.UTC(2026, 0, 15, 12);

function served(more: Partial<Served> = {}): Served {
  return { at: NOON, method: "GET", path: "/health", status: 200, ms: 2, requestId: "req_1", ...more };
}

describe("createTraffic()", () => {
  it("returns each line once, and only the newest twenty of many", () => {
    const traffic = createTraffic();
    for (let index = 0; index < 50; index++) traffic.observe(served({ path: `/${index}` }));
    const { lines, skipped } = traffic.drain();
    expect(lines.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, index) => `/${index + 30}`));
    expect(skipped).toBe(30);
    expect(traffic.drain()).toEqual({ lines: [], skipped: 0 });
  });

  it("counts requests per second over the last ten seconds, listed or not", () => {
    const traffic = createTraffic();
    for (let index = 0; index < 100; index++) traffic.observe(served({ at: NOON + index * 100 }), false);
    expect(traffic.drain().lines).toEqual([]);
    expect(traffic.rate(NOON + 9_999).perSecond).toBe(10);
    expect(traffic.rate(NOON + 60_000)).toEqual({ perSecond: 0, p99Ms: 0 });
  });

  it("computes the 99th percentile of durations", () => {
    const traffic = createTraffic();
    for (let ms = 1; ms <= 1000; ms++) traffic.observe(served({ ms }), false);
    expect(traffic.rate(NOON + 1).p99Ms).toBe(991);
  });

  it("remembers a bounded number of requests", () => {
    const traffic = createTraffic();
    for (let index = 0; index < 20_000; index++)
      traffic.observe(served({ ms: index < 15_000 ? 500 : 1 }), false);
    expect(traffic.rate(NOON + 1).p99Ms).toBe(1);
  });
});
