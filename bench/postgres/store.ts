import { openStore } from "../../src/store/open.ts";
import { collection, type LimitWindow, type Store, type Transaction } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { startPostgres } from "../../test/support/services/postgres.ts";
import { quantile } from "../data/times.ts";

const CALLERS = 100;
const SECONDS = 3;

const projects = collection<{ name: string }>("bench_projects", { cached: true });
const requests = collection<{ state: string }>("bench_requests");
const events = collection<1>("bench_events");
const notes = collection<{ text: string }>("bench_notes", { changes: true });

/** Measures the throughput of a PostgreSQL store in one process, with the database on the same machine and fsync on. */
export async function measureStore(): Promise<void> {
  const server = await startPostgres({});
  const url = await server.createDatabase();
  const options = {
    collections: [projects, requests, events, notes],
    clock: systemClock,
    log: createLog("warn"),
  };
  const stores: Store[] = await Promise.all([1, 2].map(() => openStore(url, options)));
  const [store] = stores as [Store];
  await store.transact((tx) => tx.put(projects, "acc", "web", { name: "web" }));
  const minute: LimitWindow = { key: "minute", capacity: 1e9, kind: "bucket", windowMs: 60_000 };
  const hour: LimitWindow = { key: "hour", capacity: 1e9, kind: "fixed", windowMs: 3_600_000 };
  const day: LimitWindow = { ...hour, key: "day", windowMs: 86_400_000 };
  let serial = 0;

  await measure("reads of a cached document", () => store.transact((tx) => tx.get(projects, "acc", "web")));
  await measure("reads of a document", () => store.transact((tx) => tx.get(requests, "acc", "none")));
  await measure("tracks (a cached read, three counters), one project", () => track(store, "acc/web"));
  await measure("the same over two instances", (caller) => track(stores[caller % 2] as Store, "acc/web"));
  await measure("tracks, 100 projects", (caller) => track(store, `acc/${caller}`));
  await measure("tracks with an idempotency record, three transactions each", async () => {
    const id = `key${serial++}`;
    await store.transact(async (tx) => {
      if (!(await tx.get(requests, "acc/web", id)))
        await tx.put(requests, "acc/web", id, { state: "running" });
    });
    await store.transact(async (tx) => {
      await count(tx, "acc/web");
      await tx.put(requests, "acc/web", id, { state: "applied" });
    });
    await store.transact((tx) => tx.put(requests, "acc/web", id, { state: "answered" }));
  });
  await measure("batches of 100 events with ids, one project", () => batch(store, "acc/web"));
  await measure("batches of 100 events with ids, 100 projects", (caller) => batch(store, `acc/${caller}`));
  await measure("updates of a document of its own (read, write)", (caller) => update(`doc${caller}`));
  await measure("updates of one document", () => update("one"));
  await measure("inserts into a followed collection, one space", () =>
    store.transact((tx) => tx.insert(notes, "acc/web", `note${serial++}`, { text: "x".repeat(200) })),
  );
  await measure("admissions by three windows, one account", () => store.admit([minute, hour, day]));
  await measure("the same over two instances", (caller) =>
    (stores[caller % 2] as Store).admit([minute, hour, day]),
  );
  await Promise.all(stores.map((each) => each.close()));
  await server.stop();

  function update(id: string): Promise<void> {
    return store.transact(async (tx) => {
      const found = await tx.get(requests, "acc", id);
      await tx.put(requests, "acc", id, { state: `${(found?.state.length ?? 0) % 9}` });
    });
  }

  function batch(on: Store, space: string): Promise<unknown> {
    const ids = Array.from({ length: 100 }, () => `event${serial++}`);
    return on.transact(async (tx) => {
      await Promise.all(
        ids.map(async (id) => {
          if (!(await tx.get(events, space, id))) await tx.put(events, space, id, 1);
        }),
      );
      return count(tx, space, 100);
    });
  }
}

function track(store: Store, space: string): Promise<unknown> {
  return store.transact(async (tx) => {
    await tx.get(projects, "acc", "web");
    return count(tx, space);
  });
}

function count(tx: Transaction, space: string, by = 1): Promise<number[]> {
  return Promise.all(["hours", "days", "months"].map((counter) => tx.increment(counter, space, "now", by)));
}

async function measure(what: string, work: (caller: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const begun = performance.now();
  const end = begun + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let start = performance.now(); start < end; ) {
        await work(caller);
        const now = performance.now();
        times.push(now - start);
        start = now;
      }
    }),
  );
  const rate = times.length / ((performance.now() - begun) / 1000);
  const at = (share: number) => quantile(times, share).toFixed(1);
  console.log(`${rate.toFixed(0).padStart(8)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  ${what}`);
}
