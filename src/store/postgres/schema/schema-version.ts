import type { ClientBase } from "pg";
import { OperationalError } from "../../../system/operational-error.ts";
import { NotFilled } from "../../store-errors.ts";
import { send } from "../connection/connections.ts";
import { MIGRATIONS } from "./migrations.ts";
import { SCHEMA } from "./schema-name.ts";

/** Stands for a version while a database is filled from another store, so that nobody takes it for a whole one. */
const FILLING = 2_147_483_647;

/** Of the schema that a database has. */
export interface SchemaVersion {
  version: number;
  /** What a program must know at least. */
  needs: number;
}

/** A later program has changed what this one uses. */
export class ProgramOutdated extends OperationalError {}

/** @throws where a store is there that a program which knows the schema up to version `known` may not use */
export function checkVersion({ version, needs }: SchemaVersion, known = MIGRATIONS.length): void {
  if (version === FILLING)
    throw new NotFilled("the database", `empty it (DROP SCHEMA ${SCHEMA} CASCADE) and begin anew`);
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
export async function readVersion(client: ClientBase): Promise<SchemaVersion> {
  const [row] = await send<{ version: number; needs: number }>(client, {
    text: `SELECT coalesce(max(version), 0) AS version, coalesce(max((to_jsonb(m) ->> 'needs')::int), 0) AS needs
      FROM ${SCHEMA}._migrations AS m`,
  });
  return row as SchemaVersion;
}

export const BEGIN_FILLING = { text: `INSERT INTO ${SCHEMA}._migrations (version) VALUES (${FILLING})` };
export const END_FILLING = { text: `DELETE FROM ${SCHEMA}._migrations WHERE version = ${FILLING}` };
