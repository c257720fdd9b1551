import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";

/** A `WindowRecord` as the driver returns it. It has no value before anything was taken from it. */
export interface WindowRow {
  key: string;
  value: number | null;
  at: number | null;
  other_value: number | null;
  other_at: number | null;
  /** Milliseconds since the epoch. */
  forget_at: number;
}

/** Names the columns: a prepared statement fails once its result has more of them. */
const SELECT = `SELECT w.key, w.value, w.at, w.other_value, w.other_at, w.forget_at FROM ${SCHEMA}._windows w
  WHERE w.key = ANY($1::text[])`;

/** Locks in the order of the keys, which prevents deadlocks. */
export function lockWindows(keys: readonly string[]): Statement {
  return { name: "lock windows", text: `${SELECT} ORDER BY w.key FOR UPDATE`, values: [keys] };
}

export function readWindows(keys: readonly string[]): Statement {
  return { name: "read windows", text: SELECT, values: [keys] };
}

export function insertWindows(keys: readonly string[], forgetAt: number): Statement {
  return {
    name: "insert windows",
    text: `INSERT INTO ${SCHEMA}._windows (key, forget_at)
      SELECT key, $2 FROM unnest($1::text[]) AS key ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO NOTHING`,
    values: [keys, forgetAt],
  };
}

/** Writes a row that nobody reads and the next sweep deletes. */
export function touchWindow(now: number): Statement {
  return {
    name: "touch window",
    text: `INSERT INTO ${SCHEMA}._windows (key, forget_at) VALUES ('probe', $1)
      ON CONFLICT (key) DO UPDATE SET forget_at = excluded.forget_at`,
    values: [now],
  };
}

export function updateWindows(rows: readonly WindowRow[]): Statement {
  return {
    name: "update windows",
    text: `UPDATE ${SCHEMA}._windows w
      SET value = r.value, at = r.at, other_value = r.other_value, other_at = r.other_at, forget_at = r.forget_at
      FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
        AS r (key, value, at, other_value, other_at, forget_at)
      WHERE w.key = r.key COLLATE "C"`,
    values: [
      rows.map(({ key }) => key),
      rows.map(({ value }) => value),
      rows.map(({ at }) => at),
      rows.map(({ other_value }) => other_value),
      rows.map(({ other_at }) => other_at),
      rows.map(({ forget_at }) => forget_at),
    ],
  };
}
