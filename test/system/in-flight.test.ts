import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InFlight } from "../../src/system/in-flight.ts";

/** Creates work that the test ends. */
function works(count: number) {
  const started: number[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const all = Array.from(
    { length: count },
    (_, index) => new Promise<void>((resolve, reject) => (ends[index] = { resolve, reject })),
  );
  const work = (index: number) => () => {
    started.push(index);
    return all[index] as Promise<void>;
  };
  return { started, ends, work };
}

const turn = () => new Promise(setImmediate);

describe("InFlight", () => {
  it("starts work in order, at most as many at once as allowed", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
        async (most, order) => {
          const { started, ends, work } = works(7);
          const flight = new InFlight(most);
          const all = (async () => {
            for (let index = 0; index < 7; index++) await flight.start(work(index));
            await flight.drain();
          })();
          const left = [...order];
          for (let done = 0; done < 7; done++) {
            await turn();
            expect(started).toEqual([0, 1, 2, 3, 4, 5, 6].slice(0, Math.min(7, done + most)));
            const next = left.findIndex((index) => started.includes(index));
            ends[left.splice(next, 1)[0] as number]?.resolve();
          }
          await all;
        },
      ),
    ));

  it("starts nothing after a failure, and rejects with the first one once all running work has ended", async () => {
    const { started, ends, work } = works(3);
    const flight = new InFlight(2);
    await flight.start(work(0));
    await flight.start(work(1));
    let told: unknown;
    const third = flight.start(work(2)).catch((error: unknown) => {
      told = error;
    });
    ends[1]?.reject(new Error("the second"));
    await turn();
    expect(told).toBeUndefined();
    ends[0]?.reject(new Error("the first"));
    await third;
    expect(told).toEqual(new Error("the second"));
    expect(started).toEqual([0, 1]);
    await expect(flight.drain()).rejects.toThrow("the second");
  });

  it("drains at once if nothing was started", async () => {
    await expect(new InFlight(1).drain()).resolves.toBeUndefined();
  });
});
