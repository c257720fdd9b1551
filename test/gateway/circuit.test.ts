import { expect, it } from "vitest";
import { createCircuit } from "../../src/gateway/upstreams/circuit.ts";
import { fakeClock } from "../support/clock.ts";

function failing(times: number) {
  const clock = fakeClock();
  const circuit = createCircuit(clock);
  for (let time = 0; time < times; time++) {
    expect(circuit.enter()).toBe(0);
    circuit.settle(false, clock.monotonic());
  }
  return { clock, circuit };
}

it("the circuit opens after five failures in a row, and lets one request through after a second", async () => {
  expect(failing(4).circuit.state).toBe("closed");
  const { clock, circuit } = failing(5);
  expect([circuit.state, circuit.enter()]).toEqual(["open", 1000]);
  await clock.advance(1000);
  expect([circuit.state, circuit.enter()]).toEqual(["half-open", 0]);
  expect(circuit.enter()).toBeGreaterThan(0);
  await clock.advance(1);
  circuit.settle(true, clock.monotonic());
  expect([circuit.state, circuit.enter(), circuit.enter()]).toEqual(["closed", 0, 0]);
});

it("the circuit doubles its wait after each failed trial, up to thirty seconds", async () => {
  const { clock, circuit } = failing(5);
  const waits: number[] = [];
  for (let time = 0; time < 7; time++) {
    const wait = circuit.enter();
    waits.push(wait);
    await clock.advance(wait);
    expect(circuit.enter()).toBe(0);
    circuit.settle(false, clock.monotonic());
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

it("the circuit ignores failures of requests older than a success, and requests whose client went away", async () => {
  const clock = fakeClock();
  const circuit = createCircuit(clock);
  const since = clock.monotonic();
  await clock.advance(10);
  circuit.settle(true, clock.monotonic());
  for (let time = 0; time < 9; time++) circuit.settle(false, since);
  expect(circuit.state).toBe("closed");
  const { circuit: open, clock: later } = failing(5);
  await later.advance(1000);
  expect(open.enter()).toBe(0);
  open.settle(undefined, later.monotonic());
  expect(open.enter()).toBe(0);
});

it("the circuit goes by the trial request, and ignores requests begun before it opened", async () => {
  const { clock, circuit } = failing(5);
  const before = clock.monotonic();
  await clock.advance(1000);
  expect(circuit.enter()).toBe(0);
  const tried = clock.monotonic();
  await clock.advance(1);
  circuit.settle(false, before);
  circuit.settle(undefined, before);
  expect([circuit.state, circuit.enter()]).toEqual(["half-open", 1000]);
  circuit.settle(false, tried);
  expect([circuit.state, circuit.enter()]).toEqual(["open", 2000]);
});
