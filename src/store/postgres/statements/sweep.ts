import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";
import { tableOf } from "../schema/tables.ts";

/*
 * Nothing here waits for a row that somebody else is writing: it is left for the next time. Each
 * statement returns a row for each that it dealt with, `limit` at most.
 */

/** Documents that have expired and are not deleted yet. */
export function findExpired(collection: string, now: number, limit: number): Statement {
  return {
    text: `SELECT space, id FROM ${tableOf(collection)}
      WHERE ${EXPIRED} AND value IS NOT NULL LIMIT $2`,
    values: [now, limit],
  };
}

/** For a collection that keeps no changes. */
export function deleteExpired(collection: string, now: number, limit: number): Statement {
  return { text: `${deleteWhere(tableOf(collection), EXPIRED)} RETURNING 1`, values: [now, limit] };
}

/** Deletions that need not be remembered any longer; who followed them last before that has to start again. */
export function deleteRemembered(collection: string, now: number, limit: number): Statement {
  return {
    text: `WITH gone AS (
        ${deleteWhere(tableOf(collection), `${EXPIRED} AND value IS NULL`)} RETURNING space, version
      ), horizons AS (
        UPDATE ${SCHEMA}._feeds f SET horizon = greatest(f.horizon, last.version)
        FROM (SELECT space, max(version) AS version FROM gone GROUP BY space) AS last
        WHERE f.collection = $3 AND f.space = last.space
      )
      SELECT FROM gone`,
    values: [now, limit, collection],
  };
}

/** Rate-limit windows that say nothing any more that a new one would not. */
export function deleteWindows(now: number, limit: number): Statement {
  return {
    text: `${deleteWhere(`${SCHEMA}._windows`, "forget_at <= $1")} RETURNING 1`,
    values: [now, limit],
  };
}

/** What never expires is not in the index. */
const EXPIRED = "expires_at <= $1 AND expires_at < 'Infinity'";

function deleteWhere(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
}
