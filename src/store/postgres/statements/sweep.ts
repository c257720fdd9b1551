import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";
import { tableOf } from "../schema/tables.ts";

/*
 * These statements do not wait for a row that another session is writing, but leave it for the next sweep. Each returns
 * a row for every row that it processed, at most `limit`.
 */

/** Finds documents that have expired and are not deleted yet. */
export function findExpired(collection: string, now: number, limit: number): Statement {
  return {
    text: `SELECT space, id FROM ${tableOf(collection)}
      WHERE ${EXPIRED} AND value IS NOT NULL LIMIT $2`,
    values: [now, limit],
  };
}

/** Deletes expired documents of a collection that keeps no changes. */
export function deleteExpired(collection: string, now: number, limit: number): Statement {
  return { text: `${deleteWhere(tableOf(collection), EXPIRED)} RETURNING 1`, values: [now, limit] };
}

/**
 * Deletes deletions that need not be remembered any longer. A follower that last read before them has to start again.
 */
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

/** Deletes rate-limit windows that are no different from new ones. */
export function deleteWindows(now: number, limit: number): Statement {
  return {
    text: `${deleteWhere(`${SCHEMA}._windows`, "forget_at <= $1")} RETURNING 1`,
    values: [now, limit],
  };
}

/** The second condition matches the partial index, which leaves out rows that never expire. */
const EXPIRED = "expires_at <= $1 AND expires_at < 'Infinity'";

function deleteWhere(table: string, condition: string): string {
  return `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
}
