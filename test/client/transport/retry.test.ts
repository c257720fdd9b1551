import { describe, expect, it } from "vitest";
import { Unreachable } from "../../../src/client/errors.ts";
import { retrying, type Wait } from "../../../src/client/transport/retry.ts";
import { OAuthError, Problem } from "../../../src/contract/problem.ts";
import { seededRandom } from "../../support/random.ts";
import { hurryingClock } from "../support/clock.ts";

const away = (more: Partial<ConstructorParameters<typeof Unreachable>[2]> = {}) =>
  new Unreachable("http://x", "away", { delivery: "never", ...more });
const limited = (seconds: string) =>
  new Problem("rate_limited", "Later.", { headers: { "retry-after": seconds } });

/** Retries an operation that fails with each error in turn, then succeeds. */
async function attempts(errors: Error[], replayable = true, maxWaitSeconds?: number) {
  const clock = hurryingClock();
  const waits: Wait[] = [];
  let tries = 0;
  const options = {
    clock,
    random: seededRandom(clock),
    onWait: (wait: Wait) => waits.push(wait),
    maxWaitSeconds,
  };
  const outcome = await retrying(
    async () => {
      const error = errors[tries++];
      if (error) throw error;
      return "answered";
    },
    replayable,
    options,
  ).catch((error: unknown) => error);
  return { outcome, tries, slept: clock.slept, waits };
}

describe("retrying()", () => {
  it("repeats a torn connection once, at once and without reporting a wait", async () => {
    const torn = away({ torn: true });
    const once = await attempts([torn]);
    expect(once).toMatchObject({ outcome: "answered", tries: 2, slept: [], waits: [] });
    const twice = await attempts([torn, torn]);
    expect(twice).toMatchObject({ outcome: torn, tries: 2, slept: [], waits: [] });
  });

  it("repeats after the server's Retry-After if a limit refused, up to thirty seconds", async () => {
    expect(await attempts([limited("30")], false)).toMatchObject({
      outcome: "answered",
      slept: [30_000],
      waits: [{ seconds: 30, reason: "rate_limited", attempt: 1 }],
    });
    expect(await attempts([limited("31")], false)).toMatchObject({ tries: 1, slept: [] });
    expect(await attempts([limited("0")], false)).toMatchObject({ outcome: "answered", slept: [] });
    const oauth = new OAuthError("slow_down", "Slower.", { status: 429, headers: { "retry-after": "2" } });
    expect(await attempts([oauth], false)).toMatchObject({ outcome: "answered", slept: [2000] });
  });

  it("waits as long as the caller allows", async () => {
    expect(await attempts([limited("59")], false, 60)).toMatchObject({
      outcome: "answered",
      slept: [59_000],
    });
    expect(await attempts([limited("61")], false, 60)).toMatchObject({ tries: 1, slept: [] });
  });

  it("tries up to four times after 502 or overloaded if the operation may be repeated", async () => {
    const gateway = away({ status: 502 });
    const overloaded = new Problem("overloaded", "Busy.");
    for (const error of [gateway, overloaded]) {
      expect(await attempts([error, error, error])).toMatchObject({ outcome: "answered", tries: 4 });
      expect(await attempts([error, error, error, error])).toMatchObject({ outcome: error, tries: 4 });
      expect(await attempts([error], false)).toMatchObject({ outcome: error, tries: 1 });
    }
    expect(await attempts([away()])).toMatchObject({ tries: 1 });
    const wrong = new Problem("invalid_request", "No.");
    expect(await attempts([wrong])).toMatchObject({ outcome: wrong, tries: 1 });
  });

  it("waits between half a step and a whole one, and doubles the step each time", async () => {
    const { slept, waits } = await attempts([1, 2, 3].map(() => away({ status: 503 })));
    for (const [index, step] of [1000, 2000, 4000].entries()) {
      expect(slept[index]).toBeGreaterThanOrEqual(step / 2);
      expect(slept[index]).toBeLessThan(step);
    }
    expect(waits.map(({ attempt, reason }) => [attempt, reason])).toEqual([
      [1, "unavailable"],
      [2, "unavailable"],
      [3, "unavailable"],
    ]);
  });

  it('reports delivery "unknown" if any attempt may have been delivered', async () => {
    const { outcome } = await attempts([away({ torn: true, delivery: "unknown" }), away()]);
    expect(outcome).toMatchObject({ delivery: "unknown" });
    expect((await attempts([away({ torn: true }), away()])).outcome).toMatchObject({ delivery: "never" });
  });
});
