import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTurns, type Turns, type TurnsOptions } from "../../src/system/turns.ts";

const FULL = new Error("full");

function turnsOf(options: Partial<TurnsOptions> = {}): Turns {
  return createTurns({ maxRunning: 2, maxOfOne: 2, maxWaiting: 32, refusal: () => FULL, ...options });
}

/** Creates work that the test ends, in the order in which it began. */
function gated(turns: Turns) {
  const began: string[] = [];
  const open: (() => void)[] = [];
  return {
    began,
    ask: (subject: string, name = subject) =>
      turns.run(subject, () => {
        began.push(name);
        return new Promise<string>((resolve) => open.push(() => resolve(name)));
      }),
    async endOne() {
      open.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("createTurns()", () => {
  it("runs at most maxRunning at once, and has the others wait", async () => {
    const { ask, began, endOne } = gated(turnsOf());
    const all = ["a", "b", "c"].map((subject) => ask(subject));
    await settled();
    expect(began).toEqual(["a", "b"]);
    await endOne();
    expect(began).toEqual(["a", "b", "c"]);
    await endOne();
    await endOne();
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  });

  it("leaves nothing with a signal, however many tasks have it", async () => {
    const { signal } = new AbortController();
    const turns = turnsOf();
    for (let count = 0; count < 3; count++) await turns.run("a", async () => {}, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("alternates between subjects, even if one floods it", async () => {
    const { ask, began, endOne } = gated(turnsOf());
    for (let count = 0; count < 10; count++) void ask("flood", `flood ${count}`);
    void ask("honest");
    await settled();
    await endOne();
    await endOne();
    expect(began.indexOf("honest")).toBeLessThanOrEqual(3);
  });

  it("gives each waiting subject one turn a round", async () => {
    const { ask, began, endOne } = gated(turnsOf({ maxRunning: 1 }));
    for (const subject of ["at work", "a", "a", "a", "b", "b", "c"]) void ask(subject);
    await settled();
    for (let count = 0; count < 6; count++) await endOne();
    expect(began).toEqual(["at work", "a", "b", "c", "a", "b", "a"]);
  });

  it("keeps places free for others if a subject is limited to maxOfOne", async () => {
    const { ask, began } = gated(turnsOf({ maxOfOne: 1 }));
    for (let count = 0; count < 5; count++) void ask("flood");
    void ask("honest");
    await settled();
    expect(began).toEqual(["flood", "honest"]);
  });

  it("refuses the subject with the most waiting when too many wait", async () => {
    const { ask } = gated(turnsOf({ maxRunning: 1, maxWaiting: 4 }));
    const flood = Array.from({ length: 5 }, () => ask("flood").catch((error) => error));
    const honest = ask("honest");
    honest.catch(() => {});
    expect(await flood[4]).toBe(FULL);
    await expect(Promise.race([honest, settled().then(() => "waits")])).resolves.toBe("waits");
  });

  it("gives the turn of one that is withdrawn to the next, and leaves alone what has begun", async () => {
    const turns = turnsOf({ maxRunning: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const end = await turns.take("a", first.signal);
    const withdrawn = turns.take("a", second.signal);
    const next = turns.take("b");
    second.abort(FULL);
    first.abort(FULL);
    await expect(withdrawn).rejects.toBe(FULL);
    await expect(turns.take("a", second.signal)).rejects.toBe(FULL);
    end();
    end();
    (await next)();
    expect(await turns.run("a", async () => "yes")).toBe("yes");
  });

  it("runs the next work after a failure", async () => {
    const turns = turnsOf({ maxRunning: 1 });
    await expect(turns.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await turns.run("a", async () => "yes")).toBe("yes");
  });

  it("finishes all work that it does not refuse, and never exceeds maxRunning or maxOfOne", async () => {
    const subjects = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
    const most = fc.integer({ min: 1, max: 4 });
    await fc.assert(
      fc.asyncProperty(subjects, most, most, async (asked, maxRunning, maxOfOne) => {
        const turns = turnsOf({ maxRunning, maxOfOne, maxWaiting: 8 });
        const running = new Map<string, number>();
        const outcomes = await Promise.allSettled(
          asked.map((subject) =>
            turns.run(subject, async () => {
              running.set(subject, (running.get(subject) ?? 0) + 1);
              expect(running.get(subject)).toBeLessThanOrEqual(maxOfOne);
              expect([...running.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(
                maxRunning,
              );
              await settled();
              running.set(subject, (running.get(subject) ?? 0) - 1);
            }),
          ),
        );
        const refused = outcomes
          .filter((outcome) => outcome.status === "rejected")
          .map(({ reason }) => reason);
        expect(new Set(refused).size).toBeLessThanOrEqual(1);
        expect(refused.every((reason) => reason === FULL)).toBe(true);
        const done = asked.length - refused.length;
        expect(done).toBeGreaterThanOrEqual(Math.min(asked.length, 8));
        if (maxOfOne >= maxRunning) expect(done).toBe(Math.min(asked.length, maxRunning + 8));
      }),
    );
  });
});
