import fc from "fast-check";
import { expect, it } from "vitest";
import { GLOBAL, type ListOptions, type Store } from "../../store/store.ts";
import { notes, type OpenMedium, opened } from "./medium.ts";

/** @param times multiplies the runs of property tests */
export function listsConformance(medium: OpenMedium, times: number): void {
  it("orders ids by their UTF-8 bytes, not by their UTF-16 units", async () => {
    const { store } = await opened(medium);
    const ordered = ["", "A", "Z", "a", "aa", "b", "é", "日", "\ufb01", "\uffee", "😀", "😁", "😁a"].slice(1);
    expect([...ordered].sort(byBytes)).toEqual(ordered);
    await insertAll(store, [...ordered].reverse());
    expect(await idsOf(store)).toEqual(ordered);
    expect(await idsOf(store, { order: "descending" })).toEqual([...ordered].reverse());
  });

  it("pages in both directions", async () => {
    const { store } = await opened(medium);
    const ids = Array.from({ length: 25 }, (_, index) => `id${String(index).padStart(2, "0")}`);
    await insertAll(store, ids);
    for (const order of ["ascending", "descending"] as const) {
      const found: string[] = [];
      for (let page = await idsOf(store, { limit: 10, order }); page.length > 0; ) {
        found.push(...page);
        page = await idsOf(store, { limit: 10, order, after: found.at(-1) });
      }
      expect(found).toEqual(order === "ascending" ? ids : [...ids].reverse());
    }
  });

  it("takes a prefix literally", async () => {
    const { store } = await opened(medium);
    await insertAll(store, ["a", "a%b", "a_b", "a\\b", "ab", "b", "A_B", "a😀", "a\uffff"]);
    expect(await idsOf(store, { prefix: "a_" })).toEqual(["a_b"]);
    expect(await idsOf(store, { prefix: "a%" })).toEqual(["a%b"]);
    expect(await idsOf(store, { prefix: "a\\" })).toEqual(["a\\b"]);
    expect(await idsOf(store, { prefix: "a", order: "descending" })).toEqual([
      "a😀",
      "a\uffff",
      "ab",
      "a_b",
      "a\\b",
      "a%b",
      "a",
    ]);
    expect(await idsOf(store, { prefix: "c" })).toEqual([]);
  });

  it("continues after an id that does not exist", async () => {
    const { store } = await opened(medium);
    await insertAll(store, ["a", "c", "e"]);
    expect(await idsOf(store, { after: "b" })).toEqual(["c", "e"]);
    expect(await idsOf(store, { after: "d", order: "descending" })).toEqual(["c", "a"]);
    expect(await idsOf(store, { after: "e" })).toEqual([]);
    expect(await idsOf(store, { limit: 0 })).toEqual([]);
  });

  it("lists the same ids as a sorted model with any options", async () => {
    const { store } = await opened(medium);
    const id = fc.string({
      unit: fc.constantFrom("a", "b", "/", "é", "\uffee", "😀"),
      minLength: 1,
      maxLength: 4,
    });
    const options = fc.record(
      {
        after: id,
        prefix: fc.oneof(fc.constant(""), id),
        limit: fc.integer({ min: 1, max: 20 }),
        order: fc.constantFrom("ascending" as const, "descending" as const),
      },
      { requiredKeys: [] },
    );
    const present = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(id, { maxLength: 8 }),
        fc.array(id, { maxLength: 4 }),
        options,
        async (puts, deletes, query) => {
          await store.transact(async (tx) => {
            for (const put of puts) await tx.put(notes, GLOBAL, put, { text: put });
            for (const deleted of deletes) await tx.delete(notes, GLOBAL, deleted);
          });
          for (const put of puts) present.add(put);
          for (const deleted of deletes) present.delete(deleted);
          expect(await idsOf(store, query)).toEqual(expected([...present], query));
        },
      ),
      { numRuns: 40 * times },
    );
  });
}

async function insertAll(store: Store, ids: readonly string[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const id of ids) await tx.insert(notes, GLOBAL, id, { text: id });
  });
}

/** Returns the ids, and checks that `list` and `ids` agree. */
async function idsOf(store: Store, options?: ListOptions): Promise<string[]> {
  const [entries, ids] = await store.transact(async (tx) => [
    await tx.list(notes, GLOBAL, options),
    await tx.ids(notes, GLOBAL, options),
  ]);
  for (const { id, value } of entries) expect(value).toEqual({ text: id });
  expect(ids).toEqual(entries.map(({ id }) => id));
  return ids;
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function expected(ids: string[], { after, prefix = "", limit, order = "ascending" }: ListOptions): string[] {
  const sign = order === "ascending" ? 1 : -1;
  return ids
    .sort((left, right) => sign * byBytes(left, right))
    .filter((id) => id.startsWith(prefix) && (after === undefined || sign * byBytes(id, after) > 0))
    .slice(0, limit);
}
