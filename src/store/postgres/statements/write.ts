import type { Collection, CountsRange, Space } from "../../store.ts";
import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";
import { tableOf } from "../schema/tables.ts";
import type { CounterWrite, DocumentWrite, Writes } from "../writes.ts";
import { COUNTERS_IN_RANGE, countersInRange } from "./read.ts";

/** Collections by name. */
export type Collections = ReadonlyMap<string, Pick<Collection<unknown>, "changes" | "cached">>;

/**
 * Returns the statements for all writes. They lock rows in a fixed order, by table and key, which prevents deadlocks.
 */
export function writeStatements(writes: Writes, collections: Collections): Statement[] {
  const statements: Statement[] = [];
  if (writes.counters.size > 0) statements.push(addToCounters(inOrderOfKeys(writes.counters)));
  const byCollection = grouped(writes.documents, ({ collection }) => collection);
  for (const [collection, documents] of inOrder(byCollection)) {
    // A copied collection may belong to a tool that is not in use here. If it is added, it may need the order of
    // writing.
    if (collections.get(collection)?.changes ?? true) {
      const bySpace = grouped(documents, ({ space }) => space);
      for (const [space, followed] of inOrder(bySpace)) {
        statements.push(putFollowed(collection, space, [...followed.values()]));
      }
    } else {
      statements.push(putDocuments(collection, inOrderOfKeys(documents)));
    }
  }
  return statements;
}

function inOrder<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}

function inOrderOfKeys<V>(map: ReadonlyMap<string, V>): V[] {
  return inOrder(map).map(([, value]) => value);
}

function grouped<V>(map: ReadonlyMap<string, V>, nameOf: (value: V) => string): Map<string, Map<string, V>> {
  const groups = new Map<string, Map<string, V>>();
  for (const [key, value] of map) {
    const name = nameOf(value);
    const group = groups.get(name);
    if (group) group.set(key, value);
    else groups.set(name, new Map([[key, value]]));
  }
  return groups;
}

function addToCounters(writes: readonly CounterWrite[]): Statement {
  return countersStatement("add to counters", "c.total + excluded.total", writes);
}

/** Sets totals, whatever they were before. For copies. */
export function setCounters(writes: readonly CounterWrite[]): Statement {
  return countersStatement("set counters", "excluded.total", writes);
}

function countersStatement(name: string, total: string, writes: readonly CounterWrite[]): Statement {
  return {
    name,
    text: `INSERT INTO ${SCHEMA}._counters AS c (counter, space, id, total)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
      ON CONFLICT (counter, space, id) DO UPDATE SET total = ${total}`,
    values: [
      writes.map(({ counter }) => counter),
      writes.map(({ space }) => space),
      writes.map(({ id }) => id),
      writes.map(({ by }) => by),
    ],
  };
}

/** Deletes counters in a range and returns a row for each. */
export function deleteCounters(counter: string, space: Space, range: CountsRange): Statement {
  return {
    name: "delete counters",
    text: `WITH found AS (SELECT id FROM ${SCHEMA}._counters WHERE ${COUNTERS_IN_RANGE})
      DELETE FROM ${SCHEMA}._counters c USING found
      WHERE c.counter = $1 AND c.space = $2 AND c.id = found.id RETURNING 1`,
    values: countersInRange(counter, space, range),
  };
}

/** Writes to a collection that keeps no changes. A deletion becomes a row without value that has expired. */
function putDocuments(collection: string, writes: readonly DocumentWrite[]): Statement {
  return {
    name: `put ${collection}`,
    text: `INSERT INTO ${tableOf(collection)} (space, id, value, expires_at)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[])
      ON CONFLICT (space, id) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
    values: columnsOf(writes),
  };
}

function columnsOf(writes: readonly DocumentWrite[]): unknown[] {
  return [
    writes.map(({ space }) => space),
    writes.map(({ id }) => id),
    writes.map(({ text }) => text ?? null),
    writes.map(({ expiresAt }) => expiresAt),
  ];
}

/**
 * Writes to one space of a collection that keeps changes. `writes` are in the order of writing, which becomes the order
 * of their versions. Their rows are locked in the order of ids. The deletion of a document that does not exist leaves
 * no trace.
 */
function putFollowed(collection: string, space: Space, writes: readonly DocumentWrite[]): Statement {
  return {
    name: `put followed ${collection}`,
    text: `WITH feed AS (
        INSERT INTO ${SCHEMA}._feeds AS f (collection, space, version) VALUES ($1, $2, cardinality($3::text[]))
        ON CONFLICT (collection, space) DO UPDATE SET version = f.version + excluded.version
        RETURNING version - cardinality($3::text[]) AS before
      )
      INSERT INTO ${tableOf(collection)} AS d (space, id, value, expires_at, version)
      SELECT $2, w.id, w.value, w.expires_at, feed.before + w.place
      FROM feed, unnest($3::text[], $4::text[], $5::float8[]) WITH ORDINALITY AS w (id, value, expires_at, place)
      WHERE w.value IS NOT NULL OR EXISTS (
        SELECT FROM ${tableOf(collection)} e
        WHERE e.space = $2 AND e.id = w.id COLLATE "C" AND e.value IS NOT NULL)
      ORDER BY w.id COLLATE "C"
      ON CONFLICT (space, id) DO UPDATE
      SET value = excluded.value, expires_at = excluded.expires_at, version = excluded.version`,
    values: [
      collection,
      space,
      writes.map(({ id }) => id),
      writes.map(({ text }) => text ?? null),
      writes.map(({ expiresAt }) => expiresAt),
    ],
  };
}
