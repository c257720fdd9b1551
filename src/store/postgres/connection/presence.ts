import type { Statement } from "./connections.ts";

/*
 * Each opening of the store holds an advisory lock in the session that it listens in, so that others
 * can tell whether it is still at work: the server takes the lock back in the moment in which the process
 * ends, and a process that hangs, or whose network swallows everything, no longer beats in that session.
 */

/** First half of the keys of these locks, so that they meet no others. */
const PRESENCE = 0x6f70_656e;
/** It beats four times a second. */
const MAX_SILENCE_S = 4;

/** Shared, since the session that was lost may still have it when the next begins. */
export function appear(opening: string): Statement {
  return { text: "SELECT pg_advisory_lock_shared($1::int, hashtext($2))", values: [PRESENCE, opening] };
}

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
