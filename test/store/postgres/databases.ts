import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../../src/store/open.ts";
import type { Collection, OpenedStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { type PostgresServer, startPostgres, withClient } from "../../support/services/postgres.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";

export interface Databases {
  /** Lends an empty database to the current test. */
  borrow(): Promise<string>;
  /** Creates a database, for a test that changes its schema. */
  create(): Promise<string>;
}

/** URLs through a pooler, by database, for instances that connect through one. */
const pooled = new Map<string, string>();

/**
 * Lends databases to tests, since creating one takes longer than most tests.
 *
 * @param through returns the URL of a database through a pooler, for instances to connect by.
 */
export function databases(
  create: () => Promise<string> = createDatabase,
  through?: (url: string) => string,
): Databases {
  const free: string[] = [];
  return {
    async borrow() {
      const url = free.pop() ?? (await create());
      if (through) pooled.set(url, through(url));
      // Callbacks run in reverse order, so stores are closed by then.
      onTestFinished(async () => {
        await empty(url);
        free.push(url);
      });
      return url;
    },
    create,
  };
}

/** Starts a server for one test file, whose tests kill or freeze it. Call it outside of tests. */
export function ownPostgres(): () => PostgresServer {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  return () => server;
}

async function empty(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      // The storage tables come last, since deletions from the others are counted in them.
      `SELECT tablename FROM pg_tables WHERE schemaname = 'toolplane' AND tablename <> '_migrations'
        ORDER BY tablename LIKE '\\_storage%'`,
    );
    await client.query(rows.map(({ tablename }) => `DELETE FROM toolplane."${tablename}"`).join(";"));
  });
}

/** Opens instances of a store on one database, and closes them after the test. */
export async function openInstances(
  url: string,
  count: number,
  collections: readonly Collection<unknown>[],
  options: Partial<StoreOptions> = {},
): Promise<OpenedStore[]> {
  const stores = await Promise.all(
    Array.from({ length: count }, () =>
      openStore(pooled.get(url) ?? url, {
        collections,
        clock: systemClock,
        log: createLog("silent"),
        directUrl: url,
        ...options,
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
  return stores;
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Resolves once a condition holds. If it never does, the test times out. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((wake) => setTimeout(wake, 5));
}
