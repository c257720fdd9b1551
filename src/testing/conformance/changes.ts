import fc from "fast-check";
import { expect, it } from "vitest";
import { type Change, type Changes, GLOBAL, type Space, type Store } from "../../store/store.ts";
import { marks, type Note, notes, type OpenMedium, opened } from "./medium.ts";

export function changesConformance(medium: OpenMedium): void {
  it("returns everything in the order of writing at first, then what was written since", async () => {
    const { store } = await opened(medium);
    await put(store, "c", "a", "b");
    await put(store, "a");
    const first = await changes(store);
    expect(first.entries).toEqual([entry("c"), entry("b"), entry("a")]);

    expect((await changes(store, first.version)).entries).toEqual([]);
    await put(store, "d", "c");
    await store.transact((tx) => tx.delete(notes, GLOBAL, "b"));
    const second = await changes(store, first.version);
    expect(second.entries).toEqual([entry("d"), entry("c"), { id: "b" }]);

    await put(store, "b", "d", "d");
    expect((await changes(store, second.version)).entries).toEqual([entry("b"), entry("d")]);
    expect((await changes(store, first.version)).entries).toEqual([entry("c"), entry("b"), entry("d")]);
  });

  it("returns pages of at most the requested size, but of at least one document", async () => {
    const { store } = await opened(medium);
    const ids = Array.from({ length: 3000 }, (_, index) => `n${index}`);
    await put(store, ...ids);
    await put(store, "n7", "n2999", "n5");
    const read: string[] = [];
    let since: string | undefined;
    for (let more = true; more; ) {
      const part = await changes(store, since, GLOBAL, 10_000);
      more = part.more;
      since = part.version;
      expect(part.entries.length).toBeLessThan(1000);
      expect(part.entries.length > 0 || !more).toBe(true);
      read.push(...part.entries.map(({ id }) => id));
    }
    const behind = ["n7", "n2999", "n5"];
    expect(read).toEqual([...ids.filter((id) => !behind.includes(id)), ...behind]);
    expect((await changes(store, since)).entries).toEqual([]);
    expect((await changes(store, undefined, GLOBAL, 1)).entries).toHaveLength(1);
  });

  it("misses no write or deletion between two pages", async () => {
    const step = fc.oneof(
      fc.record({ put: fc.constantFrom("a", "b", "c", "d", "e", "f") }),
      fc.record({ delete: fc.constantFrom("a", "b", "c", "d", "e", "f") }),
      fc.constant("part" as const),
      fc.constant("fail" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { store } = await opened(medium);
        await put(store, "a", "b", "c", "d");
        const projection = new Projection(20);
        for (const what of steps) {
          if (what === "part") await projection.part(store);
          else if (what === "fail")
            await store.transact((tx) => failing(tx.delete(notes, GLOBAL, "a"))).catch(() => {});
          else if ("put" in what) await put(store, what.put);
          else await store.transact((tx) => tx.delete(notes, GLOBAL, what.delete));
        }
        expect(await projection.follow(store)).toEqual(await contentOf(store));
      }),
      { numRuns: 15 },
    );
  });

  it("returns only changes of the given space and collection", async () => {
    const { store } = await opened(medium);
    const before = await changes(store, undefined, "acc_1");
    await put(store, "elsewhere");
    await store.transact(async (tx) => {
      await tx.put(marks, "acc_1", "other", { text: "other" });
      await tx.put(notes, "acc_1/web", "other", { text: "other" });
    });
    expect((await changes(store, before.version, "acc_1")).entries).toEqual([]);
    await store.transact((tx) => tx.put(notes, "acc_1", "here", { text: "here" }));
    expect((await changes(store, before.version, "acc_1")).entries).toEqual([entry("here")]);
  });

  it("shows a transaction its own writes, and never those of a failed one", async () => {
    const { store } = await opened(medium);
    await put(store, "a");
    const { version } = await changes(store);
    const failed = store.transact(async (tx) => {
      await tx.put(notes, GLOBAL, "b", { text: "b" });
      expect(await tx.changes(notes, GLOBAL, version)).toMatchObject({ entries: [entry("b")] });
      throw new Error("on purpose");
    });
    await expect(failed).rejects.toThrow("on purpose");
    expect((await changes(store, version)).entries).toEqual([]);
    await put(store, "c");
    expect((await changes(store, version)).entries).toEqual([entry("c")]);
  });

  it("omits the deletion of a document that never existed", async () => {
    const { store } = await opened(medium);
    const { version } = await changes(store);
    await store.transact((tx) => tx.delete(notes, GLOBAL, "never"));
    expect((await changes(store, version)).entries).toEqual([]);
  });

  it("returns reset for an unknown version", async () => {
    const { store } = await opened(medium);
    await put(store, "a");
    for (const since of ["nonsense", "", "999999999", "0.999999", "-1"]) {
      expect(await store.transact((tx) => tx.changes(notes, GLOBAL, since))).toBe("reset");
    }
  });

  it("refuses to follow a collection that keeps no changes", async () => {
    const { store } = await opened(medium);
    await expect(store.transact((tx) => tx.changes(marks, GLOBAL))).rejects.toThrow("keeps no changes");
  });

  it("keeps a projection in step through writes, failures and restarts", async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ put: fc.constantFrom("a", "b", "c", "d", "e"), text: fc.string() }),
      },
      { weight: 3, arbitrary: fc.record({ delete: fc.constantFrom("a", "b", "c", "d", "e") }) },
      { weight: 2, arbitrary: fc.constant("fail" as const) },
      { weight: 3, arbitrary: fc.constant("follow" as const) },
      { weight: 1, arbitrary: fc.constant("reopen" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const medium1 = await opened(medium);
        let store: Store = medium1.store;
        const projection = new Projection();
        for (const what of [...steps, "follow" as const]) {
          if (what === "follow") expect(await projection.follow(store)).toEqual(await contentOf(store));
          else if (what === "reopen") store = await medium1.reopen();
          else if (what === "fail")
            await store.transact((tx) => failing(tx.put(notes, GLOBAL, "a", { text: "no" }))).catch(() => {});
          else if ("put" in what)
            await store.transact((tx) => tx.put(notes, GLOBAL, what.put, { text: what.text }));
          else await store.transact((tx) => tx.delete(notes, GLOBAL, what.delete));
        }
      }),
      { numRuns: 15 },
    );
  });

  it("misses no concurrent write", async () => {
    const { store } = await opened(medium);
    const projection = new Projection();
    await Promise.all([
      ...Array.from({ length: 60 }, (_, index) => put(store, `n${index % 20}`, `m${index}`)),
      (async () => {
        for (let round = 0; round < 20; round++) await projection.follow(store);
      })(),
    ]);
    expect(await projection.follow(store)).toEqual(await contentOf(store));
  });
}

