import type { CountsRange, ListOptions, Space } from "../../store.ts";
import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";
import { tableOf } from "../schema/tables.ts";

/** A document as the driver returns it. */
export interface DocumentRow {
  space: Space;
  id: string;
  /** Null for a deletion that is still remembered. */
  value: string | null;
  expires_at: number;
}

export interface CounterRow {
  counter: string;
  space: Space;
  id: string;
  /** A bigint, which the driver returns as text. */
  total: string;
}

export function findDocuments(collection: string, keys: readonly { space: Space; id: string }[]): Statement {
  return {
    name: `find ${collection}`,
    text: `SELECT d.space, d.id, d.value, d.expires_at
      FROM unnest($1::text[], $2::text[]) AS k (space, id)
      JOIN ${tableOf(collection)} d ON d.space = k.space COLLATE "C" AND d.id = k.id COLLATE "C"`,
    values: [keys.map(({ space }) => space), keys.map(({ id }) => id)],
  };
}

export function findCounters(keys: readonly { counter: string; space: Space; id: string }[]): Statement {
  return {
    name: "find counters",
    text: `SELECT c.counter, c.space, c.id, c.total
      FROM unnest($1::text[], $2::text[], $3::text[]) AS k (counter, space, id)
      JOIN ${SCHEMA}._counters c ON c.counter = k.counter COLLATE "C"
        AND c.space = k.space COLLATE "C" AND c.id = k.id COLLATE "C"`,
    values: [keys.map(({ counter }) => counter), keys.map(({ space }) => space), keys.map(({ id }) => id)],
  };
}

export function listDocuments(
  collection: string,
  space: Space,
  { after, prefix = "", limit, order = "ascending" }: ListOptions,
  now: number,
  columns: "id" | "id, value" = "id, value",
): Statement {
  const ascending = order === "ascending";
  const end = successorOf(prefix);
  const values: unknown[] = [space, now];
  const given = (value: unknown) => `$${values.push(value)}`;
  const conditions = [
    `id >= ${given(prefix)}`,
    end !== undefined && `id < ${given(end)}`,
    after !== undefined && `id ${ascending ? ">" : "<"} ${given(after)}`,
  ].filter((condition) => condition !== false);
  return {
    text: `SELECT ${columns} FROM ${tableOf(collection)}
      WHERE ${["space = $1", "expires_at > $2", "value IS NOT NULL", ...conditions].join(" AND ")}
      ORDER BY id ${ascending ? "ASC" : "DESC"} ${limit === undefined ? "" : `LIMIT ${given(limit)}`}`,
    values,
  };
}

/**
 * Returns the first string after all that start with `prefix`, in the order of code points; undefined if there is none.
 */
function successorOf(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}

export function listCounters(counter: string, space: Space, range: CountsRange): Statement {
  return {
    name: "list counters",
    text: `SELECT id, total FROM ${SCHEMA}._counters WHERE ${COUNTERS_IN_RANGE}`,
    values: countersInRange(counter, space, range),
  };
}

/** A condition with the values of `countersInRange`. */
export const COUNTERS_IN_RANGE = `counter = $1 AND space = $2 AND id >= $3 AND id < $4
  AND ($5::text IS NULL OR id > $5) ORDER BY id LIMIT $6`;

export function countersInRange(
  counter: string,
  space: Space,
  { from, to, after, limit }: CountsRange,
): unknown[] {
  // The database starts reading at the later of both bounds.
  const start =
    after !== undefined && Buffer.compare(Buffer.from(after), Buffer.from(from)) > 0 ? after : from;
  return [counter, space, start, to, after ?? null, limit ?? null];
}

/**
 * A change as the driver returns it. There is at least one row: where nothing was written, it has the feed's version
 * alone.
 */
export interface ChangeRow extends Omit<DocumentRow, "id"> {
  feed_version: string;
  horizon: string;
  id: string | null;
  version: string;
}

/** The place after which a reading of changes continues. */
export interface FeedPlace {
  version: number;
  /**
   * The last id read among documents without a version, which come first. They were written while their collection kept
   * no changes.
   */
  id?: string | undefined;
}

/** Maximum number of rows in one reading of changes. */
const MAX_ROWS = 2000;

/** Lists what was written after a place, deletions included, in the order of writing, up to about `maxBytes`. */
export function listWritten(
  collection: string,
  space: Space,
  { version, id }: FeedPlace,
  maxBytes: number,
): Statement {
  const values: unknown[] = [collection, space, version];
  const given = (value: unknown) => `$${values.push(value)}`;
  const rows = (condition: string, order: string) =>
    `(SELECT id, value, expires_at, version FROM ${tableOf(collection)}
      WHERE space = $2 AND ${condition} ORDER BY ${order} ${maxBytes < Number.POSITIVE_INFINITY ? `LIMIT ${MAX_ROWS}` : ""})`;
  const written = rows("version > 0 AND version > $3", "version");
  const all =
    id === undefined ? written : `${rows(`version = 0 AND id > ${given(id)}`, "id")} UNION ALL ${written}`;
  const first =
    maxBytes < Number.POSITIVE_INFINITY
      ? `SELECT * FROM (
          SELECT w.*, sum(octet_length(coalesce(value, ''))) OVER (ORDER BY version, id ROWS UNBOUNDED PRECEDING)
            - octet_length(coalesce(value, '')) AS bytes_before
          FROM (${all}) AS w) AS counted
        WHERE bytes_before < ${given(maxBytes)}`
      : all;
  return {
    text: `SELECT coalesce(f.version, 0) AS feed_version, coalesce(f.horizon, 0) AS horizon,
        d.id, d.value, d.expires_at, d.version
      FROM (SELECT) AS one
      LEFT JOIN ${SCHEMA}._feeds f ON f.collection = $1 AND f.space = $2
      LEFT JOIN LATERAL (${first}) AS d ON true
      ORDER BY d.version, d.id`,
    values,
  };
}
