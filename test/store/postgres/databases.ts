import { afterAll, beforeAll, onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../../src/store/open.ts";
import type { Collection, OpenedStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { type PostgresServer, startPostgres, withClient } from "../../support/services/postgres.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";

export interface Databases {
  /** An empty database for the present test. */
  borrow(): Promise<string>;
  /** A new one, for a test that does something to its schema. */
  create(): Promise<string>;
}

/** Of databases whose instances reach them through a pooler: the URLs that lead there. */
const pooled = new Map<string, string>();

/**
 * To make a database takes longer than most tests, so they are lent.
 *
 * @param through the way of instances through a pooler
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
      // Runs after what was registered later: stores are closed by then.
      onTestFinished(async () => {
        await empty(url);
        free.push(url);
      });
      return url;
    },
    create,
  };
}

/** A server of a file's own, for tests that kill or freeze it. Called outside of them. */
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
      // These last: what is deleted from the others is counted there.
      `SELECT tablename FROM pg_tables WHERE schemaname = 'toolplane' AND tablename <> '_migrations'
        ORDER BY tablename LIKE '\\_storage%'`,
    );
    await client.query(rows.map(({ tablename }) => `DELETE FROM toolplane."${tablename}"`).join(";"));
  });
}

/** Instances of a store on one database, closed when the test is over. */
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

/** Resolves when it holds. Where it never does, the test's own bound ends it. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((wake) => setTimeout(wake, 5));
}
