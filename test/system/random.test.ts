import { expect, it } from "vitest";
import { createRandom, timeOfId } from "../../src/system/random.ts";
import { fakeClock } from "../support/clock.ts";

const HOUR = 60 * 60_000;

it("random.id() makes sortable ids, even if the clock is set back by a minute", () => {
  const clock = fakeClock();
  const random = createRandom(clock);
  const ids: string[] = [];
  for (const step of [0, 0, 1, -1, 5, -60_000, 0, 1]) {
    clock.jump(step);
    ids.push(random.id("aud"));
  }
  expect(ids).toEqual([...new Set(ids)].sort());
});

it("timeOfId() follows the clock at once after a clock that was ahead is set right", () => {
  const clock = fakeClock();
  const random = createRandom(clock);
  for (const ahead of [HOUR, 24 * HOUR, 0]) {
    clock.jump(ahead);
    expect(timeOfId(random.id("aud"))).toBe(clock.now());
    clock.jump(-ahead);
    expect(timeOfId(random.id("aud")) - clock.now()).toBeLessThanOrEqual(1);
  }
});
