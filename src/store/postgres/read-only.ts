import { connect, send } from "./connection/connections.ts";
import { Hosts } from "./connection/hosts.ts";
import { READ_ONLY, SCHEMA } from "./schema/schema-name.ts";
import { collectionsOf, tableOf } from "./schema/tables.ts";

const REFUSE = `
  CREATE OR REPLACE FUNCTION ${SCHEMA}._refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION USING ERRCODE = '${READ_ONLY}', MESSAGE = TG_ARGV[0];
  END $$`;

/**
 * Has the database itself refuse what would be written, whatever instances there are: when it resolves, nothing that
 * was under way is any more.
 */
export function makeDatabaseReadOnly(url: string, reason: string): Promise<void> {
  return onEachTable(
    url,
    REFUSE,
    (table, quoted) =>
      // One table at a time, which waits for its writers: nobody waits in a circle.
      `CREATE OR REPLACE TRIGGER _read_only BEFORE INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._refuse_writes(${quoted(reason)})`,
  );
}

export function makeDatabaseWritable(url: string): Promise<void> {
  return onEachTable(url, "SELECT", (table) => `DROP TRIGGER IF EXISTS _read_only ON ${table}`);
}

/** As its tables say; undefined where they are written to. */
export async function databaseReadOnlyReason(url: string): Promise<string | undefined> {
  const client = await connect(new Hosts(url), { query_timeout: 0 });
  try {
    // What a trigger was given ends in a zero byte.
    const [found] = await send<{ given: Buffer }>(client, {
      text: `SELECT tgargs AS given FROM pg_trigger
             JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
             WHERE tgname = '_read_only' AND nspname = '${SCHEMA}' ORDER BY relname LIMIT 1`,
    });
    return found?.given.subarray(0, -1).toString();
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
    await send(client, { text: first });
    const tables = [...(await collectionsOf(client)).map(tableOf), `${SCHEMA}._counters`];
    for (const table of tables)
      await send(client, { text: statement(table, (text) => client.escapeLiteral(text)) });
  } finally {
    await client.end().catch(() => {});
  }
}
