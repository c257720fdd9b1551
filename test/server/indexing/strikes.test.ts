import { expect, it } from "vitest";
import { createStrikes } from "../../../src/server/indexing/strikes.ts";
import { fakeClock } from "../../support/clock.ts";

function start() {
  const clock = fakeClock();
  return { clock, strikes: createStrikes(clock) };
}

it("a projection that has crashed two processes is refused for a minute", async () => {
  const { clock, strikes } = start();
  strikes.add("bad", 1);
  strikes.check("bad");
  strikes.add("bad", 2);
  expect(() => strikes.check("bad")).toThrow("more memory to search");
  strikes.check("good");
  await clock.advance(60_000);
  strikes.check("bad");
});

it("a process that is reported twice counts once", () => {
  const { strikes } = start();
  strikes.add("bad", 1);
  strikes.add("bad", 1);
  strikes.check("bad");
});

it("a projection that has answered starts anew", () => {
  const { strikes } = start();
  strikes.add("bad", 1);
  strikes.clear("bad");
  strikes.add("bad", 2);
  strikes.check("bad");
});