/** A tool's in-memory projection, which catches up before each read. */
class Projection {
  #version: string | undefined;
  #content = new Map<string, Note>();

  constructor(readonly maxBytes = Number.POSITIVE_INFINITY) {}

  async follow(store: Store): Promise<Map<string, Note>> {
    while (await this.part(store));
    return this.#content;
  }

  /** Reads one part, and returns whether there is more. */
  async part(store: Store): Promise<boolean> {
    const { maxBytes } = this;
    const found = await store.transact((tx) => tx.changes(notes, GLOBAL, this.#version, { maxBytes }));
    if (found === "reset") {
      this.#version = undefined;
      this.#content.clear();
      return true;
    }
    this.#version = found.version;
    for (const { id, text } of found.entries) {
      if (text !== undefined) this.#content.set(id, JSON.parse(text));
      else this.#content.delete(id);
    }
    return found.more;
  }
}

async function failing(work: Promise<void>): Promise<never> {
  await work;
  throw new Error("on purpose");
}

async function contentOf(store: Store): Promise<Map<string, Note>> {
  const entries = await store.transact((tx) => tx.list(notes, GLOBAL));
  return new Map(entries.map(({ id, value }) => [id, value]));
}

async function put(store: Store, ...ids: string[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const id of ids) await tx.put(notes, GLOBAL, id, { text: id });
  });
}

function entry(id: string): Change {
  return { id, text: JSON.stringify({ text: id }) };
}

async function changes(
  store: Store,
  since?: string,
  space: Space = GLOBAL,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Changes> {
  const found = await store.transact((tx) => tx.changes(notes, space, since, { maxBytes }));
  if (found === "reset") throw new Error("nothing should ask for a reset here");
  return found;
}
