import { describe, expect, it } from "vitest";
import { countedBudget, timedBudget } from "../../../../src/tools/scheduler/solving/budget.ts";

describe("a budget", () => {
  it("of a count grants that many requests, of which a heavy one counts by its weight", () => {
    const budget = countedBudget(4);
    const granted = [1, 4, 2, 2, 1, 1].map((weight) => budget.spend(weight));
    expect(granted).toEqual([true, false, true, false, true, false]);
    expect(budget.spent).toBe(4);
  });

  it("of time grants the first request, and another if the time left covers their mean", () => {
    let now = 1000;
    const late = timedBudget(100, { monotonic: () => now });
    const budget = timedBudget(600, { monotonic: () => now });
    now += 300;
    expect([late.spend(), late.spend()]).toEqual([true, false]);
    expect([budget.spend(), budget.spend()]).toEqual([true, true]);
    now += 101;
    expect(budget.spend()).toBe(false);
  });

  it("of time that refuses a heavy request grants light ones, but fewer than that one counts", () => {
    let now = 1000;
    const budget = timedBudget(100, { monotonic: () => now });
    expect(budget.spend()).toBe(true);
    now = 1020;
    expect(budget.spend(5)).toBe(false);
    expect([1, 1, 1, 1, 1].map((weight) => budget.spend(weight))).toEqual([true, true, true, true, false]);
    expect(budget.spent).toBe(5);
  });
});
