import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type Queued } from "../../../src/server/compute/fair-queue.ts";

const job = fc.record({
  account: fc.constantFrom("a", "b", "c"),
  pace: fc.constantFrom("short" as const, "long" as const),
});

describe("FairQueue", () => {
  it("takes every job once, and those of one account in the order of arrival", () => {
    fc.assert(
      fc.property(fc.array(job), (jobs) => {
        const queue = new FairQueue<Queued>(
          () => 0,
          () => 0,
        );
        for (const each of jobs) queue.push(each);
        const taken: Queued[] = [];
        for (let next = queue.take(["short", "long"]); next; next = queue.take(["short", "long"])) {
          taken.push(next);
        }
        expect(new Set(taken)).toEqual(new Set(jobs));
        for (const account of ["a", "b", "c"]) {
          const of = (all: Queued[]) => all.filter((each) => each.account === account);
          expect(of(taken)).toEqual(of(jobs));
        }
      }),
    );
  });

  it("makes an account wait for at most one job of each other account", () => {
    fc.assert(
      fc.property(fc.array(job, { minLength: 1 }), (jobs) => {
        const used = new Map<string, number>();
        const queue = new FairQueue<Queued>(
          () => 0,
          (account) => used.get(account) ?? 0,
        );
        for (const each of jobs) queue.push(each);
        const honest: Queued = { account: "honest", pace: "short" };
        queue.push(honest);
        let before = 0;
        for (
          let next = queue.take(["short", "long"]);
          next !== honest;
          next = queue.take(["short", "long"])
        ) {
          used.set(next?.account ?? "", (used.get(next?.account ?? "") ?? 0) + 1);
          before++;
        }
        expect(before).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("prefers the account with fewer running jobs, and takes only open paces", () => {
    const running: Record<string, number> = { a: 1 };
    const queue = new FairQueue<Queued>(
      (account) => running[account] ?? 0,
      () => 0,
    );
    queue.push({ account: "a", pace: "short" });
    queue.push({ account: "b", pace: "long" });
    expect(queue.take(["short"])).toMatchObject({ account: "a" });
    queue.push({ account: "a", pace: "short" });
    expect(queue.take(["short", "long"])).toMatchObject({ account: "b" });
    expect([queue.has("short"), queue.has("long")]).toEqual([true, false]);
  });
});
