import type { ClientBase } from "pg";
import { OperationalError } from "../../../system/operational-error.ts";
import { NoStore, NotFilled } from "../../store-errors.ts";
import { send } from "../connection/connections.ts";
import { MIGRATIONS } from "./migrations.ts";
import { SCHEMA } from "./schema-name.ts";

/** Recorded as a version while a database is filled from another store, so that it is not taken for a complete one. */
const FILLING = 2_147_483_647;

/** The version of a database's schema. */
export interface SchemaVersion {
  version: number;
  /** The version that a program must at least know. */
  needs: number;
  /** Whether the database is being filled, or was and the filling ended early. */
  isFilling: boolean;
}

/** A later program has changed what this one uses. */
export class ProgramOutdated extends OperationalError {}

/**
 * @param options.fills whether this is the program that fills the store
 * @throws if a program that knows the schema up to version `known` may not use the store
 */
export function checkVersion(
  { version, needs, isFilling }: SchemaVersion,
  { known = MIGRATIONS.length, fills = false } = {},
): void {
  if (isFilling && !fills) {
    const back = `DROP SCHEMA ${SCHEMA} CASCADE, and name a schema ${SCHEMA}_before_… ${SCHEMA} again`;
    throw new NotFilled("the database", back);
  }
  if (needs <= known) return;
  throw new ProgramOutdated(
    `the database's schema has version ${version} and needs programs that know ${needs}, this one knows ${known}: update it`,
  );
}

/** Returns the version of the schema; undefined if there is none. */
export async function versionOf(client: ClientBase): Promise<SchemaVersion | undefined> {
  const [found] = await send<{ name: string | null }>(client, {
    text: `SELECT to_regclass('${SCHEMA}._migrations')::text AS name`,
  });
  return found?.name ? readVersion(client) : undefined;
}

export function noStoreInDatabase(): NoStore {
  return new NoStore("There is no store in this database. Name the one that tool serve used.");
}

/** Reads the version. Databases of the first versions do not have the column `needs`. */
export async function readVersion(client: ClientBase): Promise<SchemaVersion> {
  const [row] = await send<{ version: number; needs: number }>(client, {
    text: `SELECT coalesce(max(version) FILTER (WHERE version < ${FILLING}), 0) AS version,
        coalesce(max((to_jsonb(m) ->> 'needs')::int), 0) AS needs,
        coalesce(bool_or(version = ${FILLING}), false) AS "isFilling"
      FROM ${SCHEMA}._migrations AS m`,
  });
  return row as SchemaVersion;
}

export const CREATE_VERSIONS = { text: `CREATE TABLE ${SCHEMA}._migrations (version int PRIMARY KEY)` };
export const BEGIN_FILLING = {
  text: `INSERT INTO ${SCHEMA}._migrations (version) VALUES (${FILLING}) ON CONFLICT DO NOTHING`,
};
export const END_FILLING = { text: `DELETE FROM ${SCHEMA}._migrations WHERE version = ${FILLING}` };
