import type { ClientBase } from "pg";
import { send } from "../connection/connections.ts";
import { findRefusal, refusal } from "./refusal.ts";
import { SCHEMA } from "./schema-name.ts";
import { countingTriggers } from "./storage.ts";

/** The name of a collection, which is that of its table. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

/** Creates the tables of collections that have none. */
export async function createTables(client: ClientBase, collections: readonly string[]): Promise<void> {
  const tables = await collectionsOf(client);
  const missing = collections.filter((name) => !tables.includes(name));
  if (missing.length === 0) return;
  // In a store that is read only, new tables have to be, too: only this program knows of them.
  const reason = await findRefusal(client);
  for (const name of missing) {
    await send(client, { text: tableDefinition(name) });
    if (reason !== undefined)
      await send(client, { text: refusal(tableOf(name), client.escapeLiteral(reason)) });
  }
}

/**
 * Returns all collections with a table, whichever version of the program created it. Others may have made tables in the
 * schema, too, which have other columns, and partitions, whose rows are those of the table. By no pattern with an escape,
 * which means another thing in a database whose `standard_conforming_strings` is off.
 */
export async function collectionsOf(client: ClientBase): Promise<string[]> {
  const rows = await send<{ name: string }>(client, {
    text: `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '${SCHEMA}' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND left(c.relname, 1) <> '_'
        AND 5 = (
          SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid
            AND a.attname IN ('space', 'id', 'value', 'expires_at', 'version'))
      ORDER BY c.relname COLLATE "C"`,
  });
  return rows.map(({ name }) => name).filter((name) => NAME.test(name));
}

/** Returns the definition of a collection's table. A row without a value is a deletion that is still remembered. */
function tableDefinition(name: string): string {
  const table = tableOf(name);
  return `
    CREATE TABLE ${table} (
      space text COLLATE "C", id text COLLATE "C",
      value text,
      expires_at float8 NOT NULL,
      version bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (space, id)
    ) WITH (fillfactor = 80);
    CREATE INDEX "${name}_expiry" ON ${table} (expires_at) WHERE expires_at < 'Infinity';
    CREATE INDEX "${name}_version" ON ${table} (space, version) WHERE version > 0;
    ${countingTriggers(table)}`;
}

export function tableOf(collection: string): string {
  if (!NAME.test(collection)) throw new Error(`${collection} is no name for a collection`);
  return `${SCHEMA}."${collection}"`;
}
