import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedMap, cachedFor, createThrottle } from "../../src/system/caching.ts";
import { fakeClock } from "../support/clock.ts";

describe("BoundedMap", () => {
  it("keeps the entries that were set last, like a plain list", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e");
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat())), fc.integer({ min: 1, max: 4 }), (sets, most) => {
        const recent = new BoundedMap<string, number>(most);
        let model: [string, number][] = [];
        for (const [key, value] of sets) {
          recent.set(key, value);
          model = [...model.filter(([other]) => other !== key), [key, value] as [string, number]].slice(
            -most,
          );
          expect([...recent]).toEqual(model);
        }
      }),
    );
  });
});

describe("cachedFor()", () => {
  function asking(most = 10) {
    const clock = fakeClock();
    const found: string[] = [];
    const given = cachedFor<string>(clock, { forMs: 1000, most });
    const ask = (question: string) =>
      given(question, async () => {
        found.push(question);
        return `${question} ${found.length}`;
      });
    return { clock, found, given, ask };
  }

  it("returns a cached value until it is too old, and shares a pending one", async () => {
    const { clock, ask } = asking();
    expect(await Promise.all([ask("a"), ask("a"), ask("b")])).toEqual(["a 1", "a 1", "b 2"]);
    clock.advance(999);
    expect(await ask("a")).toBe("a 1");
    clock.advance(1);
    expect(await ask("a")).toBe("a 3");
    clock.advance(999);
    expect([await ask("a"), await ask("b")]).toEqual(["a 3", "b 4"]);
  });

  it("looks a value up again if the clock was set back by its lifetime", async () => {
    const { clock, ask } = asking();
    await ask("a");
    clock.jump(-999);
    expect(await ask("a")).toBe("a 1");
    clock.jump(-1);
    expect(await ask("a")).toBe("a 2");
  });

  it("evicts the oldest value when full", async () => {
    const { found, ask } = asking(2);
    for (const question of ["a", "b", "c", "b", "c", "a"]) await ask(question);
    expect(found).toEqual(["a", "b", "c", "a"]);
  });

  it("does not cache a failure", async () => {
    const { given, ask } = asking();
    let fail = (_: Error) => {};
    const failing = given("a", () => new Promise((_, reject) => (fail = reject)));
    const refused = expect(failing).rejects.toThrow("away");
    fail(new Error("away"));
    await refused;
    expect(await ask("a")).toBe("a 1");
    expect(await ask("a")).toBe("a 1");
  });

  it("keeps a newer value when the older one that it replaced fails", async () => {
    const { clock, given, ask } = asking();
    let fail = (_: Error) => {};
    const slow = given("a", () => new Promise((_, reject) => (fail = reject)));
    clock.advance(1000);
    expect(await ask("a")).toBe("a 1");
    fail(new Error("away"));
    await expect(slow).rejects.toThrow("away");
    expect(await ask("a")).toBe("a 1");
  });
});

describe("createThrottle()", () => {
  it("lets each key pass once in the time, also if the clock is set back by that", () => {
    const clock = fakeClock();
    const mayPass = createThrottle(clock, { everyMs: 1000, most: 10 });
    expect(["a", "a", "b"].map(mayPass)).toEqual([true, false, true]);
    clock.advance(999);
    expect(mayPass("a")).toBe(false);
    clock.advance(1);
    expect(mayPass("a")).toBe(true);
    clock.jump(-999);
    expect(mayPass("a")).toBe(false);
    clock.jump(-1);
    expect(mayPass("a")).toBe(true);
  });

  it("forgets the oldest key when full", () => {
    const mayPass = createThrottle(fakeClock(), { everyMs: 1000, most: 2 });
    expect(["a", "b", "c", "b", "a"].map(mayPass)).toEqual([true, true, true, false, true]);
  });
});
