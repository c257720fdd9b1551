import { Readable, Writable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BackupDamaged } from "../../../src/store/backup/layout.ts";
import { openBackup } from "../../../src/store/backup/read-backup.ts";
import { writeBackup } from "../../../src/store/backup/write-backup.ts";
import type { StoreItem } from "../../../src/store/store.ts";
import { codePoint } from "../../support/code-point.ts";

const ABOUT = { version: "1.2.3", at: "2026-01-15T08:00:00.000Z" };
const ITEMS: StoreItem[] = [
  { collection: "notes", space: "acc/p", id: "n1", value: { text: "line\u2028\u2029\r\n\u0085 ß \ud800" } },
  { collection: "notes", space: "global", id: "n2", value: null, expiresAt: Date.UTC(2030, 0) },
  { counter: "uses", space: "acc/p", id: "2026-01", count: 42 },
];

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function written(items: Iterable<StoreItem> = ITEMS): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const to = new Writable({
    write(piece, _, done) {
      pieces.push(piece);
      done();
    },
  });
  await writeBackup(each(items), to, ABOUT);
  return Buffer.concat(pieces);
}

/** Reads a backup that arrives in pieces of a few bytes, as over a slow connection. */
async function read(bytes: Buffer, size = 7) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const { heading, items } = await openBackup(Readable.from(pieces));
  const found: StoreItem[] = [];
  for (let next = await items.next(); ; next = await items.next()) {
    if (next.done) return { heading, found, inventory: next.value };
    found.push(next.value);
  }
}

/** Changes lines of a backup, as if they had been written so. */
function relined(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return gzipSync(change(gunzipSync(bytes).toString().split("\n")).join("\n"));
}

describe("a backup", () => {
  it("restores exactly the items written, with the version and time in its heading", async () => {
    const { heading, found, inventory } = await read(await written());
    expect(found).toEqual(ITEMS);
    expect(heading).toEqual({ toolplane: "backup", format: 1, ...ABOUT });
    expect(inventory).toMatchObject({ documents: 2, counters: 1 });
  });

  it("reports progress every thousand items, even large ones", async () => {
    const items: StoreItem[] = Array.from({ length: 2500 }, (_, index) => ({
      collection: "notes",
      space: "acc",
      id: `n${index}`,
      value: "x".repeat(index % 100 === 0 ? 70_000 : 10),
    }));
    const told: number[] = [];
    const pieces: Buffer[] = [];
    const to = new Writable({
      write(piece, _, done) {
        pieces.push(piece);
        done();
      },
    });
    const inventory = await writeBackup(each(items), to, {
      ...ABOUT,
      onProgress: (items) => told.push(items),
    });
    expect(told).toEqual([1000, 2000]);
    expect(inventory).toMatchObject({ documents: 2500, counters: 0 });
    expect((await read(Buffer.concat(pieces), 100_000)).found).toEqual(items);
  });

  it("restores arbitrary documents and counters", async () => {
    const text = fc.string({ unit: codePoint });
    const item = fc.oneof(
      fc.record({ collection: text, space: text, id: text, value: fc.jsonValue() }),
      fc.record({ counter: text, space: text, id: text, count: fc.maxSafeNat() }),
    ) as fc.Arbitrary<StoreItem>;
    await fc.assert(
      fc.asyncProperty(fc.array(item), fc.integer({ min: 1, max: 5000 }), async (items, size) => {
        const asJson = items.map((each) => JSON.parse(JSON.stringify(each)));
        expect((await read(await written(items), size)).found).toEqual(asJson);
      }),
      { numRuns: 60 },
    );
  });

  it("is refused as damaged when cut off at any byte", async () => {
    const bytes = await written();
    for (let length = 0; length < bytes.length; length++) {
      await expect(read(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(BackupDamaged);
    }
  });

  it("is refused as damaged when a bit is flipped, unless its content stays the same", async () => {
    const bytes = await written();
    const whole = await read(bytes);
    let refused = 0;
    for (let index = 0; index < bytes.length; index++) {
      const damaged = Buffer.from(bytes);
      damaged[index] = (damaged[index] as number) ^ 0x10;
      // Parts of the gzip header, and the padding of the last byte, carry no information.
      const outcome = await read(damaged).catch((error: Error) => error);
      if (!(outcome instanceof Error)) expect(outcome).toEqual(whole);
      else {
        // The format's version is read before its damage can be detected.
        expect(outcome.message).toMatch(/^This is no whole backup|a newer version/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(bytes.length - 12);
  });

  const other = "it holds something else than was written";
  const noRecord = "a line of it is no record";
  const replaced = (from: string, to: string) => (lines: string[]) =>
    lines.map((line) => line.replace(from, to));
  const mistakes: [what: string, change: (lines: string[]) => string[], said: string][] = [
    ["lacks a line", ([first, , ...rest]) => [first as string, ...rest], other],
    ["has a line twice", ([first, second, ...rest]) => [first, second, second, ...rest] as string[], other],
    ["has another total", replaced('"count":42', '"count":43'), other],
    ["ends with another number of documents", replaced('"documents":2', '"documents":3'), other],
    ["ends with another number of counters", replaced('"counters":1', '"counters":0'), other],
    [
      "goes on behind its end",
      (lines) => [...lines.slice(0, -1), lines[1] as string, ""],
      "something follows its end",
    ],
    ["has a line that is no JSON", ([first, ...rest]) => [first as string, "[", ...rest], noRecord],
    ["has a line that is null", ([first, ...rest]) => [first as string, "null", ...rest], noRecord],
    ["has a line that is a number", ([first, ...rest]) => [first as string, "7", ...rest], noRecord],
    ["begins otherwise", (lines) => lines.slice(1), "this is not how one begins"],
    ["is empty", () => [""], "this is not how one begins"],
    ["has no end", (lines) => [...lines.slice(0, -2), ""], "its end is missing"],
    ["lacks its last line break", (lines) => lines.slice(0, -1), "its last line is cut off"],
  ];
  it.each(mistakes)("is refused as damaged if it %s", async (_, change, said) => {
    const refused = await read(relined(await written(), change)).catch((error) => error);
    expect(refused).toBeInstanceOf(BackupDamaged);
    expect(refused.message).toBe(`This is no whole backup: ${said}.`);
  });

  it("fails to open with the error of the stream it comes from", async () => {
    const bytes = await written();
    const from = new Readable({ read: () => {} });
    const reset = Object.assign(new Error("the connection is gone"), { code: "ECONNRESET" });
    from.push(bytes.subarray(0, 20));
    setImmediate(() => from.destroy(reset));
    await expect(openBackup(from)).rejects.toBe(reset);
  });

  it("is refused with a hint to update if a newer version wrote it", async () => {
    const newer = relined(await written(), ([first, ...rest]) => [
      (first as string).replace('"format":1', '"format":2'),
      ...rest,
    ]);
    await expect(read(newer)).rejects.toThrow("written by a newer version (1.2.3): update this one");
  });

  it("is refused as damaged if another program wrote it", async () => {
    await expect(read(Buffer.from("PGDMP"))).rejects.toMatchObject({
      ...{ name: "BackupDamaged", message: "This is no whole backup: it cannot be decompressed." },
      cause: { code: "Z_DATA_ERROR" },
    });
    await expect(read(gzipSync('{"toolplane":"else"}\n'))).rejects.toThrow(BackupDamaged);
  });
});
