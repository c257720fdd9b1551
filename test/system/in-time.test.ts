import { expect, it } from "vitest";
import { inTime } from "../../src/system/in-time.ts";
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
