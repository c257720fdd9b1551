import { describe, expect, it } from "vitest";
import { advisoryLockKeys, countersLock, documentsLock } from "../../../src/store/postgres/advisory-locks.ts";
import { Footprint } from "../../../src/store/postgres/footprint.ts";
import { counterKey } from "../../../src/store/postgres/writes.ts";

describe("the turns of a transaction", () => {
  it("cover all documents, counters and ranges that it touches", () => {
    const footprint = new Footprint();
    footprint.read("notes", "s", "a");
    footprint.overwrite("users", "s", "a");
    footprint.insert("keys", "t", "a");
    footprint.count(counterKey("visits", "s", "a"));
    footprint.range(documentsLock("lists", "s"));
    expect([...footprint.turns]).toEqual([
      documentsLock("notes", "s"),
      documentsLock("users", "s"),
      documentsLock("keys", "t"),
      countersLock("s"),
      documentsLock("lists", "s"),
    ]);
    expect([...footprint.documents.values()]).toEqual([
      { collection: "notes", space: "s", id: "a" },
      { collection: "keys", space: "t", id: "a" },
    ]);
    expect([...footprint.counters.values()]).toEqual([counterKey("visits", "s", "a")]);
  });

  it("differ between tables and between spaces", () => {
    const turns = [
      documentsLock("notes", "s"),
      documentsLock("notes", "t"),
      documentsLock("users", "s"),
      countersLock("s"),
      countersLock("t"),
    ];
    expect(new Set(turns).size).toBe(turns.length);
  });

  it("have FNV-1a lock keys, sorted and without duplicates", () => {
    // Test vectors of FNV-1a, 32 bits (draft-eastlake-fnv, appendix C).
    const vectors = { "": 0x811c9dc5, a: 0xe40c292c, b: 0xe70c2de5, foobar: 0xbf9cf968 };
    const keys = Object.values(vectors).map((key) => key | 0);
    expect(advisoryLockKeys(Object.keys(vectors))).toEqual(keys.sort((left, right) => left - right));
    expect(advisoryLockKeys(["a", "a"])).toEqual([0xe40c292c | 0]);
  });
});

describe("the footprint of a transaction", () => {
  it("is not marked as writing if the transaction only reads", () => {
    const footprint = new Footprint();
    footprint.read("notes", "s", "a");
    footprint.range(documentsLock("notes", "s"));
    expect(footprint.writes).toBe(false);
  });

  it.each<[string, (footprint: Footprint) => void]>([
    ["inserts", (footprint) => footprint.insert("notes", "s", "a")],
    ["overwrites", (footprint) => footprint.overwrite("notes", "s", "a")],
    ["counts", (footprint) => footprint.count(counterKey("visits", "s", "a"))],
  ])("is marked as writing and able to share a group if the transaction %s", (_, touch) => {
    const footprint = new Footprint();
    touch(footprint);
    expect(footprint).toMatchObject({ writes: true, alone: false, size: 1 });
  });

  it("is marked as alone if the transaction reads a range or touches more than 250 entries", () => {
    const ranging = new Footprint();
    ranging.range(countersLock("s"));
    expect(ranging).toMatchObject({ alone: true, ranges: true });
    const large = new Footprint();
    for (let index = 0; index < 100; index++) {
      large.read("notes", "s", `${index}`);
      large.count(counterKey("visits", "s", `${index}`));
    }
    for (let index = 0; index < 50; index++) large.overwrite("notes", "s", `${index}`);
    expect(large).toMatchObject({ size: 250, alone: false });
    large.overwrite("notes", "s", "50");
    expect(large.alone).toBe(true);
  });

  it("allows cached reads for inserts, but not for overwrites", () => {
    const footprint = new Footprint();
    footprint.noteCachedRead("users", "s", "a");
    footprint.insert("notes", "s", "a");
    footprint.complete();
    expect(footprint.mayReadCache).toBe(true);
    expect([...footprint.documents.values()].map(({ collection }) => collection)).toEqual(["notes"]);
    footprint.overwrite("notes", "s", "b");
    footprint.complete();
    expect(footprint.mayReadCache).toBe(false);
    expect([...footprint.documents.values()].map(({ collection }) => collection)).toEqual(["notes", "users"]);
    expect(footprint.turns).toContain(documentsLock("users", "s"));
  });

  it("allows no cached reads after a stale one", () => {
    const footprint = new Footprint();
    footprint.noteCachedRead("users", "s", "a");
    footprint.readStaleCache = true;
    footprint.complete();
    expect(footprint.mayReadCache).toBe(false);
    expect(footprint.documents.size).toBe(1);
  });
});
