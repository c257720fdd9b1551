import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { endInWords, parseTime, repeat, systemClock } from "../../src/system/clock.ts";
import { fakeClock } from "../support/clock.ts";

it.each([
  "2028-02-29",
  "2026-04-30T23:59:59.999Z",
  "2026-12-31T09:00+02:00",
  "0001-01-01",
  "2026-12-31 09:00",
  "2026-12-31t09:00:30z",
  "2026-12-31 09:00:30 +0100",
  "2026-12-31T09:00:30-0530",
  "2026-12-31 09:00:30 UTC",
])("parseTime() accepts %s", (text) => expect(parseTime(text)).toBe(Date.parse(text)));

it.each([
  "2027-02-31",
  "2027-02-29",
  "2100-02-29T00:00Z",
  "2027-04-31T12:00:00+02:00",
  "2027-13-01",
  "2027-00-10",
  "2027-01-10T25:00Z",
  "2027-01-10 or so",
  "soon",
  "5",
  "-5",
  "Nov 30",
  "11/30/2026",
])("parseTime() returns NaN for %s", (text) => expect(parseTime(text)).toBeNaN());

it.each([
  ["2027-01-31T23:59:59.999Z", "2027-01-31"],
  ["2027-01-31T00:00:00.000Z", "2027-01-31 00:00 UTC"],
  ["2027-01-31T23:59:59.000Z", "2027-01-31 23:59 UTC"],
])("endInWords() names a day only to its end: %s", (at, words) => {
  expect(endInWords(Date.parse(at))).toBe(words);
});

it("repeat() does nothing again before it is done, and stops once nothing goes on", async () => {
  const clock = fakeClock();
  const ends: (() => void)[] = [];
  const stop = repeat(clock, 1000, () => new Promise((resolve) => ends.push(resolve)), { atOnce: true });
  expect(ends).toHaveLength(1);
  clock.advance(2000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await Promise.resolve();
  clock.advance(1000);
  expect(ends).toHaveLength(2);
  const stopped = stop().then(() => "stopped");
  expect(await Promise.race([stopped, new Promise((resolve) => setImmediate(resolve, "goes on"))])).toBe(
    "goes on",
  );
  ends[1]?.();
  expect(await stopped).toBe("stopped");
  clock.advance(5000);
  expect(ends).toHaveLength(2);
});

describe.each([
  ["the system's clock", systemClock, () => {}],
  ["a fake clock", fakeClock(), (clock: unknown) => (clock as ReturnType<typeof fakeClock>).advance(1)],
] as const)("sleep() of %s", (_, clock, advance) => {
  it("leaves nothing on its signal once it is over, however it ended", async () => {
    const { signal } = new AbortController();
    const slept = Array.from({ length: 5 }, () => clock.sleep(1, signal));
    advance(clock);
    await Promise.all(slept);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);

    const interrupted = new AbortController();
    const sleeping = clock.sleep(60_000, interrupted.signal);
    interrupted.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    expect(getEventListeners(interrupted.signal, "abort")).toHaveLength(0);
    await expect(clock.sleep(1, interrupted.signal)).rejects.toThrow("enough");
  });
});
