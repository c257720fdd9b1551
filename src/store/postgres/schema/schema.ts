import type { ClientBase } from "pg";
import type { Clock } from "../../../system/clock.ts";
import type { Log } from "../../../system/log.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import { NotFilled } from "../../store-errors.ts";
import { send } from "../connection/connections.ts";
import { isLockTimeout } from "../connection/errors.ts";
import { FIND_OLDEST_VERSION } from "../connection/presence.ts";
import { SCHEMA } from "./schema-name.ts";
import {
  COUNTERS_STORAGE_MIGRATION,
  countingTriggers,
  DELETED_COUNTERS_STORAGE_MIGRATION,
  STORAGE_MIGRATION,
} from "./storage.ts";

export { READ_ONLY, SCHEMA } from "./schema-name.ts";

/**
 * A step from one version of the schema to the next, a transaction of its own. One that was released never changes.
 * It is quick: it neither rewrites a table nor reads all of it, since others wait for it meanwhile. It takes away,
 * alters or locks no more than one of the tables there are: others hold several at a time, and who holds
 * one of those while it waits for another would wait in a circle with them.
 */
export interface Migration {
  sql: string;
  /**
   * The version of the schema that a program must know to work on this one. Left out where the step only adds what
   * programs of before pass over, so that they serve on beside those that made it: they start on it, too. A step
   * that takes away what programs before version n still use says n, and is refused until they are gone.
   */
  needs?: number;
}

/** The steps from an empty database to the newest schema. */
export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `
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
  },
  { sql: STORAGE_MIGRATION },
  { sql: COUNTERS_STORAGE_MIGRATION },
  { sql: DELETED_COUNTERS_STORAGE_MIGRATION },
  { sql: `ALTER TABLE ${SCHEMA}._migrations ADD COLUMN needs int NOT NULL DEFAULT 0` },
];

/** Stands for a version while a database is filled from another store, so that nobody takes it for a whole one. */
const FILLING = 2_147_483_647;

/** Only one process at a time may change the schema. */
const MIGRATION_LOCK = 0x746f_6f6c;
/** Whoever waits for a table has everybody else who wants it wait behind: so a migration gives way, and tries again. */
const LOCK_TIMEOUT_MS = 500;
const PAUSE_MS = 2000;

/** Of the schema that a database has. */
export interface SchemaVersion {
  version: number;
  /** What a program must know at least. */
  needs: number;
}

export interface MigrateOptions {
  collections: readonly string[];
  clock: Clock;
  log: Log;
  steps?: readonly Migration[];
}

/** Brings the schema up to date, and makes the tables of collections that have none, while others serve. */
export async function migrate(client: ClientBase, options: MigrateOptions): Promise<void> {
  for (;;) {
    try {
      if (await isUpToDate(client, options)) return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      options.log.warn({}, "the migration of the database waits for those who read or write what it changes");
      await options.clock.sleep(PAUSE_MS);
    }
  }
}

/** Goes one step on. */
async function isUpToDate(
  client: ClientBase,
  { collections, steps = MIGRATIONS }: MigrateOptions,
): Promise<boolean> {
  const run = (text: string) => send<{ encoding?: string }>(client, { text });
  await run("BEGIN");
  try {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await run(`CREATE TABLE IF NOT EXISTS ${SCHEMA}._migrations (version int PRIMARY KEY)`);
    const [row] = await run("SELECT current_setting('server_encoding') AS encoding");
    if (row?.encoding !== "UTF8")
      throw new OperationalError(`the database is encoded as ${row?.encoding}: it must be UTF8`);
    const found = await readVersion(client);
    checkVersion(found, steps.length);
    const step = steps[found.version];
    if (step) await take(client, found.version + 1, step);
    else await createTables(client, collections);
    await run("COMMIT");
    return step === undefined;
  } catch (error) {
    await run("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function take(client: ClientBase, version: number, { sql, needs = 0 }: Migration): Promise<void> {
  if (needs > 0) await assertNoneOlder(client, needs);
  await send(client, { text: sql });
  await send(client, { text: `INSERT INTO ${SCHEMA}._migrations (version) VALUES (${version})` });
  if (needs > 0) {
    await send(client, {
      text: `UPDATE ${SCHEMA}._migrations SET needs = ${needs} WHERE version = ${version}`,
    });
  }
}

/** @throws where an instance is at work that does not know this version of the schema yet */
async function assertNoneOlder(client: ClientBase, needs: number): Promise<void> {
  const [row] = await send<{ oldest: number | null }>(client, FIND_OLDEST_VERSION);
  const oldest = row?.oldest ?? needs;
  if (oldest >= needs) return;
  throw new OperationalError(
    `an instance is at work that knows version ${oldest} of the database's schema, and this program leaves it at ` +
      `${needs} or later: stop it, or have every instance run a version between the two first`,
  );
}

/** A later program has changed what this one uses. */
export class ProgramOutdated extends OperationalError {}

/** @throws where a store is there that a program which knows the schema up to version `known` may not use */
export function checkVersion({ version, needs }: SchemaVersion, known = MIGRATIONS.length): void {
  if (version === FILLING) throw new NotFilled("the database");
  if (needs <= known) return;
  throw new ProgramOutdated(
    `the database's schema has version ${version} and needs programs that know ${needs}, this one knows ${known}: update it`,
  );
}

/** Of the schema; undefined where there is none. */
export async function versionOf(client: ClientBase): Promise<SchemaVersion | undefined> {
  const [found] = await send<{ name: string | null }>(client, {
    text: `SELECT to_regclass('${SCHEMA}._migrations')::text AS name`,
  });
  return found?.name ? readVersion(client) : undefined;
}

/** The first versions of the table do not have the column. */
async function readVersion(client: ClientBase): Promise<SchemaVersion> {
  const [row] = await send<{ version: number; needs: number }>(client, {
    text: `SELECT coalesce(max(version), 0) AS version, coalesce(max((to_jsonb(m) ->> 'needs')::int), 0) AS needs
      FROM ${SCHEMA}._migrations AS m`,
  });
  return row as SchemaVersion;
}

export const BEGIN_FILLING = { text: `INSERT INTO ${SCHEMA}._migrations (version) VALUES (${FILLING})` };
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
