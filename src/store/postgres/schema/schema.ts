import type { ClientBase } from "pg";
import { NotFilled } from "../../store-errors.ts";
import { send } from "../connection/connections.ts";
import { SCHEMA } from "./schema-name.ts";
import {
  COUNTERS_STORAGE_MIGRATION,
  countingTriggers,
  DELETED_COUNTERS_STORAGE_MIGRATION,
  STORAGE_MIGRATION,
} from "./storage.ts";

export { READ_ONLY, SCHEMA } from "./schema-name.ts";

/** The steps from an empty database to the newest schema; those that were released never change. */
const MIGRATIONS = [
  `
  CREATE TABLE ${SCHEMA}._counters (
    counter text COLLATE "C", space text COLLATE "C", id text COLLATE "C",
    total bigint NOT NULL,
    PRIMARY KEY (counter, space, id)
  ) WITH (fillfactor = 50);

  -- The version of a collection's changes in a space. Its row stays locked until the commit of who
  -- writes, so versions are committed in their order; a sequence would let followers skip late ones.
  -- Of what was written up to the horizon, deletions are no longer known.
  CREATE TABLE ${SCHEMA}._feeds (
    collection text COLLATE "C", space text COLLATE "C",
    version bigint NOT NULL,
    horizon bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (collection, space)
  ) WITH (fillfactor = 50);

  -- Rate-limit windows, as in window.ts.
  CREATE TABLE ${SCHEMA}._windows (
    key text COLLATE "C" PRIMARY KEY,
    value float8, at float8, other_value float8, other_at float8,
    forget_at float8 NOT NULL
  ) WITH (fillfactor = 50);
  `,
  STORAGE_MIGRATION,
  COUNTERS_STORAGE_MIGRATION,
  DELETED_COUNTERS_STORAGE_MIGRATION,
];

/** Stands for a version while a database is filled from another store, so that nobody takes it for a whole one. */
const FILLING = 2_147_483_647;

/** Only one process at a time may change the schema. */
const MIGRATION_LOCK = 0x746f_6f6c;

/** Brings the schema up to date, and makes the tables of collections that have none. */
export async function migrate(client: ClientBase, collections: readonly string[]): Promise<void> {
  const run = (text: string) => send<Record<string, unknown>>(client, { text });
  await run("BEGIN");
  try {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await run(`CREATE TABLE IF NOT EXISTS ${SCHEMA}._migrations (version int PRIMARY KEY)`);
    const [row] = await run(
      `SELECT coalesce(max(version), 0) AS version, current_setting('server_encoding') AS encoding
       FROM ${SCHEMA}._migrations`,
    );
    const { version, encoding } = row as { version: number; encoding: string };
    if (encoding !== "UTF8") throw new Error(`the database is encoded as ${encoding}: it must be UTF8`);
    checkVersion(version);
    for (const [index, statements] of MIGRATIONS.entries()) {
      if (index < version) continue;
      await run(statements);
      await run(`INSERT INTO ${SCHEMA}._migrations VALUES (${index + 1})`);
    }
    await createTables(client, collections);
    await run("COMMIT");
  } catch (error) {
    await run("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** @throws where a store is there that this program does not read */
export function checkVersion(version: number): void {
  if (version === FILLING) throw new NotFilled("the database");
  if (version <= MIGRATIONS.length) return;
  throw new Error(
    `the database's schema has version ${version}, this program knows ${MIGRATIONS.length}: update it`,
  );
}

/** Of the schema; undefined where there is none. */
export async function versionOf(client: ClientBase): Promise<number | undefined> {
  const [found] = await send<{ name: string | null }>(client, {
    text: `SELECT to_regclass('${SCHEMA}._migrations')::text AS name`,
  });
  if (!found?.name) return undefined;
  const [row] = await send<{ version: number }>(client, {
    text: `SELECT coalesce(max(version), 0) AS version FROM ${SCHEMA}._migrations`,
  });
  return row?.version;
}

export const BEGIN_FILLING = { text: `INSERT INTO ${SCHEMA}._migrations VALUES (${FILLING})` };
export const END_FILLING = { text: `DELETE FROM ${SCHEMA}._migrations WHERE version = ${FILLING}` };

/** Makes the tables of collections that have none. */
export async function createTables(client: ClientBase, collections: readonly string[]): Promise<void> {
  const tables = await collectionsOf(client);
  for (const name of collections) {
    if (!tables.includes(name)) await send(client, { text: tableDefinition(name) });
  }
}

/** Every collection that has a table, of whatever version of this program. */
export async function collectionsOf(client: ClientBase): Promise<string[]> {
  const rows = await send<{ tablename: string }>(client, {
    text: `SELECT tablename FROM pg_tables
      WHERE schemaname = '${SCHEMA}' AND tablename NOT LIKE '\\_%' ORDER BY tablename COLLATE "C"`,
  });
  return rows.map(({ tablename }) => tablename);
}

/** A row without a value is a deletion that is still remembered. */
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
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(collection))
    throw new Error(`${collection} is no name for a collection`);
  return `${SCHEMA}."${collection}"`;
}
