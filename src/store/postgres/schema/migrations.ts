import { SCHEMA } from "./schema-name.ts";
import {
  COUNTERS_STORAGE_MIGRATION,
  DELETED_COUNTERS_STORAGE_MIGRATION,
  STORAGE_MIGRATION,
} from "./storage.ts";

/**
 * A step from one version of the schema to the next, in its own transaction. A released step never changes. A step has
 * to be quick, since others wait for it: it neither rewrites a table nor reads all of it. It drops, alters or locks at
 * most one existing table: other sessions hold several at a time, and a step that holds one and waits for another could
 * deadlock with them.
 */
export interface Migration {
  sql: string;
  /**
   * The schema version that a program must know to work with this one. Omitted where the step only adds what older
   * programs ignore, so that they keep running beside newer ones and can still start. A step that removes what programs
   * before version n use sets n, and is refused until they are gone.
   */
  needs?: number;
}

/** The steps from an empty database to the newest schema. */
export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `
  CREATE TABLE ${SCHEMA}._counters (
    counter text COLLATE "C", space text COLLATE "C", id text COLLATE "C",
    total bigint NOT NULL,
    PRIMARY KEY (counter, space, id)
  ) WITH (fillfactor = 50);

  -- The version of a collection's changes in a space. Its row stays locked until the commit of who
  -- writes, so versions are committed in their order; a sequence would let followers skip late ones.
  -- Of what was written up to the horizon, deletions are no longer known.
  CREATE TABLE ${SCHEMA}._feeds (
    collection text COLLATE "C", space text COLLATE "C",
    version bigint NOT NULL,
    horizon bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (collection, space)
  ) WITH (fillfactor = 50);

  -- Rate-limit windows, as in window.ts.
  CREATE TABLE ${SCHEMA}._windows (
    key text COLLATE "C" PRIMARY KEY,
    value float8, at float8, other_value float8, other_at float8,
    forget_at float8 NOT NULL
  ) WITH (fillfactor = 50);
  `,
  },
  { sql: STORAGE_MIGRATION },
  { sql: COUNTERS_STORAGE_MIGRATION },
  { sql: DELETED_COUNTERS_STORAGE_MIGRATION },
  { sql: `ALTER TABLE ${SCHEMA}._migrations ADD COLUMN needs int NOT NULL DEFAULT 0` },
  // It has no primary key, without which nothing is deleted from a table that a publication of all tables includes.
  { sql: `ALTER TABLE ${SCHEMA}._storage_deltas REPLICA IDENTITY FULL` },
];
