import { describe, expect, it } from "vitest";
import { clearTrouble, isBackingOff, noteTrouble, troubleIn } from "../../../src/client/telemetry/trouble.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";

const MINUTE = 60_000;

function open() {
  const [directory, clock] = [temporaryDirectory(), fakeClock()];
  return {
    directory,
    clock,
    backsOff: () => isBackingOff(directory, clock),
    fail: (more: { firstMs?: number; atLeastMs?: number } = {}) => {
      noteTrouble(directory, clock, { reason: "it is away", firstMs: 10_000, ...more });
      const { at = 0, nextAt = 0 } = troubleIn(directory) ?? {};
      return nextAt - at;
    },
  };
}

describe("the backoff of the telemetry senders", () => {
  it("doubles with each failure in a row, up to ten minutes", () => {
    const { fail } = open();
    const pauses = Array.from({ length: 8 }, () => fail() / 1000);
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
  });

  it("lasts as long as the server asks if that is longer, up to ten minutes", () => {
    const { fail } = open();
    expect(fail({ atLeastMs: 90_000 })).toBe(90_000);
    expect(fail({ atLeastMs: 1 })).toBe(20_000);
    expect(fail({ atLeastMs: 60 * MINUTE })).toBe(10 * MINUTE);
  });

  it("ends exactly when its time is over", () => {
    const { fail, backsOff, clock } = open();
    expect(backsOff()).toBe(false);
    fail();
    clock.advance(9999);
    expect(backsOff()).toBe(true);
    clock.advance(1);
    expect(backsOff()).toBe(false);
  });

  it("ends if the clock is set back", () => {
    const { fail, backsOff, clock } = open();
    for (let times = 0; times < 7; times++) fail();
    expect(backsOff()).toBe(true);
    clock.jump(-1);
    expect(backsOff()).toBe(false);
  });

  it("starts at the first pause again after clearTrouble()", () => {
    const { fail, backsOff, directory } = open();
    fail();
    fail();
    clearTrouble(directory);
    expect(backsOff()).toBe(false);
    expect(fail()).toBe(10_000);
    expect(troubleIn(directory)).toMatchObject({ failures: 1, reason: "it is away" });
  });
});
