import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tables } from "../../../src/store/json-file/tables.ts";
import { COUNTER_BYTES } from "../../../src/store/storage-use.ts";
import { accountSpace, GLOBAL, projectSpace } from "../../../src/store/store.ts";

const ACCOUNTS = ["acc_a", "acc_b"] as const;
const PLACES = [
  { kind: "put", name: "notes", space: accountSpace("acc_a") },
  { kind: "put", name: "notes", space: projectSpace("acc_a", "web") },
  { kind: "put", name: "notes", space: accountSpace("acc_b") },
  { kind: "put", name: "others", space: GLOBAL },
  { kind: "count", name: "visits", space: projectSpace("acc_b", "web") },
] as const;

/** An immutable state of the model, by place and id. */
type State = ReadonlyMap<string, { at: number; id: string; content: string | number; expiresAt: number }>;

/** Adds up the use of storage of an account, or of all rows. */
function takenBy(state: State, account?: (typeof ACCOUNTS)[number]) {
  const use = { bytes: 0, documents: 0, heapBytes: 0 };
  for (const { at, id, content } of state.values()) {
    const { space } = PLACES[at] as (typeof PLACES)[number];
    const text = typeof content === "string" ? content : "";
    const isAscii = /^[\0-\x7f]*$/.test(id + text);
    use.heapBytes += 200 + (isAscii || typeof content === "number" ? 1 : 2) * (id.length + text.length);
    if (account !== undefined && space !== account && !space.startsWith(`${account}/`)) continue;
    use.bytes +=
      Buffer.byteLength(id) + (typeof content === "number" ? COUNTER_BYTES : Buffer.byteLength(content));
    use.documents += typeof content === "string" ? 1 : 0;
  }
  return use;
}

/** Returns the contents of the tables as a state. */
function heldBy(tables: Tables): State {
  const held = new Map<string, { at: number; id: string; content: string | number; expiresAt: number }>();
  for (const table of tables.all()) {
    const at = PLACES.findIndex(
      ({ kind, name, space }) => kind === table.kind && name === table.name && space === table.space,
    );
    expect([...table.ids.ascending(() => false)]).toEqual([...table.rows.keys()].sort());
    for (const [id, { content, expiresAt }] of table.rows)
      held.set(`${at} ${id}`, { at, id, content, expiresAt });
  }
  return held;
}
const sorted = (state: State) => [...state].sort(([one], [other]) => (one < other ? -1 : 1));

const write = fc.record({
  type: fc.constant("write" as const),
  at: fc.nat({ max: PLACES.length - 1 }),
  id: fc.constantFrom("a", "b", "ü"),
  content: fc.option(fc.constantFrom("", "text", "täxt", "\u{1f600}"), { nil: undefined }),
  expiresAt: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
});
const step = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("rollBack" as const), keep: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.constantFrom({ type: "save" as const }, { type: "saved" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "forsake" as const }) },
);

