import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProjections, type Projections, source } from "../../src/store/projection.ts";
import { collection, GLOBAL, type Store } from "../../src/store/store.ts";
import { openTestStore } from "../support/store.ts";

const words = collection<string>("words", { changes: true });
const numbers = collection<number>("numbers", { changes: true });

interface Mirror {
  words: Map<string, string>;
  numbers: Map<string, number>;
}

function follow(
  store: Store,
  options: { mostBytes?: number; onEmpty?: () => void } = {},
): Projections<Mirror> {
  return createProjections<Mirror>({
    store,
    sources: [
      source(words, (mirror: Mirror, id, word) => put(mirror.words, id, word)),
      source(numbers, (mirror: Mirror, id, number) => put(mirror.numbers, id, number)),
    ],
    empty: () => {
      options.onEmpty?.();
      return { words: new Map(), numbers: new Map() };
    },
    weigh: () => 1000,
    ...(options.mostBytes !== undefined && { mostBytes: options.mostBytes }),
  });
}

function put<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}

function setWord(store: Store, id: string, word: string, space = GLOBAL): Promise<void> {
  return store.transact((tx) => tx.put(words, space, id, word));
}

describe("a projection", () => {
  it("has what was committed before it is read, deletions included", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    expect((await projections.read(GLOBAL)).words).toEqual(new Map());
    await setWord(store, "a", "one");
    await setWord(store, "b", "two");
    expect((await projections.read(GLOBAL)).words).toEqual(
      new Map([
        ["a", "one"],
        ["b", "two"],
      ]),
    );
    await store.transact((tx) => tx.delete(words, GLOBAL, "a"));
    expect((await projections.read(GLOBAL)).words).toEqual(new Map([["b", "two"]]));
  });

  it("keeps spaces apart", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    await setWord(store, "a", "here", "acc_1/one");
    await setWord(store, "a", "there", "acc_1/two");
    expect((await projections.read("acc_1/one")).words.get("a")).toBe("here");
    expect((await projections.read("acc_1/two")).words.get("a")).toBe("there");
  });

  it("shows every reader what was acknowledged before, while others write and read", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    const client = async (name: string) => {
      for (let round = 0; round < 30; round++) {
        await setWord(store, name, String(round));
        const seen = (await projections.read(GLOBAL)).words.get(name);
        expect(Number(seen)).toBeGreaterThanOrEqual(round);
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => client(`client-${index}`)));
  });

  it("shows several collections as of one instant", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    const write = async () => {
      for (let round = 0; round < 50; round++) {
        await store.transact(async (tx) => {
          await tx.put(words, GLOBAL, "round", String(round));
          await tx.put(numbers, GLOBAL, "round", round);
        });
      }
    };
    const read = async () => {
      for (let round = 0; round < 50; round++) {
        const mirror = await projections.read(GLOBAL);
        expect(String(mirror.numbers.get("round"))).toBe(String(mirror.words.get("round")));
      }
    };
    await Promise.all([write(), read(), read()]);
  });

  it("begins anew where it fell too far behind", async () => {
    const store = await openTestStore();
    let made = 0;
    const projections = follow(store, { onEmpty: () => made++ });
    await setWord(store, "gone", "soon");
    await projections.read(GLOBAL);
    const before = made;
    await store.transact(async (tx) => {
      await tx.delete(words, GLOBAL, "gone");
      for (let round = 0; round < 50_000; round++)
        await tx.put(words, GLOBAL, `w${round % 100}`, String(round));
    });
    const { words: mirrored } = await projections.read(GLOBAL);
    expect(made).toBeGreaterThan(before);
    expect(mirrored.size).toBe(100);
    expect(mirrored.get("w99")).toBe("49999");
    expect(mirrored.has("gone")).toBe(false);
  });

  it("applies nothing where nothing was written", async () => {
    const store = await openTestStore();
    await setWord(store, "a", "one");
    let applied = 0;
    const projections = createProjections({
      store,
      sources: [source(words, () => applied++)],
      empty: () => ({}),
      weigh: () => 0,
    });
    for (let round = 0; round < 5; round++) await projections.read(GLOBAL);
    expect(applied).toBe(1);
  });

  it("is given up when others need the memory, the one read least recently first, and made again", async () => {
    const store = await openTestStore();
    let made = 0;
    const projections = follow(store, { mostBytes: 7000, onEmpty: () => made++ });
    for (const space of ["a", "b", "c"]) await setWord(store, "id", space, space);
    const madeFor = async (space: string) => {
      const before = made;
      expect((await projections.read(space)).words.get("id")).toBe(space);
      return made > before;
    };
    for (const space of ["a", "b", "c"]) expect(await madeFor(space)).toBe(true);
    expect(await madeFor("a")).toBe(false);
    await setWord(store, "id", "d", "d");
    expect(await madeFor("d")).toBe(true);
    expect([await madeFor("a"), await madeFor("c")]).toEqual([false, false]);
    expect(await madeFor("b")).toBe(true);
  });

  it("goes on after the store failed to answer", async () => {
    const store = await openTestStore();
    let fails = false;
    const projections = follow({
      ...store,
      transact: (work) => (fails ? Promise.reject(new Error("away")) : store.transact(work)),
    });
    await setWord(store, "a", "one");
    fails = true;
    const failed = await Promise.allSettled([1, 2, 3].map(() => projections.read(GLOBAL)));
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    fails = false;
    expect((await projections.read(GLOBAL)).words.get("a")).toBe("one");
  });

  it("mirrors any history of writes, deletions and reads", async () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("put" as const), id, number: fc.integer() }),
      fc.record({ kind: fc.constant("delete" as const), id }),
      fc.record({ kind: fc.constant("read" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = await openTestStore();
        const projections = follow(store);
        const model = new Map<string, number>();
        for (const each of steps) {
          if (each.kind === "put") {
            model.set(each.id, each.number);
            await store.transact((tx) => tx.put(numbers, GLOBAL, each.id, each.number));
          } else if (each.kind === "delete") {
            model.delete(each.id);
            await store.transact((tx) => tx.delete(numbers, GLOBAL, each.id));
          } else {
            expect((await projections.read(GLOBAL)).numbers).toEqual(model);
          }
        }
        expect((await projections.read(GLOBAL)).numbers).toEqual(model);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a transaction that decides by a projection", () => {
  it("sees what was written since the projection was read, its own writes included", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    await setWord(store, "a", "one");
    await projections.read(GLOBAL);
    await setWord(store, "b", "two");
    await store.transact(async (tx) => {
      await tx.delete(words, GLOBAL, "a");
      const { projection, written } = await projections.within(tx, GLOBAL);
      expect(projection.words.get("a")).toBe("one");
      expect(written(words)).toEqual([{ id: "b", value: "two" }, { id: "a" }]);
      expect(written(numbers)).toEqual([]);
    });
  });

  it("has everything as written where nobody has read the projection yet", async () => {
    const store = await openTestStore();
    const projections = follow(store);
    await setWord(store, "a", "one");
    await store.transact(async (tx) => {
      const { projection, written } = await projections.within(tx, GLOBAL);
      expect(projection.words.size).toBe(0);
      expect(written(words)).toEqual([{ id: "a", value: "one" }]);
    });
  });
});
