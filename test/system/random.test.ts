import { expect, it } from "vitest";
import { createRandom, timeOfId } from "../../src/system/random.ts";
import { fakeClock } from "../support/clock.ts";

const HOUR = 60 * 60_000;

it("makes ids that sort as they were made, however the clock is slowed or set back a little", () => {
  const clock = fakeClock();
  const random = createRandom(clock);
  const ids: string[] = [];
  for (const step of [0, 0, 1, -1, 5, -60_000, 0, 1]) {
    clock.jump(step);
    ids.push(random.id("aud"));
  }
  expect(ids).toEqual([...new Set(ids)].sort());
});

it("tells the time by them again at once when a clock that was ahead is put right", () => {
  const clock = fakeClock();
  const random = createRandom(clock);
  for (const ahead of [HOUR, 24 * HOUR, 0]) {
    clock.jump(ahead);
    expect(timeOfId(random.id("aud"))).toBe(clock.now());
    clock.jump(-ahead);
    expect(timeOfId(random.id("aud")) - clock.now()).toBeLessThanOrEqual(1);
  }
});
