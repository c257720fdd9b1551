import { describe, expect, it } from "vitest";
import {
  collection,
  type LimitWindow,
  type OpenedStore,
  StoreUnavailable,
} from "../../../../src/store/store.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { databases, eventually, numbers, openInstances, ownPostgres } from "../databases.ts";

const server = ownPostgres();
const { borrow } = databases(() => server().createDatabase());
const events = collection<{ n: number }>("events");
const credentials = collection<{ n: number }>("credentials", { cached: true });
const collections = [events, credentials];
const hour: LimitWindow = { key: "hour", capacity: 1e9, kind: "fixed", windowMs: 3_600_000 };

const asked: [string, (store: OpenedStore) => Promise<unknown>][] = [
  ["reads", (store) => store.transact((tx) => tx.get(events, "acc", "a"))],
  ["reads what may be in memory", (store) => store.transact((tx) => tx.get(credentials, "acc", "key"))],
  ["lists", (store) => store.transact((tx) => tx.list(events, "acc"))],
  ["writes", (store) => store.transact((tx) => tx.put(events, "acc", "a", { n: 1 }))],
  ["counts", (store) => store.transact((tx) => tx.increment("events", "acc", "all", 1))],
  ["admits", (store) => store.admit([hour])],
  ["answers", (store) => store.ping()],
  ["probes", (store) => store.probe()],
];

/** Lets many callers use the store at once and repeatedly. Returns the outcomes. */
async function besiege(store: OpenedStore): Promise<unknown[]> {
  const outcomes = numbers(8).flatMap((caller) =>
    asked.map(async ([, ask]) => {
      const outcome = () =>
        ask(store).then(
          () => "done",
          (error) => error,
        );
      await new Promise((wake) => setTimeout(wake, caller * 300));
      return [await outcome(), await outcome(), await outcome()];
    }),
  );
  return (await Promise.all(outcomes)).flat();
}

describe.skipIf(process.platform !== "linux")("a database that is frozen", () => {
  it("fails all waiting calls with StoreUnavailable, and is used again when it thaws", async () => {
    const [store] = (await openInstances(await borrow(), 1, collections)) as [OpenedStore];
    for (const [, ask] of asked) await ask(store);
    server().freeze();
    // All calls end, so none waits for the frozen database.
    const outcomes = await besiege(store);
    server().thaw();
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(StoreUnavailable);
    for (const [, ask] of asked) {
      await eventually(() =>
        ask(store).then(
          () => true,
          () => false,
        ),
      );
    }
  });

  it("keeps all acknowledged writes, and counts each committed write once", async () => {
    const [store] = (await openInstances(await borrow(), 1, collections)) as [OpenedStore];
    const acknowledged: string[] = [];
    let sent = 0;
    let refused = 0;
    let stop = false;
    const callers = numbers(10).map(async (caller) => {
      for (let n = 0; !stop; n++) {
        const id = `${caller}/${n}`;
        sent++;
        const done = store.transact(async (tx) => {
          await tx.increment("events", "acc", "all", 1);
          await tx.insert(events, "acc", id, { n });
        });
        await done.then(
          () => acknowledged.push(id),
          (error) => {
            expect(error).toBeInstanceOf(StoreUnavailable);
            refused++;
            return new Promise((wake) => setTimeout(wake, 5));
          },
        );
      }
    });
    await eventually(async () => acknowledged.length > 100);
    server().freeze();
    const before = acknowledged.length;
    // Callers in the middle of a transaction, and those that cannot connect.
    await eventually(async () => refused > 40);
    server().thaw();
    await eventually(async () => acknowledged.length > before + 100);
    stop = true;
    await Promise.all(callers);
    const [ids, total] = await store.transact(async (tx) => [
      new Set((await tx.list(events, "acc")).map(({ id }) => id)),
      await tx.increment("events", "acc", "all", 0),
    ]);
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(total).toBe(ids.size);
    expect(total).toBeLessThanOrEqual(sent);
  });
});

describe("a table that another client has locked", () => {
  it("fails the transactions that wait for its lock, but does not block rate limits", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await store.transact((tx) => tx.put(events, "acc", "a", { n: 1 }));
    await withClient(url, async (client) => {
      await client.query("BEGIN");
      await client.query("LOCK TABLE toolplane.events IN ACCESS EXCLUSIVE MODE");
      const stuck = [
        ...numbers(12).map(() => store.transact((tx) => tx.get(events, "acc", "a"))),
        ...numbers(12).map((n) => store.transact((tx) => tx.put(events, "acc", `b${n}`, { n }))),
      ];
      const outcomes = await Promise.allSettled(stuck);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreUnavailable) });
      await store.admit([hour]);
      await client.query("ROLLBACK");
    });
    await eventually(() =>
      store
        .transact((tx) => tx.put(events, "acc", "c", { n: 1 }))
        .then(
          () => true,
          () => false,
        ),
    );
  });
});
