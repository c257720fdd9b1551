import type { Statement } from "./connections.ts";

/*
 * Each opening of the store holds an advisory lock in the session that it listens in, so that others
 * can tell whether it is still at work: the server takes the lock back in the moment in which the process
 * ends, and a process that hangs, or whose network swallows everything, no longer beats in that session.
 */

/** First half of the keys of these locks, so that they meet no others. */
const PRESENCE = 0x6f70_656e;
/** … and of those by which others see which version of the schema it knows. */
const KNOWS = 0x6b6e_6f77;
/** It beats four times a second. */
const MAX_SILENCE_S = 4;

/** Shared, since the session that was lost may still have it when the next begins. */
export function appear(opening: string, schemaVersion: number): Statement {
  return {
    text: "SELECT pg_advisory_lock_shared($1::int, hashtext($2)), pg_advisory_lock_shared($3::int, $4::int)",
    values: [PRESENCE, opening, KNOWS, schemaVersion],
  };
}

/** Said before the session ends: the server may take a moment to see that it did. */
export const DISAPPEAR: Statement = { text: "SELECT pg_advisory_unlock_all()" };

/** The oldest version of the schema that an opening at work on this database knows no later than. */
export const FIND_OLDEST_VERSION: Statement = {
  text: `SELECT min(objid::bigint::int) AS oldest FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ${KNOWS}::oid`,
};

/** Who may not see when a session was active takes it for one that is. */
export function findPresence(opening: string): Statement {
  return {
    name: "find presence",
    text: `SELECT EXISTS (
        SELECT FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
        WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND l.classid = $1::int::oid AND l.objid::bigint = hashtext($2)::bigint & 4294967295
          AND coalesce(greatest(a.query_start, a.state_change) > clock_timestamp() - interval '${MAX_SILENCE_S} s', true)
      ) AS present`,
    values: [PRESENCE, opening],
  };
}

/** Whether any opening of the store is at work on this database. */
export const FIND_ANY_PRESENCE: Statement = {
  text: `SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = ${PRESENCE}::oid
    ) AS present`,
};
