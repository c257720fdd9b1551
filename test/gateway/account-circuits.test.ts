import { expect, it } from "vitest";
import { createCircuits } from "../../src/gateway/upstreams/account-circuits.ts";
import { fakeClock } from "../support/clock.ts";

it("the circuits of an upstream open only for the account whose requests failed", () => {
  const circuits = createCircuits({ monotonic: () => 0 });
  for (let times = 0; times < 5; times++) {
    const circuit = circuits.of("acc_hostile");
    expect(circuit.enter()).toBe(0);
    circuit.settle(false, 0);
  }
  expect(circuits.of("acc_hostile").enter()).toBeGreaterThan(0);
  expect(circuits.state).toBe("open");
  expect(circuits.of("acc_other").enter()).toBe(0);
  circuits.of("acc_other").settle(true, 0);
  expect(circuits.state).toBe("closed");
  expect(circuits.of("acc_hostile").enter()).toBeGreaterThan(0);
});

it('the circuits of an upstream report "open" again after a failed trial request', async () => {
  const clock = fakeClock();
  const circuits = createCircuits(clock);
  const fail = () => {
    const circuit = circuits.of("acc_1");
    expect(circuit.enter()).toBe(0);
    circuit.settle(false, clock.monotonic());
  };
  for (let times = 0; times < 5; times++) fail();
  await clock.advance(1000);
  expect(circuits.state).toBe("half-open");
  fail();
  expect(circuits.state).toBe("open");
  await clock.advance(2000);
  expect(circuits.state).toBe("half-open");
});

it("the circuits of an upstream are kept for the last thousand accounts", () => {
  const circuits = createCircuits({ monotonic: () => 0 });
  for (let times = 0; times < 5; times++) circuits.of("first").settle(false, 0);
  for (let account = 0; account < 999; account++) circuits.of(`acc_${account}`);
  expect(circuits.of("first").state).toBe("open");
  for (let account = 0; account < 1000; account++) circuits.of(`acc_${account}`);
  expect(circuits.of("first").state).toBe("closed");
});
