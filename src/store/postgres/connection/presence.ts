import type { Statement } from "./connections.ts";

/*
 * Each opening of the store holds an advisory lock in the session that it listens in, so that others can see whether it
 * is at work. The server releases the lock when the process ends. A process that hangs, or whose network drops
 * everything, sends no more heartbeats in that session.
 */

/** First half of the keys of these locks, which keeps them apart from others. */
const PRESENCE = 0x6f70_656e;
/** First half of the keys of the locks that show which version of the schema an opening knows. */
const KNOWS = 0x6b6e_6f77;
/** Far above the interval of heartbeats, of which there are four a second. */
const MAX_SILENCE_S = 4;

/** Takes shared locks, since a lost session may still hold them when the next one begins. */
export function appear(opening: string, schemaVersion: number): Statement {
  return {
    text: "SELECT pg_advisory_lock_shared($1::int, hashtext($2)), pg_advisory_lock_shared($3::int, $4::int)",
    values: [PRESENCE, opening, KNOWS, schemaVersion],
  };
}

/** Sent before the session ends, since the server may take a moment to notice the end. */
export const DISAPPEAR: Statement = { text: "SELECT pg_advisory_unlock_all()" };

/** Finds the lowest schema version known to an opening at work on this database. */
export const FIND_OLDEST_VERSION: Statement = {
  text: `SELECT min(objid::bigint::int) AS oldest FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ${KNOWS}::oid`,
};

/**
 * Finds whether an opening is at work. A role that may not see the activity of its session assumes that it is active.
 */
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

/** Finds whether any opening of the store is at work on this database. */
export const FIND_ANY_PRESENCE: Statement = {
  text: `SELECT EXISTS (
      SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = ${PRESENCE}::oid
    ) AS present`,
};
