import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { imageOf, notes, notesOf, openAt, put } from "./directory.ts";
import { gate } from "./faulty-files.ts";

describe("the queue of transactions", () => {
  it("rejects a transaction that awaits another one, and continues with the next", async () => {
    const clock = fakeClock();
    const store = await openAt(temporaryDirectory(), { clock });
    const nested = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "outer", { text: "outer" });
      await put(store, "inner");
      await tx.put(notes, GLOBAL, "late", { text: "late" });
    });
    let refused = false;
    const refusal = expect(nested.finally(() => (refused = true))).rejects.toThrow(
      "may await nothing but its tx",
    );
    for (let second = 0; second < 10; second++) clock.advance(1000);
    await new Promise(setImmediate);
    expect(refused).toBe(false);
    clock.advance(1000);
    await refusal;
    await put(store, "after");
    expect(await notesOf(store)).toEqual({ inner: "inner", after: "after" });
  });

  it("keeps the writes of an unfinished transaction off the disk", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    const { closed, open } = gate();
    const whole = put(store, "whole");
    const halfWay = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "half", { text: "half" });
      await closed;
      throw new Error("on purpose");
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await notesOf(await openAt(imageOf(directory)))).not.toHaveProperty("half");
    open();
    await expect(halfWay).rejects.toThrow("on purpose");
    await whole;
    expect(await notesOf(await openAt(imageOf(directory)))).toEqual({ whole: "whole" });
  });

  it("runs transactions in the order of their calls", async () => {
    const store = await openAt(temporaryDirectory());
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        store.transact(async (tx) => {
          if (index % 3 === 0) await tx.get(notes, GLOBAL, "a");
          order.push(index);
        }),
      ),
    );
    expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index));
  });

  it("yields to the event loop during a long series of transactions", async () => {
    const store = await openAt(temporaryDirectory());
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    const read = () => store.transact((tx) => tx.get(notes, GLOBAL, "a"));
    for (let count = 0; count < 20_000; count++) await read();
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
  });

  it("rejects a transaction whose work throws synchronously", async () => {
    const store = await openAt(temporaryDirectory());
    const failing = store.transact(() => {
      throw new Error("at once");
    });
    await expect(failing).rejects.toThrow("at once");
    await put(store, "after");
  });
});
