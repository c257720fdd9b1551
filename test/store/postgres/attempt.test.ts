import { describe, expect, it } from "vitest";
import { Attempt } from "../../../src/store/postgres/attempt.ts";
import { Patience } from "../../../src/store/postgres/connection/patience.ts";
import type { Transaction } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";

const NO_TRANSACTION = {} as Transaction;

function open() {
  const clock = fakeClock();
  const attempt = new Attempt(new Patience(clock));
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) clock.advance(500);
  };
  const run = <T>(work: () => Promise<T>) => attempt.run(work, NO_TRANSACTION);
  return { attempt, pass, run };
}

const silence = () => new Promise<never>(() => {});

describe("an attempt at a transaction", () => {
  it("resolves or rejects with the outcome of its work", async () => {
    expect(await open().run(async () => "done")).toBe("done");
    const failing = open().run(async () => {
      throw new Error("its own");
    });
    await expect(failing).rejects.toThrow("its own");
    const atOnce = open().run(() => {
      throw new Error("at once");
    });
    await expect(atOnce).rejects.toThrow("at once");
  });

  it("is abandoned if the database does not answer within 5 s", async () => {
    const { attempt, run, pass } = open();
    const ended = run(() => attempt.ask(silence));
    const refused = expect(ended).rejects.toMatchObject({ name: "StoreUnavailable" });
    pass(5000);
    await refused;
    expect(attempt.abandoned).toBe(true);
  });

  it("is not abandoned for slow work between queries", async () => {
    const { attempt, run, pass } = open();
    const work = run(async () => {
      const answer = await attempt.ask(async () => "answer");
      pass(60_000);
      return answer;
    });
    expect(await work).toBe("answer");
    expect(attempt.abandoned).toBe(false);
  });

  it("gives each query the full time for its answer", async () => {
    const { attempt, run, pass } = open();
    const work = run(async () => {
      for (let question = 0; question < 4; question++) {
        await attempt.ask(async () => pass(4500));
      }
      return "all";
    });
    expect(await work).toBe("all");
  });

  it("rejects with the error of the first failed query, which its work cannot catch", async () => {
    const { attempt, run } = open();
    let heard = "nothing";
    const work = run(async () => {
      const asked = ["first", "second"].map((name) =>
        attempt
          .ask(async () => {
            throw new Error(name);
          })
          .catch(() => {
            heard = name;
          }),
      );
      await Promise.all(asked);
    });
    await expect(work).rejects.toThrow("first");
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toBe("nothing");
    let wasAsked = false;
    void attempt.ask(async () => {
      wasAsked = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(wasAsked).toBe(false);
  });

  it("rejects with its first failure, even if its work then succeeds or throws another error", async () => {
    const { attempt, run } = open();
    const work = run(async () => {
      attempt.failure = new Error("no room");
      expect(() => attempt.enter()).toThrow("no room");
      return "done";
    });
    await expect(work).rejects.toThrow("no room");
    const other = open();
    const failing = other.run(async () => {
      other.attempt.failure = new Error("no room");
      throw new Error("another");
    });
    await expect(failing).rejects.toThrow("no room");
  });

  it("refuses operations after its end, and names that PostgreSQL cannot store", async () => {
    const { attempt, run } = open();
    expect(() => attempt.enter("a\u0000b")).toThrow();
    expect(() => attempt.enter("a", "b")).not.toThrow();
    await run(async () => "done");
    expect(() => attempt.enter("a")).toThrow("the transaction is over: its work did not await it");
    attempt.abandon(new Error("gone"));
    expect(() => attempt.enter("a")).not.toThrow();
  });

  it("counts consecutive idle checks, but not while a query is open", async () => {
    const { attempt } = open();
    expect([attempt.idle(), attempt.idle()]).toEqual([1, 2]);
    void attempt.ask(silence);
    expect(attempt.idle()).toBe(0);
    const other = open().attempt;
    await other.ask(async () => "answer");
    expect(other.idle()).toBe(1);
  });
});
