import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAccountTurns } from "../../../src/server/indexing/account-turns.ts";

/** Creates turns on a fake clock, on which every step takes a millisecond. */
function takingTurns(maxTurnMs = 10) {
  let now = 0;
  const later: (() => void)[] = [];
  const log: string[] = [];
  const turns = createAccountTurns({
    monotonic: () => now,
    later: (work) => later.push(work),
    onTurn: () => {},
    maxTurnMs,
  });
  return {
    turns,
    log,
    add(id: number, account: string, steps: number) {
      turns.add({
        id,
        account,
        steps: (function* () {
          for (let step = 0; step < steps; step++) {
            now++;
            log.push(`${account}${id}`);
            yield;
          }
        })(),
      });
    },
    run() {
      for (let work = later.shift(); work; work = later.shift()) work();
    },
  };
}

describe("createAccountTurns()", () => {
  it("does the work that other work of its account adds, also behind what waited before", () => {
    const { turns, add, run, log } = takingTurns();
    const steps = (function* () {
      add(1, "a", 1);
      yield;
    })();
    turns.add({ id: 1, account: "a", steps });
    add(2, "a", 1);
    run();
    expect(log).toEqual(["a2", "a1"]);
  });

  it("alternates between accounts, and keeps the order within each account", () => {
    const account = fc.constantFrom("a", "b", "c");
    const works = fc.array(fc.record({ account, steps: fc.integer({ min: 1, max: 30 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(works, (all) => {
        const { add, run, log } = takingTurns();
        for (const [id, { account, steps }] of all.entries()) add(id, account, steps);
        run();
        expect(log).toHaveLength(all.reduce((sum, { steps }) => sum + steps, 0));
        for (const name of ["a", "b", "c"]) {
          if (!all.some((work) => work.account === name)) continue;
          const own = log.filter((line) => line.startsWith(name)).map((line) => Number(line.slice(1)));
          expect(own).toEqual(own.toSorted((one, other) => one - other));
          // Between two of its steps, each other account has at most one turn.
          const last = log.findLastIndex((line) => line.startsWith(name));
          const accounts = new Set(all.map((work) => work.account)).size;
          const first = log.slice(0, last + 1);
          const others = first.length - own.length;
          expect(others).toBeLessThanOrEqual((own.length + 1) * (accounts - 1) * 11);
        }
      }),
    );
  });

  it("drops withdrawn work", () => {
    const { turns, add, run, log } = takingTurns();
    add(1, "a", 5);
    add(2, "a", 5);
    turns.withdraw(1);
    run();
    expect(new Set(log)).toEqual(new Set(["a2"]));
  });
});
