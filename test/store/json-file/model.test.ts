import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StorageUse } from "../../../src/store/storage-use.ts";
import { GLOBAL, type Store } from "../../../src/store/store.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { imageOf, notes, openAt } from "./directory.ts";
import { faultyFiles } from "./faulty-files.ts";

const SPACES = [GLOBAL, "acc_1", "acc_1/web"] as const;
const id = fc.constantFrom("a", "b", "c", '"\\', "ü😀");
const space = fc.constantFrom(...SPACES);
const operation = fc.oneof(
  fc.record({
    op: fc.constantFrom("put", "insert", "delete"),
    space,
    id,
    text: fc.string(),
    life: fc.option(fc.nat(5000)),
  }),
  fc.record({ op: fc.constant("increment"), space, id, by: fc.integer({ min: -5, max: 5 }) }),
  fc.record({ op: fc.constant("deleteCounts"), space, from: id, limit: fc.integer({ min: 1, max: 3 }) }),
);
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ transaction: fc.array(operation, { maxLength: 5 }), fails: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ waits: fc.nat(3000) }) },
  { weight: 1, arbitrary: fc.record({ space: fc.nat(600) }) },
  { weight: 1, arbitrary: fc.constant("restart" as const) },
  { weight: 1, arbitrary: fc.constant("kill" as const) },
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The simplest model of a store. */
interface Model {
  notes: Map<string, { text: string; expiresAt: number }>;
  counts: Map<string, number>;
}

describe("the JSON file store", () => {
  it("behaves like its model through failures, full disks, restarts, kills and compactions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = adjustableClock();
        const files = faultyFiles();
        let directory = temporaryDirectory();
        const open = () => openAt(directory, { clock, openFile: files.open, minimumBytes: 400 });
        let store: Store = await open();
        let model: Model = { notes: new Map(), counts: new Map() };
        for (const what of steps) {
          if (what === "restart") {
            files.free = Number.POSITIVE_INFINITY;
            await store.close();
            store = await open();
          } else if (what === "kill") {
            files.free = Number.POSITIVE_INFINITY;
            const killed = store;
            directory = imageOf(directory);
            store = await open();
            await killed.close();
          } else if ("waits" in what) clock.advance(what.waits);
          else if ("space" in what) files.free = what.space;
          else {
            const next = apply(model, what.transaction, clock.now());
            const outcome = await store
              .transact(async (tx) => {
                for (const operation of what.transaction) await perform(tx, operation, clock.now());
                if (what.fails) throw new Error("on purpose");
              })
              .then(
                () => "done",
                (error: Error) => error.name,
              );
            if (outcome === "done") model = next as Model;
            else if (outcome === "StoreUnavailable") files.free = Number.POSITIVE_INFINITY;
            else expect(outcome).toBe(next && what.fails ? "Error" : "Conflict");
          }
          expect(await contentOf(store)).toEqual(plain(model, clock.now()));
          expect(await store.storageOf("acc_1")).toEqual(storageOf(model, "acc_1"));
        }
        files.free = Number.POSITIVE_INFINITY;
        await store.close();
        store = await open();
        expect(await contentOf(store)).toEqual(plain(model, clock.now()));
        expect(await store.storageOf("acc_1")).toEqual(storageOf(model, "acc_1"));
        await store.close();
      }),
      { numRuns: 60 },
    );
  });
});

type Tx = Parameters<Parameters<Store["transact"]>[0]>[0];

async function perform(tx: Tx, operation: Operation, now: number): Promise<void> {
  if ("by" in operation) {
    await tx.increment("visits", operation.space, operation.id, operation.by);
    return;
  }
  if ("limit" in operation) {
    const { space, from, limit } = operation;
    await tx.deleteCounts("visits", space, { from, to: "\u{10ffff}", limit });
    return;
  }
  const { op, space, id, text, life } = operation;
  const options = life === null ? undefined : { expiresAt: now + life };
  if (op === "put") await tx.put(notes, space, id, { text }, options);
  else if (op === "insert") await tx.insert(notes, space, id, { text }, options);
  else await tx.delete(notes, space, id);
}

/** Applies a transaction. Returns undefined if it conflicts. */
function apply(model: Model, operations: Operation[], now: number): Model | undefined {
  const { notes, counts } = { notes: new Map(model.notes), counts: new Map(model.counts) };
  for (const operation of operations) {
    if ("limit" in operation) {
      const { space, from, limit } = operation;
      const found = [...counts.keys()].filter(
        (key) => key.startsWith(`${space} `) && key >= `${space} ${from}`,
      );
      for (const key of found.sort().slice(0, limit)) counts.delete(key);
      continue;
    }
    const key = `${operation.space} ${operation.id}`;
    if ("by" in operation) {
      counts.set(key, (counts.get(key) ?? 0) + operation.by);
      continue;
    }
    const { op, text, life } = operation;
    const taken = (notes.get(key)?.expiresAt ?? 0) > now;
    if (op === "insert" && taken) return undefined;
    if (op === "delete") notes.delete(key);
    else notes.set(key, { text, expiresAt: life === null ? Number.POSITIVE_INFINITY : now + life });
  }
  return { notes, counts };
}

/** Returns an account's use of storage. Expired documents count until they are swept. */
function storageOf({ notes, counts }: Model, account: string): StorageUse {
  const isOwn = (key: string) => key.split(/[ /]/)[0] === account;
  const idIn = (key: string) => key.slice(key.indexOf(" ") + 1);
  const bytesOf = (text: string) => new TextEncoder().encode(text).length;
  const documents = [...notes].filter(([key]) => isOwn(key));
  const bytes = [
    ...documents.map(([key, { text }]) => bytesOf(idIn(key) + JSON.stringify({ text }))),
    ...[...counts.keys()].filter(isOwn).map((key) => bytesOf(idIn(key)) + 64),
  ];
  return { bytes: bytes.reduce((sum, each) => sum + each, 0), documents: documents.length };
}

function plain({ notes, counts }: Model, now: number): object {
  const living = [...notes].filter(([, { expiresAt }]) => expiresAt > now);
  return {
    notes: Object.fromEntries(living.map(([key, { text }]) => [key, text])),
    counts: Object.fromEntries(counts),
  };
}

async function contentOf(store: Store): Promise<object> {
  return store.transact(async (tx) => {
    const content = { notes: {} as Record<string, string>, counts: {} as Record<string, number> };
    for (const space of SPACES) {
      for (const { id, value } of await tx.list(notes, space)) content.notes[`${space} ${id}`] = value.text;
      for (const { id, count } of await tx.counts("visits", space, { from: "", to: "\u{10ffff}" })) {
        content.counts[`${space} ${id}`] = count;
      }
    }
    return content;
  });
}
