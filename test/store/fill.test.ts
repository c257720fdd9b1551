import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { copyStore, TargetNotEmpty } from "../../src/store/copy.ts";
import { assertFree, fillStore } from "../../src/store/fill.ts";
import { openStore, readStore, setAside } from "../../src/store/open.ts";
import { collection, type StoreItem } from "../../src/store/store.ts";
import { NoStore, NotFilled } from "../../src/store/store-errors.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";
import { STORES, temporaryDirectory } from "../support/store.ts";

const notes = collection<number>("notes");
const options = { collections: [notes], clock: systemClock, log: createLog("silent") };

const note = (value: number): StoreItem => ({ collection: "notes", space: "acc", id: "n", value });

async function* from(...items: (StoreItem | Error)[]): AsyncGenerator<StoreItem> {
  for (const item of items) {
    if (item instanceof Error) throw item;
    yield item;
  }
}

async function all(items: AsyncIterable<StoreItem>): Promise<StoreItem[]> {
  const found: StoreItem[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe.each(STORES)("filling %s", (kind) => {
  const place = async () => (kind === "PostgreSQL" ? createDatabase() : temporaryDirectory());
  const fill = (where: string, items: AsyncIterable<StoreItem>, force = false) =>
    fillStore(where, items, { ...options, force, name: "it", instant: systemClock.now() });
  const held = (where: string) => all(readStore(where, options));

  it("stores the given items, and refuses a target that is not empty", async () => {
    const where = await place();
    expect(await fill(where, from(note(1)))).toMatchObject({ documents: 1, counters: 0 });
    expect(await held(where)).toEqual([note(1)]);
    await expect(fill(where, from(note(2)))).rejects.toThrow(TargetNotEmpty);
    expect(await held(where)).toEqual([note(1)]);
  });

  it("keeps items that expire after the given instant, without a warning about the clock", async () => {
    const told: unknown[] = [];
    const log = { ...options.log, warn: (...words: unknown[]) => told.push(words) };
    const instant = systemClock.now() - 60_000;
    const item = { ...note(1), expiresAt: instant + 1 };
    const filled = await fillStore(await place(), from(item), {
      ...options,
      log,
      force: false,
      name: "it",
      instant,
    });
    expect(filled).toMatchObject({ documents: 1 });
    expect(told).toEqual([]);
  });

  it("moves an existing store aside if forced, and returns its new name", async () => {
    const where = await place();
    expect(await fill(where, from(note(1)), true)).not.toHaveProperty("setAside");
    const { setAside } = await fill(where, from(note(2)), true);
    expect(setAside).toMatch(/before/);
    expect(await held(where)).toEqual([note(2)]);
    if (kind === "a directory") expect(await held(setAside ?? "")).toEqual([note(1)]);
  });

  it("puts the existing store back if the input breaks off", async () => {
    const where = await place();
    await fill(where, from(note(1)));
    await expect(fill(where, from(note(2), new Error("broken off")), true)).rejects.toThrow("broken off");
    expect(await held(where)).toEqual([note(1)]);
    await (await openStore(where, options)).close();
  });

  it("leaves nothing behind if the input breaks off, and can be repeated", async () => {
    const where = await place();
    for (let times = 0; times < 2; times++)
      await expect(fill(where, from(note(1), new Error("broken off")))).rejects.toThrow("broken off");
    if (kind === "a directory") expect(readdirSync(where)).toEqual([]);
    await expect(held(where)).rejects.toThrow(NoStore);
    await fill(where, from(note(2)));
    expect(await held(where)).toEqual([note(2)]);
  });

  it("fills what a killed process has left, which nobody can open", async () => {
    const where = await place();
    const target = await openStore(where, options);
    const killed = target.load(from(note(1), new Error("killed")));
    await expect(killed).rejects.toThrow("killed");
    await target.close();
    await expect(openStore(where, options)).rejects.toThrow(NotFilled);
    await expect(held(where)).rejects.toThrow("fill it again, with `tool restore`");
    await assertFree(where, { ...options, name: "it" });
    await fill(where, from(note(2)));
    expect(await held(where)).toEqual([note(2)]);
  });

  it("fills what was killed before the first item, which nobody can open either", async () => {
    const where = await place();
    await (await openStore(where, { ...options, fills: true })).close();
    await expect(openStore(where, options)).rejects.toThrow(NotFilled);
    await fill(where, from(note(1)));
    expect(await held(where)).toEqual([note(1)]);
    await (await openStore(where, options)).close();
  });

  it("fills an empty store, unless a server uses it", async () => {
    const where = await place();
    const store = await openStore(where, options);
    await expect(fill(where, from(note(1)))).rejects.toThrow("in use");
    await store.close();
    await fill(where, from(note(1)));
    expect(await held(where)).toEqual([note(1)]);
  });

  it("leaves a target that openStore() refuses if it ends between setting aside and filling", async () => {
    const where = await place();
    await fill(where, from(note(1)));
    const aside = await setAside(where, options.clock);
    await expect(openStore(where, options)).rejects.toThrow(NotFilled);
    await aside.putBack();
    expect(await held(where)).toEqual([note(1)]);
  });

  it("leaves a target that openStore() refuses if the comparison is interrupted", async () => {
    const where = await place();
    const target = await openStore(where, options);
    const dumps = [from(), from(new Error("ended"))];
    const dump = () => dumps.shift() ?? from();
    const copying = copyStore({ dump: () => from(note(1)) }, { ...target, dump }, { target: "it" });
    await expect(copying).rejects.toThrow("ended");
    await target.close();
    await expect(openStore(where, options)).rejects.toThrow(NotFilled);
    await fill(where, from(note(2)));
    expect(await held(where)).toEqual([note(2)]);
  });

  it("refuses a store that a server is using, even if forced", async () => {
    const where = await place();
    const store = await openStore(where, options);
    await store.transact((tx) => tx.put(notes, "acc", "n", 1));
    await expect(fill(where, from(note(2)), true)).rejects.toThrow("in use");
    expect(await held(where)).toEqual([note(1)]);
    await store.close();
    await fill(where, from(note(2)), true);
  });

  it("reads a consistent snapshot with readStore() while others write", async () => {
    const where = await place();
    const store = await openStore(where, options);
    const put = (value: number) =>
      store.transact(async (tx) => {
        for (let index = 0; index < 1500; index++) await tx.put(notes, "acc", `n${index}`, value);
      });
    await put(1);
    const reading = readStore(where, options);
    const first = await reading.next();
    await put(2);
    const rest = await all(reading);
    expect(new Set([first.value, ...rest].map((item) => (item as { value: number }).value))).toEqual(
      new Set([1]),
    );
    expect(rest).toHaveLength(1499);
    await store.close();
  });
});

it("readStore() creates no store in a database that has none", async () => {
  const where = await createDatabase();
  for (let time = 0; time < 2; time++) {
    await expect(all(readStore(where, options))).rejects.toThrow("There is no store in this database");
  }
});
