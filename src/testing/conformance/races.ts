import { expect, it } from "vitest";
import { Conflict, GLOBAL } from "../../store/store.ts";
import { notes, type OpenMedium, opened, things } from "./medium.ts";

const RIVALS = Array.from({ length: 25 }, (_, index) => index);

export function racesConformance(medium: OpenMedium): void {
  it("lets exactly one of many concurrent inserts of an id succeed", async () => {
    const { store } = await opened(medium);
    const outcomes = await Promise.allSettled(
      RIVALS.map((rival) =>
        store.transact(async (tx) => {
          await tx.increment("attempts", GLOBAL, "all", 1);
          await tx.insert(notes, GLOBAL, "only", { text: `${rival}` });
          return rival;
        }),
      ),
    );
    const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Conflict);
    }
    const left = await store.transact(async (tx) => [
      await tx.get(notes, GLOBAL, "only"),
      await tx.increment("attempts", GLOBAL, "all", 0),
    ]);
    expect(left).toEqual([{ text: `${winners[0]}` }, 1]);
  });

  it("lets exactly one of many concurrent transactions consume a code", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.insert(notes, GLOBAL, "code", { text: "secret" }));
    const consumed = await Promise.all(
      RIVALS.map(() =>
        store.transact(async (tx) => {
          const code = await tx.get(notes, GLOBAL, "code");
          if (code) await tx.delete(notes, GLOBAL, "code");
          return code !== undefined;
        }),
      ),
    );
    expect(consumed.filter(Boolean)).toHaveLength(1);
  });

  it("returns a distinct total for each concurrent increment", async () => {
    const { store } = await opened(medium);
    const totals = await Promise.all(
      Array.from({ length: 300 }, () => store.transact((tx) => tx.increment("visits", GLOBAL, "a", 1))),
    );
    expect(totals.sort((left, right) => left - right)).toEqual(
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
  });

  it("loses no update to a document that many transactions read and write", async () => {
    const { store } = await opened(medium);
    await store.transact((tx) => tx.put(things, GLOBAL, "n", 0));
    await Promise.all(
      RIVALS.map(() =>
        store.transact(async (tx) => {
          const n = (await tx.get(things, GLOBAL, "n")) as number;
          await tx.put(things, GLOBAL, "n", n + 1);
        }),
      ),
    );
    expect(await store.transact((tx) => tx.get(things, GLOBAL, "n"))).toBe(RIVALS.length);
  });

  it("prevents write skew between transactions", async () => {
    const { store } = await opened(medium);
    await store.transact(async (tx) => {
      for (const rival of RIVALS) await tx.put(notes, GLOBAL, `admin${rival}`, { text: "on duty" });
    });
    await Promise.allSettled(
      RIVALS.map((rival) =>
        store.transact(async (tx) => {
          const admins = await tx.list(notes, GLOBAL, { prefix: "admin" });
          if (admins.length === 1) throw new Error("the last one stays");
          await tx.delete(notes, GLOBAL, `admin${rival}`);
        }),
      ),
    );
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(1);
  });

  it("prevents phantoms when transactions count documents before an insert", async () => {
    const { store } = await opened(medium);
    await Promise.allSettled(
      RIVALS.map((rival) =>
        store.transact(async (tx) => {
          if ((await tx.list(notes, GLOBAL, { prefix: "seat" })).length >= 5) throw new Error("full");
          await tx.insert(notes, GLOBAL, `seat${rival}`, { text: "taken" });
        }),
      ),
    );
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toHaveLength(5);
  });

  it("never shows half of a transaction", async () => {
    const { store } = await opened(medium);
    const keys = ["a", "b", "c", "d"];
    const write = (n: number) =>
      store.transact(async (tx) => {
        for (const key of keys) await tx.put(things, GLOBAL, key, n);
        await tx.increment("writes", GLOBAL, "n", 1);
      });
    await write(0);
    const reads = RIVALS.flatMap((n) => [
      write(n).then(() => undefined),
      store.transact(async (tx) => {
        const listed = (await tx.list(things, GLOBAL)).map(({ value }) => value);
        const single: unknown[] = [];
        for (const key of keys) single.push(await tx.get(things, GLOBAL, key));
        return [...listed, ...single];
      }),
    ]);
    for (const seen of await Promise.all(reads)) expect(new Set(seen ?? [0]).size).toBe(1);
  });
}
