import { connect, send } from "./connection/connections.ts";
import { Hosts } from "./connection/hosts.ts";
import { MIGRATION_LOCK } from "./schema/migrate.ts";
import { findRefusal, REFUSE_WRITES, refusal } from "./schema/refusal.ts";
import { SCHEMA } from "./schema/schema-name.ts";
import { collectionsOf, tableOf } from "./schema/tables.ts";

/**
 * Has the database itself refuse what would be written, whatever instances there are: when it resolves, nothing that
 * was under way is any more.
 */
export function makeDatabaseReadOnly(url: string, reason: string): Promise<void> {
  // One table at a time, which waits for its writers: nobody waits in a circle.
  return onEachTable(url, REFUSE_WRITES, (table, quoted) => refusal(table, quoted(reason)));
}

export function makeDatabaseWritable(url: string): Promise<void> {
  return onEachTable(url, "SELECT", (table) => `DROP TRIGGER IF EXISTS _read_only ON ${table}`);
}

/** As its tables say; undefined where they are written to. */
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
    // A program that starts meanwhile makes its tables before, or learns from the others that they are read only.
    await send(client, { text: `SELECT pg_advisory_lock(${MIGRATION_LOCK})` });
    await send(client, { text: first });
    const tables = [...(await collectionsOf(client)).map(tableOf), `${SCHEMA}._counters`];
    for (const table of tables)
      await send(client, { text: statement(table, (text) => client.escapeLiteral(text)) });
  } finally {
    await client.end().catch(() => {});
  }
}
