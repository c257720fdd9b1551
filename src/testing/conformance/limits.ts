import fc from "fast-check";
import { expect, it } from "vitest";
import type { LimitWindow, Store } from "../../store/store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../system/durations.ts";
import { type OpenMedium, opened } from "./medium.ts";

const fixed = (capacity: number, key = "hour"): LimitWindow => ({
  key,
  capacity,
  kind: "fixed",
  windowMs: HOUR_MS,
});
/** Holds 20 tokens, refilled at 10 a minute. */
const bucket: LimitWindow = { key: "burst", capacity: 20, kind: "bucket", windowMs: MINUTE_MS, refill: 10 };

/** @param times multiplies the runs of property tests */
export function limitsConformance(medium: OpenMedium, times: number): void {
  it("admits the capacity of a fixed window, and no more until the next", async () => {
    const { store, clock } = await opened(medium);
    clock.advance(10 * MINUTE_MS);
    const end = Math.floor(clock.now() / HOUR_MS) * HOUR_MS + HOUR_MS;
    for (const left of [2, 1, 0]) {
      expect(await store.admit([fixed(3)])).toEqual({
        admitted: true,
        windows: [{ remaining: left, resetAt: end, nextAt: left > 0 ? clock.now() : end }],
      });
    }
    clock.advance(end - clock.now() - 1);
    expect(await store.admit([fixed(3)])).toEqual({
      admitted: false,
      windows: [{ remaining: 0, resetAt: end, nextAt: end }],
    });
    clock.advance(1);
    expect(await store.admit([fixed(3)])).toMatchObject({ admitted: true, windows: [{ remaining: 2 }] });
  });

  it("lets a bucket burst, then refills the bucket evenly up to its capacity", async () => {
    const { store, clock } = await opened(medium);
    expect(await admitted(store, bucket, 25)).toBe(20);
    const { windows } = await store.admit([bucket]);
    expect(windows[0]).toEqual({
      remaining: 0,
      resetAt: clock.now() + 2 * MINUTE_MS,
      nextAt: clock.now() + 6000,
    });
    clock.advance(5999);
    expect(await admitted(store, bucket, 5)).toBe(0);
    clock.advance(1);
    expect(await admitted(store, bucket, 5)).toBe(1);
    clock.advance(30_000);
    expect(await admitted(store, bucket, 9)).toBe(5);
    clock.advance(HOUR_MS);
    expect(await admitted(store, bucket, 99)).toBe(20);
  });

  it("takes from every window, or from none if one is short", async () => {
    const { store } = await opened(medium);
    expect((await store.admit([fixed(5), fixed(1, "small"), bucket])).admitted).toBe(true);
    const refused = await store.admit([fixed(5), fixed(1, "small"), bucket]);
    expect(refused.admitted).toBe(false);
    expect(refused.windows.map(({ remaining }) => remaining)).toEqual([4, 0, 19]);
    expect(await admitted(store, fixed(5), 9)).toBe(4);
    expect(await admitted(store, bucket, 30)).toBe(19);
  });

  it("takes the given cost, which may be several or zero", async () => {
    const { store } = await opened(medium);
    const ask = (cost: number) => store.admit([{ ...fixed(5), cost }]);
    expect(await ask(0)).toMatchObject({ admitted: true, windows: [{ remaining: 5 }] });
    expect(await ask(4)).toMatchObject({ admitted: true, windows: [{ remaining: 1 }] });
    expect(await ask(2)).toMatchObject({ admitted: false, windows: [{ remaining: 1 }] });
    expect(await ask(0)).toMatchObject({ admitted: true, windows: [{ remaining: 1 }] });
    expect(await ask(1)).toMatchObject({ admitted: true, windows: [{ remaining: 0 }] });
    expect(await ask(0)).toMatchObject({ admitted: false, windows: [{ remaining: 0 }] });
  });

  it("keeps keys apart", async () => {
    const { store } = await opened(medium);
    expect(await admitted(store, fixed(2, "account/a/hour"), 3)).toBe(2);
    expect(await admitted(store, fixed(2, "account/b/hour"), 3)).toBe(2);
  });

  it("follows a capacity that changes", async () => {
    const { store } = await opened(medium);
    expect(await admitted(store, fixed(2), 5)).toBe(2);
    expect(await admitted(store, fixed(5), 5)).toBe(3);
    expect(await admitted(store, fixed(1), 5)).toBe(0);
    expect(await admitted(store, { ...bucket, capacity: 3, refill: 3 }, 5)).toBe(3);
  });

  it("admits exactly the capacity to concurrent requests", async () => {
    const { store } = await opened(medium);
    const verdicts = await Promise.all(
      Array.from({ length: 200 }, () => store.admit([fixed(37), { ...bucket, capacity: 1000 }])),
    );
    expect(verdicts.filter((verdict) => verdict.admitted)).toHaveLength(37);
    expect((await store.admit([{ ...bucket, capacity: 1000, cost: 0 }])).windows[0]?.remaining).toBe(963);
  });

  it("keeps the remaining capacity over a restart", async () => {
    const { store, reopen } = await opened(medium);
    expect(await admitted(store, fixed(5), 3)).toBe(3);
    expect(await admitted(store, bucket, 18)).toBe(18);
    const again = await reopen();
    expect(await admitted(again, fixed(5), 9)).toBe(2);
    expect(await admitted(again, bucket, 9)).toBe(2);
  });

  it("neither forgets requests nor locks callers out when the clock jumps ahead and back", async () => {
    const { store, clock } = await opened(medium);
    const year = 365 * DAY_MS;
    expect(await admitted(store, fixed(5), 4)).toBe(4);
    expect(await admitted(store, bucket, 99)).toBe(20);
    clock.jump(year);
    expect(await admitted(store, fixed(5), 2)).toBe(2);
    clock.jump(-year);
    expect(await admitted(store, fixed(5), 9)).toBe(1);
    clock.advance(HOUR_MS);
    expect(await admitted(store, fixed(5), 9)).toBe(5);
    expect(await admitted(store, bucket, 99)).toBe(20);
  });

  it("recovers from a clock that was a year ahead before a restart", async () => {
    const { store, clock, reopen } = await opened(medium);
    clock.jump(365 * DAY_MS);
    await admitted(store, fixed(5), 5);
    await admitted(store, bucket, 20);
    clock.jump(-365 * DAY_MS);
    const again = await reopen();
    expect(await admitted(again, fixed(5), 9)).toBe(5);
    clock.advance(MINUTE_MS);
    expect(await admitted(again, bucket, 99)).toBe(10);
  });

  it("admits at most one more window per restart after a clock jump, and locks no caller out", async () => {
    const jump = fc.oneof(
      fc.constantFrom(-DAY_MS, DAY_MS, -HOUR_MS, HOUR_MS),
      fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { minLength: 1, maxLength: 4 }), async (jumps) => {
        const { store, clock, reopen } = await opened(medium);
        let present: Store = store;
        let fromHour = await admitted(present, fixed(5), 9);
        expect([fromHour, await admitted(present, bucket, 30)]).toEqual([5, 20]);
        for (const ms of jumps) {
          clock.jump(ms);
          present = await reopen();
          const fresh = await admitted(present, fixed(5), 9);
          expect(fresh).toBeLessThanOrEqual(5);
          fromHour += fresh;
          // Time that passes while the store is closed, really or apparently, fills a bucket only once.
          expect(await admitted(present, bucket, 30)).toBeLessThanOrEqual(ms > 0 ? 20 : 0);
          const { windows } = await present.admit([fixed(5), bucket]);
          expect(windows[0]?.nextAt).toBeLessThanOrEqual(clock.now() + HOUR_MS);
          expect(windows[1]?.nextAt).toBeLessThanOrEqual(clock.now() + 6000);
        }
        expect(fromHour).toBeLessThanOrEqual(5 * (1 + jumps.length));
        clock.advance(2 * MINUTE_MS);
        expect(await admitted(present, bucket, 30)).toBeGreaterThanOrEqual(10);
      }),
      { numRuns: 12 },
    );
  });

  it("never admits more than the windows allow in any sequence of requests", async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 8 }) }) },
      { weight: 2, arbitrary: fc.record({ wait: fc.integer({ min: 0, max: 20_000 }) }) },
    );
    const hour = (capacity: number) => ({ ...fixed(capacity), windowMs: 10_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { store, clock } = await opened(medium);
        const begin = clock.now();
        const inWindow = new Map<number, number>();
        let total = 0;
        for (const what of steps) {
          if ("wait" in what) clock.advance(what.wait);
          else {
            const verdicts = await Promise.all(
              Array.from({ length: what.ask }, () => store.admit([hour(7), bucket])),
            );
            const count = verdicts.filter((verdict) => verdict.admitted).length;
            const window = Math.floor(clock.now() / 10_000);
            inWindow.set(window, (inWindow.get(window) ?? 0) + count);
            total += count;
            const mayStill = 20 + ((clock.now() - begin) / MINUTE_MS) * 10 - total;
            expect(inWindow.get(window)).toBeLessThanOrEqual(7);
            expect(mayStill).toBeGreaterThan(-1e-6);
          }
        }
      }),
      { numRuns: 15 * times },
    );
  });
}

/** Returns how many of `attempts` sequential requests are admitted. */
async function admitted(store: Store, window: LimitWindow, attempts: number): Promise<number> {
  let count = 0;
  for (let attempt = 0; attempt < attempts; attempt++) if ((await store.admit([window])).admitted) count++;
  return count;
}
