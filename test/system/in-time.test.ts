import { expect, it, vi } from "vitest";
import { awaited, inTime } from "../../src/system/in-time.ts";
import { fakeClock } from "../support/clock.ts";

const late = () => {
  throw new Error("too late");
};
const never = () => new Promise<never>(() => {});

it("inTime() settles like work that ends in time", async () => {
  const clock = fakeClock();
  expect(await inTime(Promise.resolve(1), { clock, ms: 1000, late })).toBe(1);
  const failing = inTime(Promise.reject(new Error("it failed")), { clock, ms: 1000, late });
  await expect(failing).rejects.toThrow("it failed");
});

it("inTime() settles like `late` after the time, and rejects with a signal's reason before", async () => {
  const clock = fakeClock();
  const given = inTime(never(), { clock, ms: 1000, late: () => "later" });
  clock.advance(1000);
  expect(await given).toBe("later");
  const waiting = inTime(never(), { clock, ms: 1000, late });
  clock.advance(1000);
  await expect(waiting).rejects.toThrow("too late");
  const controller = new AbortController();
  const stopped = inTime(never(), { clock, ms: 1000, late, signal: controller.signal });
  controller.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
});

it("awaited() tells whether work has settled, however it did, and adds to it once for any number of waits", async () => {
  const clock = fakeClock();
  let reject: (error: Error) => void = () => {};
  const work = new Promise<never>((_, no) => {
    reject = no;
  });
  const added = vi.spyOn(work, "then");
  const isThere = awaited(work, clock);
  for (let wait = 0; wait < 100; wait++) {
    const waiting = isThere(1000);
    clock.advance(1000);
    expect(await waiting).toBe(false);
  }
  expect(added).toHaveBeenCalledTimes(1);
  const waiting = isThere(1000);
  reject(new Error("it failed"));
  expect(await waiting).toBe(true);
  expect(await isThere(1000)).toBe(true);
});
