import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Tables } from "../../../src/store/json-file/tables.ts";

const NAME = "notes";

function open() {
  const tables = new Tables(new Set([NAME]));
  return { tables, table: tables.obtain("put", NAME, "space") };
}

/** Returns everything that a reader gets, page by page. */
function readAll({ writeLog }: ReturnType<typeof open>["table"], since: number, maxBytes: number): string[] {
  const read: string[] = [];
  for (let more = true; more; ) {
    const page = writeLog.page(since, maxBytes);
    read.push(...page.entries.map(({ id, row }) => (row ? id : `-${id}`)));
    ({ more, version: since } = page);
  }
  return read;
}

describe("the write log of a table", () => {
  const id = fc.constantFrom("a", "b", "c", "d", "e");
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ put: id }) },
    { weight: 3, arbitrary: fc.record({ delete: id }) },
    { weight: 1, arbitrary: fc.record({ undo: fc.nat(4) }) },
  );

  it("returns the writes since any version in order, without those rolled back", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.nat(20),
        fc.integer({ min: 1, max: 60 }),
        (steps, from, maxBytes) => {
          const { tables, table } = open();
          /** All writes that were not rolled back. */
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
          // A deletion may be read twice if the id was written and deleted again.
          expect(read.filter((each) => !each.startsWith("-"))).toEqual(
            expected.filter((each) => !each.startsWith("-")),
          );
          expect(new Set(read)).toEqual(new Set(expected));
        },
      ),
    );
  });

  /** Counts the log's entries, by reading pages so small that each examines one entry. */
  function entriesOf({ writeLog }: ReturnType<typeof open>["table"]): number {
    let entries = 0;
    for (let since = 0, more = true; more; entries++) ({ more, version: since } = writeLog.page(since, 1));
    return entries;
  }

  it("bounds the obsolete entries by half the number of rows plus 4096", () => {
    const { tables, table } = open();
    for (let index = 0; index < 4000; index++) tables.write(table, `n${index % 100}`, '"x"');
    expect(entriesOf(table)).toBe(4000);
    for (let index = 0; index < 50_000; index++) tables.write(table, `n${index % 100}`, '"x"');
    expect(entriesOf(table)).toBeGreaterThan(3000);
    expect(entriesOf(table)).toBeLessThanOrEqual(1.5 * 100 + 4096);
    expect(readAll(table, 0, 1000)).toHaveLength(100);
    for (let index = 0; index < 50_000; index++) tables.write(table, `n${index % 3000}`, '"x"');
    expect(entriesOf(table)).toBeLessThanOrEqual(1.5 * 3000 + 4096);
    expect(readAll(table, 0, 1000)).toHaveLength(3000);
  });

  it("keeps deletions in addition to the bounded number of obsolete entries", () => {
    const { tables, table } = open();
    for (let index = 0; index < 9000; index++) {
      tables.write(table, `n${index}`, '"x"');
      tables.write(table, `n${index}`, undefined);
    }
    for (let index = 0; index < 20_000; index++) tables.write(table, `n${index % 100}`, '"x"');
    const told = readAll(table, 0, 1000);
    expect(told.filter((each) => each.startsWith("-"))).toHaveLength(8900);
    expect(told).toHaveLength(9000);
    expect(entriesOf(table)).toBeLessThanOrEqual(1.5 * 100 + 9000 + 4096);
  });

  it("keeps rows in order when old entries are cleared and writes are rolled back", () => {
    const { tables, table } = open();
    for (let index = 0; index < 5000; index++) tables.write(table, `n${index}`, '"x"');
    const kept = tables.unsaved;
    const before = readAll(table, 0, 10_000);
    for (let index = 0; index < 30_000; index++) tables.write(table, `n${index % 5000}`, '"y"');
    tables.rollBack(kept);
    expect(readAll(table, 0, 10_000)).toEqual(before);
  });

  it("returns to its earlier version when writes are rolled back", () => {
    const { tables, table } = open();
    // Fills a chunk of the log, and adds one entry.
    for (let index = 0; index < 1024; index++) tables.write(table, `n${index}`, '"x"');
    const { version } = tables;
    const kept = tables.unsaved;
    tables.write(table, "n1024", '"x"');
    tables.rollBack(kept);
    expect(table.writeLog.version).toBe(version);
    expect(table.writeLog.page(version, 1000)).toEqual({ entries: [], version, more: false });
  });

  it("does not count rolled-back deletions towards the limit of deletions", () => {
    const { tables, table } = open();
    for (let index = 0; index < 12_000; index++) {
      tables.write(table, `n${index}`, '"x"');
      tables.write(table, `n${index}`, undefined);
    }
    tables.write(table, "a", '"x"');
    const kept = tables.unsaved;
    for (let index = 0; index < 8010; index++) {
      tables.write(table, "a", undefined);
      tables.rollBack(kept);
    }
    expect(table.writeLog.horizon).toBe(0);
    expect(readAll(table, 0, 100_000)).toHaveLength(12_001);
  });

  it("forgets the older half of more than 20,000 deletions, and moves its horizon", () => {
    const { tables, table } = open();
    const comeAndGo = (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        tables.write(table, `n${index}`, '"x"');
        tables.write(table, `n${index}`, undefined);
      }
      return table.writeLog.horizon;
    };
    expect(comeAndGo(0, 20_000)).toBe(0);
    // Forgets the first 10,001 of 20,001 deletions, the last of which is write 20,002.
    expect(comeAndGo(20_000, 20_001)).toBe(20_002);
    expect(table.writeLog.version).toBe(tables.version);
    const told = readAll(table, 20_002, 10_000);
    expect([told.length, told[0], told.at(-1)]).toEqual([10_000, "-n10001", "-n20000"]);
    expect(comeAndGo(20_001, 30_001)).toBe(20_002);
    expect(comeAndGo(30_001, 30_002)).toBe(40_004);
  });

  it("forgets no deletions while there are at least as many rows", () => {
    const { tables, table } = open();
    for (let index = 0; index < 20_003; index++) tables.write(table, `stays${index}`, '"x"');
    for (let index = 0; index < 20_003; index++) {
      tables.write(table, "brief", '"x"');
      tables.write(table, "brief", undefined);
    }
    expect(table.writeLog.horizon).toBe(0);
    tables.write(table, "brief", '"x"');
    tables.write(table, "stays0", undefined);
    expect(table.writeLog.horizon).toBeGreaterThan(0);
  });

  it("keeps little beside the rows once it is trimmed, and resets only who has deletions to learn of", () => {
    const { tables, table } = open();
    for (let index = 0; index < 3000; index++) tables.write(table, `n${index}`, '"x"');
    const before = tables.version;
    for (let index = 100; index < 3000; index++) tables.write(table, `n${index}`, undefined);
    for (let index = 0; index < 2000; index++) tables.write(table, `n${index % 100}`, '"x"');
    const rows = [...table.rows.keys()];
    const { version } = table.writeLog;
    table.writeLog.trim();
    expect(table.writeLog.horizon).toBeGreaterThan(before);
    expect([table.writeLog.version, readAll(table, version, 1000)]).toEqual([version, []]);
    expect(readAll(table, 0, 1000)).toEqual(rows.toSorted((one, other) => at(table, one) - at(table, other)));
    expect(entriesOf(table)).toBeLessThanOrEqual(200);
  });

  it("is trimmed of nothing while rows outnumber the deletions and the outdated entries", () => {
    const { tables, table } = open();
    for (let index = 0; index < 1000; index++) tables.write(table, `n${index}`, '"x"');
    for (let index = 0; index < 400; index++) tables.write(table, `n${index}`, index % 2 ? '"y"' : undefined);
    const [told, entries] = [readAll(table, 0, 1000), entriesOf(table)];
    table.writeLog.trim();
    expect([table.writeLog.horizon, readAll(table, 0, 1000), entriesOf(table)]).toEqual([0, told, entries]);
  });
});

function at(table: ReturnType<typeof open>["table"], id: string): number {
  return table.rows.get(id)?.version ?? 0;
}
