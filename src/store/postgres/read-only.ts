import { connect, send } from "./connection/connections.ts";
import { rightsNeeded } from "./connection/errors.ts";
import { Hosts } from "./connection/hosts.ts";
import { MIGRATION_LOCK } from "./schema/migrate.ts";
import { findRefusal, REFUSE_WRITES, refusal } from "./schema/refusal.ts";
import { SCHEMA } from "./schema/schema-name.ts";
import { noStoreInDatabase, versionOf } from "./schema/schema-version.ts";
import { collectionsOf, tableOf } from "./schema/tables.ts";

/**
 * Makes the database itself refuse writes, from whatever instance. When it resolves, no write is in progress any more.
 */
export function makeDatabaseReadOnly(url: string, reason: string): Promise<void> {
  // Waits for the writers of one table at a time, so that it cannot deadlock.
  return onEachTable(url, REFUSE_WRITES, (table, quoted) => refusal(table, quoted(reason)));
}

export function makeDatabaseWritable(url: string): Promise<void> {
  return onEachTable(url, "SELECT", (table) => `DROP TRIGGER IF EXISTS _read_only ON ${table}`);
}

/** Returns the reason found on the tables; undefined if they are writable. */
export async function databaseReadOnlyReason(url: string): Promise<string | undefined> {
  const client = await connect(new Hosts(url), { query_timeout: 0 });
  try {
    return await findRefusal(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function onEachTable(
  url: string,
  first: string,
  statement: (table: string, quoted: (text: string) => string) => string,
): Promise<void> {
  const client = await connect(new Hosts(url), { query_timeout: 0 });
  try {
    // A program that starts meanwhile either has created its tables before, or finds the others read only.
    await send(client, { text: `SELECT pg_advisory_lock(${MIGRATION_LOCK})` });
    if (!(await versionOf(client))) throw noStoreInDatabase();
    await send(client, { text: first });
    const tables = [...(await collectionsOf(client)).map(tableOf), `${SCHEMA}._counters`];
    for (const table of tables)
      await send(client, { text: statement(table, (text) => client.escapeLiteral(text)) });
  } catch (error) {
    throw rightsNeeded(error, "stopping writes", `name the role that owns the schema ${SCHEMA}`);
  } finally {
    await client.end().catch(() => {});
  }
}
