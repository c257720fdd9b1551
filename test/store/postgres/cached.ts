import { expect, it } from "vitest";
import { announcement } from "../../../src/store/postgres/connection/listener.ts";
import { Conflict, collection, GLOBAL, type OpenedStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { fakeClock } from "../../support/clock.ts";
import { withClient } from "../../support/services/postgres.ts";
import { type Databases, eventually, numbers, openInstances } from "./databases.ts";

const credentials = collection<{ scopes: string }>("credentials", { cached: true });
const uses = collection<{ by: string }>("uses");
const collections = [credentials, uses];

const read = (store: OpenedStore, id = "key") => store.transact((tx) => tx.get(credentials, GLOBAL, id));
const write = (store: OpenedStore, scopes: string, id = "key") =>
  store.transact((tx) => tx.put(credentials, GLOBAL, id, { scopes }));

export function cachedSuite({ borrow }: Databases): void {
  it("are read from memory, and updated when another instance writes or deletes them", async () => {
    const url = await borrow();
    const [writer, ...readers] = (await openInstances(url, 3, collections)) as [OpenedStore, OpenedStore];
    await write(writer, "read");
    for (const reader of readers) await becomesCached(url, reader);
    await write(writer, "write");
    const heard = async () => (await Promise.all(readers.map((reader) => read(reader)))).every(isWrite);
    await eventually(heard);
    await writer.transact((tx) => tx.delete(credentials, GLOBAL, "key"));
    const gone = async () => (await Promise.all(readers.map((reader) => read(reader)))).every((one) => !one);
    await eventually(gone);
  });

  it("are still updated after notifications by another program", async () => {
    const url = await borrow();
    const [writer, reader] = (await openInstances(url, 2, collections)) as [OpenedStore, OpenedStore];
    await write(writer, "read");
    await becomesCached(url, reader);
    await withClient(url, async (client) => {
      for (const payload of ["reload", "", "null", "{}", "7", "[null]", '["key"]', "[[1, {}, null]]"])
        await client.query("SELECT pg_notify('toolplane', $1)", [payload]);
    });
    await write(writer, "write");
    await eventually(async () => isWrite(await read(reader)));
  });

  it("are never older than the last write of the same instance", async () => {
    const [store, other] = (await openInstances(await borrow(), 2, collections)) as [
      OpenedStore,
      OpenedStore,
    ];
    for (const round of numbers(60)) {
      await Promise.all([read(store), read(store, "other")]);
      const reading = read(store);
      await Promise.all([write(store, `${round}`), write(other, `${round}`, "other")]);
      await reading;
      expect(await read(store)).toEqual({ scopes: `${round}` });
    }
  });

  it("that are absent can be read by many transactions at once that have read lists before", async () => {
    const [store] = (await openInstances(await borrow(), 1, collections)) as [OpenedStore];
    const reading = numbers(20).map((number) =>
      store.transact(async (tx) => [
        await tx.ids(uses, GLOBAL),
        await tx.get(credentials, GLOBAL, `key${number}`),
      ]),
    );
    expect(await Promise.all(reading)).toEqual(numbers(20).map(() => [[], undefined]));
  });

  it("are not cached as absent", async () => {
    const [store, other] = (await openInstances(await borrow(), 2, collections)) as [
      OpenedStore,
      OpenedStore,
    ];
    expect(await read(store)).toBeUndefined();
    await write(other, "read");
    expect(await read(store)).toEqual({ scopes: "read" });
  });

  it("are read from the database by a transaction that overwrites documents", async () => {
    const url = await borrow();
    const [store, other] = (await openInstances(url, 2, collections)) as [OpenedStore, OpenedStore];
    // Not announced, so the cache is stale, as it may be for a moment after every write. On a busy machine the database
    // may not have been heard from for so long that the cache is not trusted: then again.
    await expect
      .poll(async () => {
        await write(store, "");
        await becomesCached(url, store);
        await withClient(url, (client) =>
          client.query(`UPDATE toolplane.credentials SET value = '{"scopes":"x"}'`),
        );
        return read(store);
      })
      .toEqual({ scopes: "" });
    const extend = (on: OpenedStore) =>
      on.transact(async (tx) => {
        const found = await tx.get(credentials, GLOBAL, "key");
        await tx.put(credentials, GLOBAL, "key", { scopes: `${found?.scopes}x` });
      });
    await Promise.all(numbers(20).map((index) => extend(index % 2 ? store : other)));
    expect(await read(store)).toEqual({ scopes: "x".repeat(21) });
  });

  it("cause no insert conflict that a fresh read would have avoided", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await write(store, "once");
    await becomesCached(url, store);
    await withClient(url, async (client) => {
      await client.query(`UPDATE toolplane.credentials SET value = '{"scopes":"none"}'`);
    });
    await store.transact((tx) => tx.put(uses, GLOBAL, "key", { by: "another" }));
    const use = () =>
      store.transact(async (tx) => {
        if ((await tx.get(credentials, GLOBAL, "key"))?.scopes === "none") return "nothing left";
        await tx.insert(uses, GLOBAL, "key", { by: "me" });
        return "used";
      });
    expect(await use()).toBe("nothing left");
    await expect(store.transact((tx) => tx.insert(uses, GLOBAL, "key", { by: "me" }))).rejects.toThrow(
      Conflict,
    );
  });

  it("expire in the cache", async () => {
    const now = { ms: 1_700_000_000_000 };
    const clock = { ...systemClock, now: () => now.ms };
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections, { clock })) as [OpenedStore];
    const expiresAt = now.ms + 1000;
    await store.transact((tx) => tx.put(credentials, GLOBAL, "key", { scopes: "read" }, { expiresAt }));
    await becomesCached(url, store);
    now.ms += 1000;
    expect(await read(store)).toBeUndefined();
  });

  it("stay cached as long as the database is heard from", async () => {
    const clock = fakeClock();
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections, { clock })) as [OpenedStore];
    await write(store, "read");
    // Longer than one proof of freshness lasts.
    for (const _ of numbers(8)) clock.advance(250);
    await becomesCached(url, store);
  });

  it("are read from the database after the process was suspended, and from memory once it has heard what it missed", async () => {
    let suspendedMs = 0;
    const standing = fakeClock();
    const clock = { ...standing, monotonic: () => standing.monotonic() + suspendedMs };
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections, { clock })) as [OpenedStore];
    await write(store, "read");
    await becomesCached(url, store);
    await withClient(url, (client) =>
      client.query(`UPDATE toolplane.credentials SET value = '{"scopes":"write"}'`),
    );
    expect(await read(store)).toEqual({ scopes: "read" });
    suspendedMs = 1000;
    expect(await read(store)).toEqual({ scopes: "write" });
    const missed = { collection: credentials.name, space: GLOBAL, id: "key" };
    await withClient(url, (client) => client.query(announcement([missed])));
    standing.advance(250);
    await becomesCached(url, store);
    expect(await read(store)).toEqual({ scopes: "write" });
  });

  it("are read from the database while the listener is disconnected, and then from memory again", async () => {
    const url = await borrow();
    const [store] = (await openInstances(url, 1, collections)) as [OpenedStore];
    await write(store, "read");
    await becomesCached(url, store);
    await withClient(url, async (client) => {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database()
           AND (query ILIKE 'LISTEN%' OR (query = 'SELECT 1' AND pid <> pg_backend_pid()))`,
      );
      // Writes are not announced from here on.
      await client.query(`UPDATE toolplane.credentials SET value = '{"scopes":"write"}'`);
    });
    await eventually(async () => isWrite(await read(store)));
    await becomesCached(url, store);
  });
}

function isWrite(found: { scopes: string } | undefined): boolean {
  return found?.scopes === "write";
}

/** Resolves once "key" is read from the cache. */
async function becomesCached(url: string, store: OpenedStore): Promise<void> {
  await withClient(url, (client) =>
    eventually(async () => {
      await read(store);
      // While the table is locked, only reads from the cache can succeed.
      await client.query("BEGIN; LOCK TABLE toolplane.credentials IN ACCESS EXCLUSIVE MODE");
      const answered = await Promise.race([
        read(store).then(() => true),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), 50)),
      ]);
      await client.query("ROLLBACK");
      return answered;
    }),
  );
}
