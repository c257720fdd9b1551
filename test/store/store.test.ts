import { describe, expect, it } from "vitest";
import { TargetNotEmpty } from "../../src/store/copy.ts";
import { StoreDamaged } from "../../src/store/json-file/journal/layout.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { finish } from "../../src/store/projection.ts";
import {
  accountOf,
  accountSpace,
  Conflict,
  collection,
  GLOBAL,
  NoRoom,
  ownerOf,
  projectSpace,
  ReadOnly,
  StoreUnavailable,
} from "../../src/store/store.ts";
import { NotFilled } from "../../src/store/store-errors.ts";
import { fakeClock } from "../support/clock.ts";

describe("collection()", () => {
  it("accepts only snake_case names of at most 40 characters", () => {
    for (const name of ["a", "api_keys", "v2", `n${"x".repeat(39)}`])
      expect(collection(name).name).toBe(name);
    const bad = ["", "A", "2a", "_a", "a-b", "a b", "aB", 'a"; DROP TABLE b', "a\n", `n${"x".repeat(40)}`];
    for (const name of bad) expect(() => collection(name)).toThrow("is no name for a collection");
  });

  it("declares neither a change feed nor caching by default", () => {
    expect(collection("a")).toEqual({ name: "a", changes: false, cached: false });
    expect(collection("a", { changes: true })).toEqual({ name: "a", changes: true, cached: false });
    expect(collection("a", { cached: true })).toEqual({ name: "a", changes: false, cached: true });
  });
});

describe("a space", () => {
  it("belongs to its account or its project's account, unless it is global", () => {
    for (const space of [accountSpace("acc_1"), projectSpace("acc_1", "web")]) {
      expect(accountOf(space)).toBe("acc_1");
      expect(ownerOf(space)).toBe("acc_1");
    }
    expect(accountOf(GLOBAL)).toBeUndefined();
    expect(ownerOf(GLOBAL)).toBe(GLOBAL);
    // A project's space belongs to its account, whatever the project's name.
    expect(accountOf(projectSpace("acc_1", GLOBAL))).toBe("acc_1");
  });

  it("is made of ids alone: one of `undefined` would be everybody's", () => {
    const caller = { accountId: "acc_1", projectId: "web" } as never;
    for (const ids of [[caller], ["acc_1"], [undefined, "web"], ["", "web"], ["acc_1", ""]] as [
      string,
      string,
    ][])
      expect(() => projectSpace(...ids)).toThrow("projectSpace(caller.accountId, caller.projectId)");
    for (const id of [caller, undefined, ""] as string[])
      expect(() => accountSpace(id)).toThrow("accountSpace(caller.accountId)");
  });
});

describe("NoRoom.of()", () => {
  const most = { bytes: 100, documents: 10 };
  const refusal = (bytes: [after: number, grown: number], documents: [after: number, grown: number]) =>
    NoRoom.of(
      most,
      { bytes: bytes[0], documents: documents[0] },
      { bytes: bytes[1], documents: documents[1] },
    );

  it("allows use up to the bound, and beyond it writes that do not grow", () => {
    expect(refusal([100, 5], [10, 1])).toBeUndefined();
    expect(refusal([200, 0], [20, 0])).toBeUndefined();
    expect(refusal([200, -1], [20, -1])).toBeUndefined();
  });

  it("refuses growth beyond a bound, naming the bound and the use before and after", () => {
    expect(refusal([101, 5], [10, 1])).toMatchObject({
      name: "NoRoom",
      bound: "storageBytes",
      limit: 100,
      used: 96,
      wanted: 101,
    });
    expect(refusal([50, 5], [12, 3])).toMatchObject({ bound: "documents", limit: 10, used: 9, wanted: 12 });
    // A decrease in documents does not hide an increase in bytes.
    expect(refusal([101, 1], [12, -1])).toMatchObject({ bound: "storageBytes" });
    expect(refusal([101, -1], [12, 1])).toMatchObject({ bound: "documents" });
  });
});

describe("a store in memory", () => {
  const notes = collection<string>("notes");

  it("keeps the writes of a transaction, but not those of a failed one", async () => {
    const store = openMemoryStore(fakeClock());
    await store.transact((tx) => tx.put(notes, GLOBAL, "a", "kept"));
    const failing = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "a", "lost");
      await tx.put(notes, GLOBAL, "b", "lost");
      throw new Error("its own");
    });
    await expect(failing).rejects.toThrow("its own");
    expect(await store.transact((tx) => tx.list(notes, GLOBAL))).toEqual([{ id: "a", value: "kept" }]);
    await store.close();
  });

  it("accepts writes within the given bounds, refuses growth beyond them, and no transaction once closed", async () => {
    const store = openMemoryStore(fakeClock());
    const write = (id: string, length: number) =>
      store.transact(async (tx) => {
        await tx.put(notes, "acc", id, "x".repeat(length));
        await tx.assertRoom("acc", { bytes: 2000, documents: 1 });
      });
    await write("a", 1000);
    await expect(write("b", 1)).rejects.toMatchObject({ bound: "documents", limit: 1, used: 1, wanted: 2 });
    await expect(write("a", 2001)).rejects.toMatchObject({ bound: "storageBytes", limit: 2000 });
    const kept = await store.transact((tx) => tx.list(notes, "acc"));
    expect(kept).toEqual([{ id: "a", value: "x".repeat(1000) }]);
    await store.close();
    await expect(store.transact(async () => {})).rejects.toThrow("the store is closed");
  });
});

it("finish() runs all steps and returns their result", () => {
  const done: number[] = [];
  function* steps(): Generator<void, string> {
    for (let step = 0; step < 3; step++) {
      done.push(step);
      yield;
    }
    return "answer";
  }
  expect(finish(steps())).toBe("answer");
  expect(done).toEqual([0, 1, 2]);
});

it.each<[Error, string, string]>([
  [new Conflict("notes", "n1"), "Conflict", "notes n1 exists already"],
  [new NoRoom("documents", 10, 9, 12), "NoRoom", "documents: 12 would be more than 10"],
  [new StoreUnavailable("away"), "StoreUnavailable", "away"],
  [new ReadOnly("it's being moved."), "ReadOnly", "it's being moved."],
  [new NotFilled("./data", "fill another"), "NotFilled", "./data is not whole"],
  [new TargetNotEmpty("./data"), "TargetNotEmpty", "./data holds data already"],
  [new StoreDamaged("a.json", 7, "it is torn"), "StoreDamaged", "a.json, line 7: it is torn"],
])("%s has its own name and message", (error, name, message) => {
  expect(error.name).toBe(name);
  expect(error.message.startsWith(message)).toBe(true);
});
