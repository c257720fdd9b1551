import { describe, expect, it } from "vitest";
import type { Statement } from "../../../src/store/postgres/connection/connections.ts";
import { createLookups } from "../../../src/store/postgres/lookups.ts";

/** Creates lookups on a fake database of rows by table, space and id. */
function database(rows: Record<string, string | null>, totals: Record<string, number> = {}) {
  const sent: Statement[] = [];
  const lookups = createLookups(async <R>(statement: Statement) => {
    sent.push(statement);
    const [first, second, third] = statement.values as string[][];
    if (statement.name === "find counters") {
      return (first ?? []).flatMap((counter, index) => {
        const [space, id] = [second?.[index], third?.[index]];
        const total = totals[`${counter}/${space}/${id}`];
        return total === undefined ? [] : [{ counter, space, id, total: String(total) }];
      }) as R[];
    }
    const table = statement.name?.replace("find ", "");
    return (first ?? []).flatMap((space, index) => {
      const value = rows[`${table}/${space}/${second?.[index]}`];
      return value === undefined ? [] : [{ space, id: second?.[index], value, expires_at: 7 }];
    }) as R[];
  });
  return { lookups, sent };
}

describe("looking up documents", () => {
  it("queries each table once, and each document once", async () => {
    const { lookups, sent } = database({ "notes/s/a": "1", "notes/t/a": "2", "users/s/a": "3" });
    const found = await Promise.all([
      lookups.document("notes", "s", "a"),
      lookups.document("notes", "t", "a"),
      lookups.document("notes", "s", "a"),
      lookups.document("users", "s", "a"),
    ]);
    expect(found.map((row) => row?.text)).toEqual(["1", "2", "1", "3"]);
    expect(found[0]?.expiresAt).toBe(7);
    expect(sent.map(({ values }) => values)).toEqual([
      [
        ["s", "t"],
        ["a", "a"],
      ],
      [["s"], ["a"]],
    ]);
  });

  it("finds no missing or deleted document", async () => {
    const { lookups } = database({ "notes/s/gone": null });
    expect(await lookups.document("notes", "s", "gone")).toBeUndefined();
    expect(await lookups.document("notes", "s", "never")).toBeUndefined();
  });

  it("counts rounds of queries, with documents asked for together as one round", async () => {
    const { lookups } = database({});
    const together = [lookups.document("notes", "s", "a"), lookups.document("notes", "s", "b")];
    expect(lookups.rounds()).toBe(0);
    await Promise.all(together);
    expect(lookups.rounds()).toBe(1);
    await lookups.document("notes", "s", "a");
    expect(lookups.rounds()).toBe(2);
    await lookups.total("visits", "s", "a");
    expect(lookups.rounds()).toBe(2);
  });

  it("fails for all documents of a failed round, but not for later ones", async () => {
    let fails = true;
    const lookups = createLookups(async () => {
      if (fails) throw new Error("away");
      return [];
    });
    const asked = [lookups.document("notes", "s", "a"), lookups.document("notes", "s", "b")];
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    fails = false;
    expect(await lookups.document("notes", "s", "a")).toBeUndefined();
  });
});

describe("looking up counters", () => {
  it("queries all counters at once, and returns 0 for missing ones", async () => {
    const { lookups, sent } = database({}, { "visits/s/a": 5, "likes/s/a": 6 });
    const totals = [
      lookups.total("visits", "s", "a"),
      lookups.total("likes", "s", "a"),
      lookups.total("visits", "t", "a"),
    ];
    expect(await Promise.all(totals)).toEqual([5, 6, 0]);
    expect(sent).toHaveLength(1);
  });
});
