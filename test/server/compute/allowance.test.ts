import { expect, it } from "vitest";
import { createAllowance } from "../../../src/server/compute/allowance.ts";
import { fakeClock } from "../../support/clock.ts";

const MINUTE = 60_000;
const BOUNDS = { computeSecondsPerMinute: 6, jobsInFlight: 2 };

function start() {
  const clock = fakeClock();
  const allowance = createAllowance(clock);
  const compute = (ms: number) => {
    allowance.admit("acc", BOUNDS);
    allowance.charge("acc", ms);
    allowance.release("acc");
  };
  return { clock, allowance, compute };
}

it("an account that used up its seconds is admitted again once one of them has refilled", async () => {
  const { clock, allowance, compute } = start();
  compute(6_500);
  expect(() => allowance.admit("acc", BOUNDS)).toThrow("Try again in 6 s");
  await clock.advance(5_000);
  expect(() => allowance.admit("acc", BOUNDS)).toThrow("Try again in 1 s");
  await clock.advance(1_000);
  allowance.admit("acc", BOUNDS);
  allowance.admit("other", BOUNDS);
});

it("an account saves no seconds beyond those of a minute", async () => {
  const { clock, allowance, compute } = start();
  compute(1_000);
  await clock.advance(10 * MINUTE);
  expect(allowance.useOf("acc", BOUNDS)).toEqual({ computeSecondsLeft: 6, jobsInFlight: 0 });
  compute(6_000);
  expect(() => allowance.admit("acc", BOUNDS)).toThrow("used up");
});

it("an account has as many jobs at once as its bounds allow", () => {
  const { allowance } = start();
  for (let count = 0; count < 2; count++) allowance.admit("acc", BOUNDS);
  expect(() => allowance.admit("acc", BOUNDS)).toThrow("2 requests of this account compute");
  allowance.release("acc");
  allowance.admit("acc", BOUNDS);
});