describe("tables in memory", () => {
  it("hold and count exactly the writes that were not undone, through saves and rollbacks", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tables = new Tables();
        let state: State = new Map();
        /** The state before each unsaved write. `saving` has that before each group on its way to the disk. */
        let unsaved: State[] = [];
        let saving: { before: State; versions: number[] }[] = [];
        let written: { at: number; id: string }[] = [];
        let opened = new Set<number>();
        for (const each of steps) {
          if (each.type === "write") {
            const { kind, name, space } = PLACES[each.at] as (typeof PLACES)[number];
            const content = each.content === undefined || kind === "put" ? each.content : each.content.length;
            opened = new Set([...opened, each.at]);
            tables.write(tables.obtain(kind, name, space), each.id, content, each.expiresAt);
            unsaved.push(state);
            written.push({ at: each.at, id: each.id });
            const next = new Map(state);
            const key = `${each.at} ${each.id}`;
            if (content === undefined) next.delete(key);
            else {
              const expiresAt = each.expiresAt ?? Number.POSITIVE_INFINITY;
              next.set(key, { at: each.at, id: each.id, content, expiresAt });
            }
            state = next;
          } else if (each.type === "rollBack") {
            const keep = Math.min(each.keep, unsaved.length);
            const before = unsaved[keep] ?? state;
            for (const account of ACCOUNTS) {
              const [is, was] = [takenBy(state, account), takenBy(before, account)];
              expect(tables.grown(keep, account)).toEqual({
                bytes: is.bytes - was.bytes,
                documents: is.documents - was.documents,
                heapBytes: is.heapBytes - was.heapBytes,
              });
            }
            tables.rollBack(keep);
            state = before;
            unsaved = unsaved.slice(0, keep);
            written = written.slice(0, keep);
          } else if (each.type === "save") {
            const yielded = [...tables.save()].map(({ table, id, row }) => [
              table.name,
              table.space,
              id,
              row?.content,
            ]);
            // The last write to each id, in the order of writing.
            const last = written.filter(
              ({ at, id }, index) =>
                !written.slice(index + 1).some((other) => other.at === at && other.id === id),
            );
            const expected = last.map(({ at, id }) => {
              const { name, space } = PLACES[at] as (typeof PLACES)[number];
              return [name, space, id, state.get(`${at} ${id}`)?.content];
            });
            // Deletions of an id look alike, so an id that was deleted twice is yielded twice.
            const isOnce = (entry: unknown[]) => entry[3] !== undefined;
            expect(yielded.filter(isOnce)).toEqual(expected.filter(isOnce));
            saving.push({ before: unsaved[0] ?? state, versions: [tables.version] });
            unsaved = [];
            written = [];
          } else if (each.type === "saved") {
            const group = saving.shift();
            if (group) tables.saved(group.versions[0] as number);
          } else {
            tables.undoAllUnsaved();
            state = saving[0]?.before ?? unsaved[0] ?? state;
            [unsaved, saving, written] = [[], [], []];
            expect(tables.durable).toBe(tables.version);
          }
          expect(tables.unsaved).toBe(unsaved.length);
          expect(sorted(heldBy(tables))).toEqual(sorted(state));
          for (const account of ACCOUNTS) {
            const { bytes, documents } = takenBy(state, account);
            expect(tables.storage.of(account)).toEqual({ bytes, documents });
          }
          expect(tables.storage.heapBytes).toBe(500 * opened.size + takenBy(state).heapBytes);
        }
      }),
    );
  });

  it("are durable up to the saved group, or up to the last write if nothing is pending", () => {
    const tables = new Tables();
    const notes = tables.obtain("put", "notes", GLOBAL);
    const save = (...ids: string[]) => {
      for (const id of ids) tables.write(notes, id, "x");
      expect([...tables.save()].map(({ id }) => id)).toEqual(ids);
      return tables.version;
    };
    const [first, second] = [save("a", "b"), save("c")];
    expect(tables.durable).toBe(0);
    tables.saved(first);
    expect(tables.durable).toBe(first);
    tables.write(notes, "d", "x");
    tables.rollBack(0);
    // The second group is still being written.
    expect(tables.durable).toBe(first);
    tables.saved(second);
    tables.write(notes, "e", "x");
    tables.rollBack(0);
    expect(tables.durable).toBe(tables.version);
  });

  it("refuse a document without an id or with an invalid expiry", () => {
    const tables = new Tables();
    const notes = tables.obtain("put", "notes", GLOBAL);
    expect(() => tables.write(notes, undefined as never, "x")).toThrow(
      new TypeError("an id must be a string"),
    );
    for (const expiresAt of [Number.NaN, new Date(0), "2026-11-30", null] as number[])
      expect(() => tables.write(notes, "a", "x", expiresAt)).toThrow("no time of expiry: ");
    expect(tables.unsaved).toBe(0);
    expect(notes.expires).toBe(false);
    tables.write(notes, "a", "x");
    expect(notes.expires).toBe(false);
    tables.write(notes, "a", "x", 5);
    expect(notes.expires).toBe(true);
  });

  it("record the versions of the last write and the last deletion", () => {
    const tables = new Tables();
    const notes = tables.obtain("put", "notes", GLOBAL);
    expect([notes.writtenAt, notes.deletedAt]).toEqual([0, 0]);
    tables.write(notes, "a", "x");
    expect([notes.writtenAt, notes.deletedAt]).toEqual([1, 0]);
    tables.write(notes, "a", undefined);
    expect([notes.writtenAt, notes.deletedAt]).toEqual([2, 2]);
    tables.write(tables.obtain("put", "others", GLOBAL), "a", "x");
    expect([notes.writtenAt, notes.deletedAt, tables.version]).toEqual([2, 2, 3]);
    expect(tables.find("put", "notes", GLOBAL)).toBe(notes);
    expect(tables.find("count", "notes", GLOBAL)).toBeUndefined();
    expect(tables.find("put", "notes", "elsewhere")).toBeUndefined();
  });
});
