import { expect, it } from "vitest";
import { inTime } from "../../src/system/in-time.ts";
import { fakeClock } from "../support/clock.ts";

const late = () => new Error("too late");
const never = () => new Promise<never>(() => {});

it("inTime() settles like work that ends in time", async () => {
  const clock = fakeClock();
  expect(await inTime(Promise.resolve(1), { clock, ms: 1000, late })).toBe(1);
  const failing = inTime(Promise.reject(new Error("it failed")), { clock, ms: 1000, late });
  await expect(failing).rejects.toThrow("it failed");
});

it("inTime() rejects with the error of its caller after the time, and with a signal's reason before", async () => {
  const clock = fakeClock();
  const waiting = inTime(never(), { clock, ms: 1000, late });
  clock.advance(1000);
  await expect(waiting).rejects.toThrow("too late");
  const controller = new AbortController();
  const stopped = inTime(never(), { clock, ms: 1000, late, signal: controller.signal });
  controller.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
});
