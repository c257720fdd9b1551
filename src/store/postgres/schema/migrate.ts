import type { ClientBase } from "pg";
import type { Clock } from "../../../system/clock.ts";
import type { Log } from "../../../system/log.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import { send } from "../connection/connections.ts";
import { isLockTimeout, rightsNeeded } from "../connection/errors.ts";
import { FIND_OLDEST_VERSION } from "../connection/presence.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";
import { SCHEMA } from "./schema-name.ts";
import { BEGIN_FILLING, CREATE_VERSIONS, checkVersion, readVersion } from "./schema-version.ts";
import { createTables } from "./tables.ts";

/** Key of the advisory lock that lets only one process at a time change the schema. */
export const MIGRATION_LOCK = 0x746f_6f6c;
/** A session that queues for a table lock blocks all later ones, so a migration gives up early and retries. */
const LOCK_TIMEOUT_MS = 500;
const PAUSE_MS = 2000;

interface Found {
  encoding: string;
  schema: boolean;
  migrations: boolean;
}

const FIND = `SELECT current_setting('server_encoding') AS encoding,
  EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') AS schema,
  EXISTS (SELECT FROM pg_tables WHERE schemaname = '${SCHEMA}' AND tablename = '_migrations') AS migrations`;

export interface MigrateOptions {
  collections: readonly string[];
  clock: Clock;
  log: Log;
  /** See `StoreOptions`. */
  fills?: boolean | undefined;
  steps?: readonly Migration[];
}

/** Brings the schema up to date and creates missing tables of collections, while other instances serve. */
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

/** Takes the next step, if there is one. Returns whether there was none. */
async function isUpToDate(
  client: ClientBase,
  { collections, fills, steps = MIGRATIONS }: MigrateOptions,
): Promise<boolean> {
  const run = (text: string) => send<Found>(client, { text });
  // Whatever the database's default is: what is found must include what was committed during the wait for the lock.
  await run("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const [row] = await run(FIND);
    if (row?.encoding !== "UTF8")
      throw new OperationalError(
        `the database is encoded as ${row?.encoding}: it must be UTF8 (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)`,
      );
    // Not IF NOT EXISTS, which requires the privilege to create even what exists.
    if (!row.schema) await run(`CREATE SCHEMA ${SCHEMA}`);
    if (!row.migrations) await send(client, CREATE_VERSIONS);
    const found = await readVersion(client);
    checkVersion(found, { known: steps.length, fills });
    if (fills) await send(client, BEGIN_FILLING);
    const step = steps[found.version];
    if (step) await take(client, found.version + 1, step);
    else await createTables(client, collections);
    await run("COMMIT");
    return step === undefined;
  } catch (error) {
    await run("ROLLBACK").catch(() => {});
    throw rightsNeeded(
      error,
      "a start",
      `let a superuser say CREATE SCHEMA ${SCHEMA} AUTHORIZATION <role>, or have the role own the schema that is there`,
    );
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

/** @throws if an instance is at work that does not know this version of the schema */
async function assertNoneOlder(client: ClientBase, needs: number): Promise<void> {
  const [row] = await send<{ oldest: number | null }>(client, FIND_OLDEST_VERSION);
  const oldest = row?.oldest ?? needs;
  if (oldest >= needs) return;
  throw new OperationalError(
    `an instance is at work that knows version ${oldest} of the database's schema, and this program leaves it at ` +
      `${needs} or later: stop it, or have every instance run a version between the two first`,
  );
}
