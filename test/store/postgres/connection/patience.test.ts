import { describe, expect, it } from "vitest";
import { Patience, type Waiter } from "../../../../src/store/postgres/connection/patience.ts";
import { fakeClock } from "../../../support/clock.ts";

function open() {
  const clock = fakeClock();
  const patience = new Patience(clock);
  const gone: string[] = [];
  const begin = (name: string): Waiter => {
    const waiter = { ticks: 0, giveUp: () => void gone.push(name) };
    patience.begin(waiter);
    return waiter;
  };
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) clock.advance(500);
  };
  return { clock, patience, gone, begin, pass };
}

describe("Patience", () => {
  it("makes a waiter give up after 5 s, once", () => {
    const { gone, begin, pass } = open();
    begin("a");
    pass(4500);
    expect(gone).toEqual([]);
    pass(500);
    expect(gone).toEqual(["a"]);
    pass(60_000);
    expect(gone).toEqual(["a"]);
  });

  it("restarts the wait with renew() and ends the wait with end()", () => {
    const { patience, gone, begin, pass } = open();
    const [a, b] = [begin("a"), begin("b")];
    pass(4500);
    patience.renew(a);
    patience.end(b);
    pass(4500);
    expect(gone).toEqual([]);
    pass(500);
    expect(gone).toEqual(["a"]);
  });

  it("gives waiters only another second after a timeout, until the database is heard again", () => {
    const { patience, gone, begin, pass } = open();
    begin("first");
    pass(4000);
    begin("behind it");
    pass(1000);
    expect(gone).toEqual(["first"]);
    pass(1000);
    expect(gone).toEqual(["first", "behind it"]);
    begin("hurried");
    pass(1000);
    expect(gone).toEqual(["first", "behind it", "hurried"]);
    patience.heard();
    begin("patient");
    pass(4500);
    expect(gone).not.toContain("patient");
  });

  it("rejects a bound promise after 5 s, and otherwise passes on its result or error", async () => {
    const { patience, pass } = open();
    const unanswered = patience.bound(new Promise(() => {}));
    pass(5000);
    await expect(unanswered).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: "the database has not answered for 5 s",
    });
    expect(await patience.bound(Promise.resolve("answer"))).toBe("answer");
    await expect(patience.bound(Promise.reject(new Error("wrong")))).rejects.toThrow("wrong");
  });
});
