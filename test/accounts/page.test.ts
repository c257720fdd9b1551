import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  inSlices,
  listPage,
  placeAt,
  type SortKey,
  searchPage,
  sortedPage,
  sortedSearchPage,
  textSortKey,
  viewed,
} from "../../src/accounts/page.ts";
import { collection, GLOBAL } from "../../src/store/store.ts";
import { openTestStore } from "../support/store.ts";
import { problem } from "./fixture.ts";

const numbers = collection<number>("numbers");
const idOf = (number: number) => String(number).padStart(5, "0");

/** Opens a store that holds the numbers from 0 on. */
async function storeOf(count: number) {
  const store = await openTestStore({ collections: [numbers] });
  await store.transact(async (tx) => {
    for (let number = 0; number < count; number++) await tx.put(numbers, GLOBAL, idOf(number), number);
  });
  return store;
}

describe("listPage()", () => {
  it("returns a cursor unless the page contains the last item", async () => {
    const store = await storeOf(4);
    const page = (limit: number, cursor?: string) =>
      listPage(store, numbers, GLOBAL, { limit, cursor }).then((found) =>
        viewed(found, ({ value }) => value),
      );
    expect(await page(3)).toEqual({ items: [0, 1, 2], nextCursor: "00002" });
    expect(await page(3, "00002")).toEqual({ items: [3] });
    expect(await page(4)).toEqual({ items: [0, 1, 2, 3] });
    expect(await page(4, "00003")).toEqual({ items: [] });
  });
});

describe("searchPage()", () => {
  it("fills the page with matches and continues behind the last one shown", async () => {
    const store = await storeOf(20);
    const page = (limit: number, cursor?: string) =>
      searchPage(store, numbers, GLOBAL, { limit, cursor }, (number) => number % 5 === 0);
    expect(await page(2)).toEqual({ items: [0, 5], nextCursor: "00005" });
    expect(await page(2, "00005")).toEqual({ items: [10, 15] });
    expect(await page(4)).toEqual({ items: [0, 5, 10, 15] });
  });

  it("ends a page after about 10,000 items examined and continues behind them", async () => {
    const store = await storeOf(14_000);
    const rare = (number: number) => number === 3 || number === 13_999;
    const { items, nextCursor } = await searchPage(store, numbers, GLOBAL, { limit: 5 }, rare);
    expect(items).toEqual([3]);
    expect(Number(nextCursor)).toBeGreaterThanOrEqual(9_999);
    expect(Number(nextCursor)).toBeLessThan(12_500);
    const next = await searchPage(store, numbers, GLOBAL, { limit: 5, cursor: nextCursor }, rare);
    expect(next).toEqual({ items: [13_999] });
  });
});

describe("inSlices()", () => {
  it("reads a whole collection in either order, from an id, and with a small first slice", async () => {
    const store = await storeOf(5001);
    const sizes: number[] = [];
    const read: number[] = [];
    for await (const slice of inSlices(store, numbers, GLOBAL, { order: "descending", after: "05000" })) {
      sizes.push(slice.length);
      read.push(...slice.map(({ value }) => value));
    }
    expect(sizes).toEqual([2500, 2500, 0]);
    expect(read).toEqual(Array.from({ length: 5000 }, (_, index) => 4999 - index));
    const first: number[] = [];
    for await (const slice of inSlices(store, numbers, GLOBAL, { first: 3 })) first.push(slice.length);
    expect(first).toEqual([3, 2500, 2498]);
  });
});

describe("a sorted page", () => {
  const item = fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e", "f"), rank: fc.nat(2) });
  const all = fc.uniqueArray(item, { selector: ({ id }) => id });
  const sortKeyOf = ({ rank, id }: { rank: number; id: string }): SortKey => [rank, id];

  it("lists each item once in order, whether given or searched in a collection", async () => {
    const items = collection<{ id: string; rank: number }>("items");
    await fc.assert(
      fc.asyncProperty(
        all,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom("rank" as const, "-rank" as const),
        async (given, limit, sort) => {
          const store = await openTestStore({ collections: [items] });
          await store.transact(async (tx) => {
            for (const each of given) await tx.put(items, GLOBAL, each.id, each);
          });
          const key = ({ rank, id }: { rank: number; id: string }) => `${rank}${id}`;
          const sorted = [...given].sort((one, other) => (key(one) < key(other) ? -1 : 1));
          const expected = sort === "rank" ? sorted : sorted.reverse();
          const shown: unknown[] = [];
          for (let cursor: string | undefined, pages = 0; ; pages++) {
            const request = { limit, cursor, sort, sortKeyOf };
            const page = sortedPage(given, request);
            expect(await sortedSearchPage(store, items, GLOBAL, request, () => true)).toEqual(page);
            expect(page.items).toEqual(expected.slice(pages * limit, (pages + 1) * limit));
            shown.push(...page.items);
            cursor = page.nextCursor;
            if (cursor === undefined) break;
          }
          expect(shown).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("sorts texts by their first 60 characters, regardless of case", () => {
    expect(textSortKey("ÄB", "id")).toEqual(["äb", "id"]);
    expect(textSortKey(`${"X".repeat(60)}Y`, "id")).toEqual(["x".repeat(60), "id"]);
  });

  it.each<[string, unknown]>([
    ["nothing", ""],
    ["no JSON", "["],
    ["null", null],
    ["a number", 7],
    ["half of one", ["a"]],
    ["one without an id", ["a", 1]],
    ["one at no value", [null, "a"]],
    ["one at a list", [["a"], "b"]],
    ["one behind an id with a NUL", ["a", "b\u0000"]],
    ["one behind an id with half a character", ["a", "b\ud800"]],
  ])("refuses a cursor that is %s", (_, cursor) => {
    const text = typeof cursor === "string" ? cursor : JSON.stringify(cursor);
    const attempt = () => placeAt(Buffer.from(text).toString("base64url"));
    expect(attempt).toThrow(
      expect.objectContaining({
        ...problem("invalid_request"),
        extras: { errors: [{ path: "cursor", message: "is no cursor of this list" }] },
      }),
    );
  });

  it.each<[SortKey]>([[["a", "b"]], [[1.5, "b"]]])("accepts the cursor at %j", (place) => {
    expect(placeAt(Buffer.from(JSON.stringify(place)).toString("base64url"))).toEqual(place);
  });
});
