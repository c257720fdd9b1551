import type { ClientBase } from "pg";
import { send } from "../connection/connections.ts";
import { READ_ONLY, SCHEMA } from "./schema-name.ts";

/* A table is made read only by a trigger, so that it applies to every program. */

/** The function that the triggers call. */
export const REFUSE_WRITES = `
  CREATE OR REPLACE FUNCTION ${SCHEMA}._refuse_writes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION USING ERRCODE = '${READ_ONLY}', MESSAGE = TG_ARGV[0];
  END $$`;

/** @param reason a quoted literal */
export function refusal(table: string, reason: string): string {
  return `CREATE OR REPLACE TRIGGER _read_only BEFORE INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._refuse_writes(${reason})`;
}

/** Returns the reason found on the tables; undefined if they are writable. */
export async function findRefusal(client: ClientBase): Promise<string | undefined> {
  // The argument of a trigger is stored with a trailing zero byte.
  const [found] = await send<{ given: Buffer }>(client, {
    text: `SELECT tgargs AS given FROM pg_trigger
           JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
           WHERE tgname = '_read_only' AND nspname = '${SCHEMA}' ORDER BY relname LIMIT 1`,
  });
  return found?.given.subarray(0, -1).toString();
}
