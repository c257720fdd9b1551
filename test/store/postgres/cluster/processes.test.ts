import { type ChildProcess, fork } from "node:child_process";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { collection, type LimitWindow, type OpenedStore } from "../../../../src/store/store.ts";
import { bundled } from "../../../support/bundled.ts";
import { withClient } from "../../../support/services/postgres.ts";
import { createDatabase } from "../../../support/services/shared-postgres.ts";
import { eventually, numbers, openInstances } from "../databases.ts";
import type { Order, Told } from "./instance.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const REQUESTS = 2000;
const CAPACITY = 5000;
const events = collection<{ n: number }>("events");
let program = "";
beforeAll(async () => {
  [program = ""] = await bundled("test/store/postgres/cluster/instance.ts");
});

interface Instance {
  child: ChildProcess;
  told: Told[];
  order(order: Order): void;
}

async function startInstance(url: string): Promise<Instance> {
  const child = fork(program, [url], { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [] });
  const told: Told[] = [];
  child.on("message", (message: Told) => told.push(message));
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`the instance ended with ${child.exitCode}`);
    return told.includes("ready");
  });
  return { child, told, order: (order) => child.send(order) };
}

function count(instances: readonly Instance[], what: Told): number {
  return instances.flatMap(({ told }) => told).filter((told) => told === what).length;
}

describe("four instances with 2,000 requests at once each, one of which is killed", () => {
  it("never admit more than a window holds", async () => {
    const url = await createDatabase();
    const [store] = (await openInstances(url, 1, [])) as [OpenedStore];
    const instances = await Promise.all(numbers(4).map(() => startInstance(url)));
    for (const round of numbers(ROUNDS)) {
      const windows: LimitWindow[] = [
        { key: `burst${round}`, capacity: CAPACITY, kind: "bucket", windowMs: 1e13 },
        { key: `month${round}`, capacity: CAPACITY, kind: "fixed", windowMs: 30 * 86_400_000 },
      ];
      for (const { told } of instances) told.length = 0;
      for (const instance of instances) instance.order({ admit: REQUESTS, windows });
      const [killed, ...others] = instances as [Instance, ...Instance[]];
      await eventually(async () => killed.told.length > (round * 613) % REQUESTS);
      killed.child.kill("SIGKILL");
      await eventually(async () => others.every(({ told }) => told.length === REQUESTS));
      const admitted = count(instances, "admitted");
      expect(admitted).toBeLessThanOrEqual(CAPACITY);
      const [left] = (await store.admit(windows.map((window) => ({ ...window, cost: 0 })))).windows;
      expect(admitted).toBeLessThanOrEqual(CAPACITY - Math.floor(left?.remaining ?? 0));
      // The rest was taken by requests of the killed instance that were not acknowledged.
      expect(admitted).toBeGreaterThanOrEqual(CAPACITY - REQUESTS - count(others, "unanswered"));
      instances[0] = await startInstance(url);
    }
  });
});

describe.skipIf(process.platform === "win32")(
  "an instance that is suspended in the middle of a transaction",
  () => {
    it("delays other instances only for seconds, and corrupts nothing when it resumes", async () => {
      const url = await createDatabase();
      const [store] = (await openInstances(url, 1, [events])) as [OpenedStore];
      const other = await startInstance(url);
      other.order({ write: 10 });
      await eventually(async () => other.told.length > 50);
      // Retries until the instance is suspended in the middle of a transaction.
      await eventually(async () => {
        other.child.kill("SIGSTOP");
        await new Promise((wake) => setTimeout(wake, 100));
        const holds = await withClient(url, isInTransaction);
        if (!holds) other.child.kill("SIGCONT");
        return holds;
      });
      const mine = numbers(20).map((n) => `mine/${n}`);
      for (const id of mine) {
        await eventually(() =>
          store
            .transact(async (tx) => {
              if ((await tx.get(events, "acc", id)) !== undefined) return;
              await tx.increment("events", "acc", "all", 1);
              await tx.put(events, "acc", id, { n: 1 });
            })
            .then(
              () => true,
              () => false,
            ),
        );
      }
      const before = other.told.length;
      other.child.kill("SIGCONT");
      await eventually(async () => other.told.length > before + 50);
      other.child.kill("SIGKILL");
      await eventually(async () => other.child.signalCode !== null);
      const [ids, total] = await store.transact(async (tx) => [
        new Set(await tx.ids(events, "acc")),
        await tx.increment("events", "acc", "all", 0),
      ]);
      const written = other.told.flatMap((told) => (typeof told === "object" ? [told.written] : []));
      expect([...mine, ...written].filter((id) => !ids.has(id))).toEqual([]);
      expect(total).toBe(ids.size);
    });
  },
);

/** Whether an idle session holds locks of the store. */
async function isInTransaction(client: {
  query(text: string): Promise<{ rows: unknown[] }>;
}): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE datname = current_database()
      AND state = 'idle in transaction' AND locktype = 'advisory'`,
  );
  return rows.length > 0;
}
