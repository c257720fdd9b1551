import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collection, type OpenedStore, StoreUnavailable } from "../../../../src/store/store.ts";
import { type PostgresServer, startPostgres, withClient } from "../../../support/services/postgres.ts";
import { eventually, numbers, openInstances } from "../databases.ts";

const events = collection<{ n: number }>("events");
const credentials = collection<{ n: number }>("credentials", { cached: true });
const collections = [events, credentials];

describe("a primary with a synchronous standby", () => {
  let primary: PostgresServer;
  let standby: Awaited<ReturnType<PostgresServer["standby"]>>;

  beforeAll(async () => {
    primary = await startPostgres({ fsync: "off", max_connections: "100", shared_buffers: "32MB" });
    standby = await primary.standby();
    await eventually(() =>
      withClient(primary.url, async (client) => {
        await client.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        await client.query("SELECT pg_reload_conf()");
        const { rows } = await client.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'");
        return rows.length > 0;
      }),
    );
  });
  afterAll(async () => {
    await Promise.all([primary.stop(), standby.stop()]);
  });

  /** Returns a URL of both servers, with the standby first: the store has to detect it. */
  const both = (database: string) => {
    const [first, second] = [new URL(standby.url), new URL(database)];
    return `postgres://postgres@${first.host},${second.host}${second.pathname}`;
  };

  it.each(["notice", "error"])(
    "acknowledges nothing that its standby does not have, with messages of level %s",
    async (level) => {
      const url = await primary.createDatabase();
      await withClient(url, (client) =>
        client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET client_min_messages = ${level}`),
      );
      const [store] = (await openInstances(both(url), 1, collections)) as [OpenedStore];
      await store.transact((tx) => tx.put(events, "acc", "a", { n: 1 }));
      standby.freeze();
      const alone = store.transact((tx) => tx.put(events, "acc", "b", { n: 2 }));
      const refused = expect(alone).rejects.toThrow("whether it took place is not known");
      // PostgreSQL then reports success with a warning.
      await eventually(() =>
        withClient(primary.url, async (client) => {
          const { rows } = await client.query(
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query = 'COMMIT'",
          );
          return rows.length > 0;
        }),
      );
      await refused.finally(() => standby.thaw());
      await eventually(() =>
        store
          .transact((tx) => tx.put(events, "acc", "c", { n: 3 }))
          .then(
            () => true,
            () => false,
          ),
      );
    },
  );

  it("is replaced by its standby under load without losing acknowledged writes", async () => {
    const url = both(await primary.createDatabase());
    const stores = (await openInstances(url, 2, collections)) as [OpenedStore, OpenedStore];
    const acknowledged: string[] = [];
    let refused = 0;
    let stop = false;
    const callers = numbers(20).map(async (caller) => {
      for (let n = 0; !stop; n++) {
        const id = `${caller}/${n}`;
        try {
          await (stores[caller % 2] as OpenedStore).transact(async (tx) => {
            await tx.get(credentials, "acc", "key");
            await tx.increment("events", "acc", "all", 1);
            await tx.insert(events, "acc", id, { n });
          });
          acknowledged.push(id);
        } catch (error) {
          expect(error).toBeInstanceOf(StoreUnavailable);
          refused++;
          await new Promise((wake) => setTimeout(wake, 5));
        }
      }
    });
    await eventually(async () => acknowledged.length > 200);
    await primary.kill();
    const refusedBefore = refused;
    await eventually(async () => refused > refusedBefore + 20);
    await standby.promote();
    const after = acknowledged.length;
    await eventually(async () => acknowledged.length > after + 200);
    stop = true;
    await Promise.all(callers);
    for (const store of stores) {
      const [ids, total] = await store.transact(async (tx) => [
        new Set((await tx.list(events, "acc")).map(({ id }) => id)),
        await tx.increment("events", "acc", "all", 0),
      ]);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(total).toBe(ids.size);
    }
    const [one, other] = stores;
    await one.transact((tx) => tx.put(credentials, "acc", "key", { n: 1 }));
    await eventually(async () => (await other.transact((tx) => tx.get(credentials, "acc", "key")))?.n === 1);
  });
});
