import { describe, expect, it } from "vitest";
import { writeStatements } from "../../../../src/store/postgres/statements/write.ts";
import { counterKey, Writes } from "../../../../src/store/postgres/writes.ts";

const COLLECTIONS = new Map(
  [
    { name: "plain", changes: false, cached: false },
    { name: "also_plain", changes: false, cached: false },
    { name: "followed", changes: true, cached: false },
  ].map((collection) => [collection.name, collection]),
);

function writesOf(...keys: [collection: string, space: string, id: string][]): Writes {
  const writes = new Writes();
  for (const [collection, space, id] of keys)
    writes.write({ collection, space, id, text: `"${id}"`, expiresAt: Infinity });
  return writes;
}

describe("writeStatements()", () => {
  it("returns no statements for no writes", () => {
    expect(writeStatements(new Writes(), COLLECTIONS)).toEqual([]);
  });

  it("sorts statements and rows, so that concurrent writers cannot deadlock", () => {
    const keys: [string, string, string][] = [
      ["plain", "s", "b"],
      ["also_plain", "t", "a"],
      ["followed", "t", "a"],
      ["plain", "s", "a"],
      ["followed", "s", "b"],
      ["plain", "r", "c"],
    ];
    const one = writeStatements(writesOf(...keys), COLLECTIONS);
    const other = writeStatements(writesOf(...keys.toReversed()), COLLECTIONS);
    expect(one).toEqual(other);
    expect(one.map(({ name }) => name)).toEqual([
      "put also_plain",
      "put followed followed",
      "put followed followed",
      "put plain",
    ]);
    expect(one.slice(1, 3).map(({ values }) => values?.[1])).toEqual(["s", "t"]);
    expect(one[3]?.values?.slice(0, 2)).toEqual([
      ["r", "s", "s"],
      ["c", "a", "b"],
    ]);
  });

  it("puts counters before documents, each counter once with its sum", () => {
    const writes = writesOf(["plain", "s", "a"]);
    for (const id of ["b", "a", "b"]) writes.add(counterKey("visits", "s", id), 2);
    const [counters, documents] = writeStatements(writes, COLLECTIONS);
    expect(counters?.values).toEqual([
      ["visits", "visits"],
      ["s", "s"],
      ["a", "b"],
      [2, 4],
    ]);
    expect(documents?.name).toBe("put plain");
  });

  it("keeps the order of writes in a collection with a change feed", () => {
    const [statement] = writeStatements(
      writesOf(
        ["followed", "s", "c"],
        ["followed", "s", "a"],
        ["followed", "s", "b"],
        ["followed", "s", "c"],
      ),
      COLLECTIONS,
    );
    expect(statement?.values?.[2]).toEqual(["a", "b", "c"]);
  });

  it("writes an unknown collection as one with a change feed", () => {
    expect(writeStatements(writesOf(["unknown", "s", "a"]), COLLECTIONS)[0]?.name).toBe(
      "put followed unknown",
    );
  });

  it("writes a deletion as a row without a value", () => {
    const writes = new Writes();
    writes.write({ collection: "plain", space: "s", id: "a", text: undefined, expiresAt: 0 });
    expect(writeStatements(writes, COLLECTIONS)[0]?.values).toEqual([["s"], ["a"], [null], [0]]);
  });
});
