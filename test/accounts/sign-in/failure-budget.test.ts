import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFailureBudget } from "../../../src/accounts/sign-in/failure-budget.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";
import { HOUR, MINUTE, problem } from "../fixture.ts";

const wrong = async () => undefined;
const right = async () => "right";

async function openBudget() {
  const clock = fakeClock();
  const store = await openTestStore({ clock });
  return { clock, store, budget: createFailureBudget({ store, clock, purpose: "test" }) };
}

async function failures(count: number, allow: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) expect(await allow()).toBeUndefined();
}

describe("a failure budget", () => {
  it("allows ten failures an hour and refuses correct attempts afterwards", async () => {
    const { budget, clock } = await openBudget();
    await failures(10, () => budget.allow({ id: "a" }, wrong));
    await expect(budget.allow({ id: "a" }, wrong)).rejects.toMatchObject(problem("rate_limited"));
    await expect(budget.allow({ id: "a" }, right)).rejects.toMatchObject({
      detail: "Too many wrong attempts (10 an hour). Try again in 60 min.",
      extras: {
        headers: { "Retry-After": "3600" },
        members: { window: "test", retryAfterSeconds: 3600 },
      },
    });
    clock.advance(HOUR - 1);
    await expect(budget.allow({ id: "a" }, right)).rejects.toMatchObject({
      extras: { headers: { "Retry-After": "1" } },
    });
    clock.advance(1);
    expect(await budget.allow({ id: "a" }, right)).toBe("right");
  });

  it("does not run an attempt that it refuses", async () => {
    const { budget } = await openBudget();
    await failures(10, () => budget.allow({ id: "a" }, wrong));
    let attempts = 0;
    await expect(budget.allow({ id: "a" }, async () => attempts++)).rejects.toThrow();
    expect(attempts).toBe(0);
  });

  it("is neither consumed nor reset by a success", async () => {
    const { budget } = await openBudget();
    await failures(9, () => budget.allow({ id: "a" }, wrong));
    for (let index = 0; index < 20; index++) expect(await budget.allow({ id: "a" }, right)).toBe("right");
    await failures(1, () => budget.allow({ id: "a" }, wrong));
    await expect(budget.allow({ id: "a" }, right)).rejects.toMatchObject(problem("rate_limited"));
  });

  it("allows a hundred failures an hour for an address, across all ids", async () => {
    const { budget } = await openBudget();
    const guesser = (index: number) => ({ id: `guesser/${index}`, address: "address/a" });
    for (let index = 0; index < 100; index++) await budget.allow(guesser(index), wrong);
    await expect(budget.allow(guesser(100), right)).rejects.toMatchObject({
      ...problem("rate_limited"),
      detail: expect.stringContaining("(100 an hour)"),
    });
    expect(await budget.allow({ id: "guesser/0", address: "address/b" }, right)).toBe("right");
  });

  it("blocks only the id that is used up, not others at the same address", async () => {
    const { budget } = await openBudget();
    await failures(10, () => budget.allow({ id: "a", address: "address/a" }, wrong));
    await expect(budget.allow({ id: "a", address: "address/a" }, right)).rejects.toMatchObject({
      ...problem("rate_limited"),
      detail: expect.stringContaining("(10 an hour)"),
    });
    expect(await budget.allow({ id: "b", address: "address/a" }, right)).toBe("right");
  });

  it("counts each purpose separately", async () => {
    const { budget, store, clock } = await openBudget();
    await failures(10, () => budget.allow({ id: "a" }, wrong));
    const other = createFailureBudget({ store, clock, purpose: "other" });
    expect(await other.allow({ id: "a" }, right)).toBe("right");
  });

  it("runs as many attempts in parallel as may still fail, and no more", async () => {
    const { budget } = await openBudget();
    let running = 0;
    let most = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const attempts = Array.from({ length: 30 }, () =>
      budget.allow({ id: "a" }, async () => {
        most = Math.max(most, ++running);
        if (running === 10) open();
        await gate;
        running--;
        return "right";
      }),
    );
    expect(await Promise.all(attempts)).toHaveLength(30);
    expect(most).toBe(10);
  });

  it("starts a waiting attempt whenever a running one ends", async () => {
    const { budget } = await openBudget();
    const ends: (() => void)[] = [];
    const attempt = () =>
      budget.allow({ id: "a" }, () => new Promise<string>((end) => ends.push(() => end("right"))));
    const turn = () => new Promise(setImmediate);
    const attempts = Array.from({ length: 10 }, attempt);
    await turn();
    expect(ends).toHaveLength(10);
    ends[0]?.();
    await attempts[0];
    attempts.push(attempt(), attempt());
    await turn();
    expect(ends).toHaveLength(11);
    while (ends.length < 12) {
      for (const end of ends) end();
      await turn();
    }
    for (const end of ends) end();
    expect(await Promise.all(attempts)).toHaveLength(12);
  });

  it("passes the turn on if the next attempt has to wait for its address as well", async () => {
    const { budget } = await openBudget();
    for (let index = 0; index < 99; index++) {
      await budget.allow({ id: `guesser/${index}`, address: "address/full" }, wrong);
    }
    const ends: (() => void)[] = [];
    const held = () => new Promise<string>((end) => ends.push(() => end("right")));
    const turn = () => new Promise(setImmediate);
    const attempts = Array.from({ length: 10 }, () => budget.allow({ id: "a" }, held));
    attempts.push(budget.allow({ id: "b", address: "address/full" }, held));
    await turn();
    const began: string[] = [];
    const beginning = (name: string) => async () => {
      began.push(name);
      return name;
    };
    attempts.push(budget.allow({ id: "a", address: "address/full" }, beginning("waits for both")));
    attempts.push(budget.allow({ id: "a" }, beginning("waits for a")));
    await turn();
    expect(began).toEqual([]);
    ends[0]?.();
    for (let turns = 0; turns < 20 && began.length === 0; turns++) await turn();
    expect(began).toEqual(["waits for a"]);
    for (const end of ends) end();
    await Promise.all(attempts);
    expect(began).toEqual(["waits for a", "waits for both"]);
  });

  it("allows no more failures to concurrent attempts", async () => {
    const { budget } = await openBudget();
    let attempts = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        budget.allow({ id: "a", address: `address/${index}` }, async () => {
          attempts++;
          await new Promise((resolve) => setImmediate(resolve));
          return undefined;
        }),
      ),
    );
    expect(attempts).toBe(10);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(90);
  });

  it("checks the store a few times per waiting attempt, not at each end of another", async () => {
    const { store, clock } = await openBudget();
    let looks = 0;
    const counting = {
      ...store,
      admit: (windows: Parameters<typeof store.admit>[0]) => {
        looks++;
        return store.admit(windows);
      },
    };
    const budget = createFailureBudget({ store: counting, clock, purpose: "test" });
    const attempt = () =>
      budget.allow({ id: "a", address: "address/a" }, async () => {
        await new Promise(setImmediate);
        return "right";
      });
    expect(await Promise.all(Array.from({ length: 200 }, attempt))).toHaveLength(200);
    expect(looks).toBeLessThan(5 * 200);
  });

  it("settles all concurrent attempts and never runs more than may still fail", async () => {
    const guess = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      address: fc.constantFrom("address/a", "address/b", undefined),
      outcome: fc.constantFrom("right", "wrong", "failing"),
      turns: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(guess, { maxLength: 60 }), async (guesses) => {
        const { budget } = await openBudget();
        let most = 0;
        const running = new Map<string, number>();
        const wrongs = new Map<string, number>();
        const add = (counts: Map<string, number>, id: string, by: number) =>
          counts.set(id, (counts.get(id) ?? 0) + by);
        await Promise.allSettled(
          guesses.map(({ id, address, outcome, turns }) =>
            budget.allow({ id, ...(address !== undefined && { address }) }, async () => {
              add(running, id, 1);
              most = Math.max(most, (running.get(id) ?? 0) + (wrongs.get(id) ?? 0));
              for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
              add(running, id, -1);
              if (outcome === "failing") throw new Error("away");
              if (outcome === "right") return "right";
              add(wrongs, id, 1);
              return undefined;
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(10);
      }),
      { numRuns: 60 },
    );
  });

  it("withholds the result if another server counts the tenth failure meanwhile", async () => {
    const { budget, store, clock } = await openBudget();
    const second = createFailureBudget({ store, clock, purpose: "test" });
    await failures(9, () => budget.allow({ id: "a" }, wrong));
    const outcomes = await Promise.allSettled([
      budget.allow({ id: "a" }, wrong),
      second.allow({ id: "a" }, wrong),
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
  });

  it("checks again if an attempt fails during the check", async () => {
    const { store, clock } = await openBudget();
    let answered = Promise.resolve();
    const budget = createFailureBudget({
      store: {
        ...store,
        async admit(windows) {
          const verdict = await store.admit(windows);
          // Delays the answer of a check, which has cost 0, so that other attempts overtake it.
          if (windows.every(({ cost }) => cost === 0)) await answered;
          return verdict;
        },
      },
      clock,
      purpose: "test",
    });
    await failures(9, () => budget.allow({ id: "a" }, wrong));
    let fail = () => {};
    const tenth = budget.allow(
      { id: "a" },
      () => new Promise<undefined>((end) => (fail = () => end(undefined))),
    );
    await new Promise(setImmediate);
    let answer = () => {};
    answered = new Promise((resolve) => (answer = resolve));
    let attempts = 0;
    const eleventh = budget.allow({ id: "a" }, async () => void attempts++);
    await new Promise(setImmediate);
    fail();
    expect(await tenth).toBeUndefined();
    answer();
    await expect(eleventh).rejects.toMatchObject(problem("rate_limited"));
    expect(attempts).toBe(0);
  });

  it("counts no failure when the attempt throws", async () => {
    const { budget, clock } = await openBudget();
    for (let index = 0; index < 20; index++) {
      await expect(budget.allow({ id: "a" }, () => Promise.reject(new Error("away")))).rejects.toThrow(
        "away",
      );
    }
    clock.advance(MINUTE);
    expect(await budget.allow({ id: "a" }, right)).toBe("right");
  });
});
