import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tables } from "../../../src/store/json-file/tables.ts";

const NAME = "notes";

function open() {
  const tables = new Tables(new Set([NAME]));
  return { tables, table: tables.obtain("put", NAME, "space") };
}

/** All that a reader of pages gets, page by page. */
function readAll({ writeLog }: ReturnType<typeof open>["table"], since: number, maxBytes: number): string[] {
  const read: string[] = [];
  for (let more = true; more; ) {
    const page = writeLog.page(since, maxBytes);
    read.push(...page.entries.map(({ id, row }) => (row ? id : `-${id}`)));
    ({ more, version: since } = page);
  }
  return read;
}

describe("the log of a table", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e");
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ put: id }) },
    { weight: 3, arbitrary: fc.record({ delete: id }) },
    { weight: 1, arbitrary: fc.record({ undo: fc.nat(4) }) },
  );

  it("gives what was written since any version, in order, whatever was taken back", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 60 }),
        (steps, from, maxBytes) => {
          const { tables, table } = open();
          /** Every write that stands: the id, and whether it deleted. */
          let model: { id: string; deleted: boolean; version: number }[] = [];
          for (const each of steps) {
            if ("put" in each) {
              tables.write(table, each.put, '"x"');
              model.push({ id: each.put, deleted: false, version: tables.version });
            } else if ("delete" in each) {
              tables.write(table, each.delete, undefined);
              model.push({ id: each.delete, deleted: true, version: tables.version });
            } else {
              const keep = Math.max(0, tables.unsaved - each.undo);
              tables.rollBack(keep);
              model = model.slice(0, keep);
            }
          }
          const newest = new Map(model.map((write) => [write.id, write]));
          const expected = model
            .filter((write) => write.version > from && newest.get(write.id) === write)
            .map(({ id, deleted }) => (deleted ? `-${id}` : id));
          const read = readAll(table, from, maxBytes);
          // A deletion may be told twice, if the id came back and went again.
          expect(read.filter((each) => !each.startsWith("-"))).toEqual(
            expected.filter((each) => !each.startsWith("-")),
          );
          expect(new Set(read)).toEqual(new Set(expected));
        },
      ),
    );
  });

  it("stays as long as about the rows and the deletions, however often these are written", () => {
    const { tables, table } = open();
    for (let index = 0; index < 200_000; index++) tables.write(table, `n${index % 100}`, '"x"');
    expect(readAll(table, 0, 1000)).toHaveLength(100);
    const pages: number[] = [];
    let since = 0;
    for (let more = true; more; ) {
      const page = table.writeLog.page(since, 16 * 100);
      pages.push(page.entries.length);
      ({ more, version: since } = page);
    }
    // A hundred entries are looked at for each.
    expect(pages.length).toBeLessThan(100);
  });

  it("keeps all rows in order while old entries are cleared away and writes are taken back", () => {
    const { tables, table } = open();
    for (let index = 0; index < 5000; index++) tables.write(table, `n${index}`, '"x"');
    const kept = tables.unsaved;
    const before = readAll(table, 0, 10_000);
    for (let index = 0; index < 30_000; index++) tables.write(table, `n${index % 5000}`, '"y"');
    tables.rollBack(kept);
    expect(readAll(table, 0, 10_000)).toEqual(before);
  });

  it("is, after writes were taken back, as if they had never been", () => {
    const { tables, table } = open();
    // As many as a chunk of the log holds, and one more.
    for (let index = 0; index < 1024; index++) tables.write(table, `n${index}`, '"x"');
    const { version } = tables;
    const kept = tables.unsaved;
    tables.write(table, "n1024", '"x"');
    tables.rollBack(kept);
    expect(table.writeLog.version).toBe(version);
    expect(table.writeLog.page(version, 1000)).toEqual({ entries: [], version, more: false });
  });

  it("does not count deletions that were taken back among those to forget", () => {
    const { tables, table } = open();
    tables.write(table, "a", '"x"');
    const kept = tables.unsaved;
    for (let index = 0; index < 20_010; index++) {
      tables.write(table, "a", undefined);
      tables.rollBack(kept);
    }
    tables.write(table, "a", undefined);
    expect(table.writeLog.horizon).toBe(0);
    expect(readAll(table, 0, 1000)).toEqual(["-a"]);
  });

  it("forgets the older half of too many deletions, and says up to where", () => {
    const { tables, table } = open();
    for (let index = 0; index < 20_002; index++) {
      tables.write(table, `n${index}`, '"x"');
      tables.write(table, `n${index}`, undefined);
    }
    const { horizon } = table.writeLog;
    expect(horizon).toBeGreaterThan(0);
    expect(horizon).toBeLessThan(tables.version);
    const told = readAll(table, horizon, 10_000);
    expect(told.length).toBeGreaterThan(9000);
    expect(told.at(-1)).toBe("-n20001");
  });
});
