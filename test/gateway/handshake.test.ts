import { describe, expect, it } from "vitest";
import { greet } from "../../src/gateway/upstreams/handshake.ts";
import { fakeClock } from "../support/clock.ts";

const INITIALIZED = { protocolVersion: "2024-11-05", capabilities: { tools: {} } };
const DISCOVERED = { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };

/** Greets a program that answers when the test says so. */
function meet(probes = true) {
  const clock = fakeClock();
  const told: string[] = [];
  const answers = new Map<string, (result?: Record<string, unknown>) => void>();
  const greeting = greet(
    (method) => {
      told.push(method);
      return new Promise((resolve) => answers.set(method, resolve));
    },
    (method) => told.push(method),
    { clock, probes },
  );
  return {
    told,
    greeting,
    async pass(ms: number) {
      clock.advance(ms);
      await new Promise(setImmediate);
    },
    answer: (method: string, result?: Record<string, unknown>) => answers.get(method)?.(result),
  };
}

describe("the handshake with a program", () => {
  it("falls back to initialize if the program ignores the probe", async () => {
    const { pass, told, greeting, answer } = meet();
    await pass(4_999);
    expect(told).toEqual(["server/discover"]);
    await pass(1);
    answer("initialize", INITIALIZED);
    expect(await greeting).toMatchObject({ stateless: false, initialized: INITIALIZED });
    expect(told).toEqual(["server/discover", "initialize", "notifications/initialized"]);
  });

  it.each([
    ["the probe", { discover: DISCOVERED, initialize: undefined, stateless: true }],
    ["initialize", { discover: undefined, initialize: INITIALIZED, stateless: false }],
  ])("holds by %s if a program that starts slowly gets both and refuses the other", async (_, answers) => {
    const { pass, greeting, answer } = meet();
    await pass(5_000);
    answer("server/discover", answers.discover);
    answer("initialize", answers.initialize);
    expect(await greeting).toMatchObject({ stateless: answers.stateless });
  });
});
