import { COUNTER_BYTES } from "../../storage-use.ts";
import { SCHEMA } from "./schema-name.ts";

/*
 * The database itself counts what each account stores, so that every writer is counted. Statements append their changes
 * to `_storage_deltas`, where no writer blocks another. The sweeper folds these into `_storage`. The total is the sum
 * of both.
 */

/** Creates tables and functions, and counts existing documents. */
export const STORAGE_MIGRATION = `
  CREATE TABLE ${SCHEMA}._storage (
    account text COLLATE "C" PRIMARY KEY,
    bytes bigint NOT NULL, documents bigint NOT NULL
  );
  CREATE TABLE ${SCHEMA}._storage_deltas (
    account text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL, documents bigint NOT NULL,
    -- The transaction that wrote it, which can so tell its own.
    xact xid8 NOT NULL
  );
  CREATE INDEX _storage_deltas_account ON ${SCHEMA}._storage_deltas (account);

  CREATE FUNCTION ${SCHEMA}._count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${SCHEMA}._storage_deltas
    SELECT split_part(space, '/', 1), sum(octet_length(id) + octet_length(value)), count(*), pg_current_xact_id()
    FROM now WHERE value IS NOT NULL AND split_part(space, '/', 1) <> 'global' GROUP BY 1;
    RETURN NULL;
  END $$;

  CREATE FUNCTION ${SCHEMA}._count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${SCHEMA}._storage_deltas
    SELECT split_part(space, '/', 1), -sum(octet_length(id) + octet_length(value)), -count(*), pg_current_xact_id()
    FROM before WHERE value IS NOT NULL AND split_part(space, '/', 1) <> 'global' GROUP BY 1;
    RETURN NULL;
  END $$;

  CREATE FUNCTION ${SCHEMA}._count_updated() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${SCHEMA}._storage_deltas
    SELECT split_part(space, '/', 1), sum(sign * (octet_length(id) + octet_length(value))), sum(sign),
      pg_current_xact_id()
    FROM (SELECT space, id, value, 1 AS sign FROM now UNION ALL SELECT space, id, value, -1 FROM before) AS changed
    WHERE value IS NOT NULL AND split_part(space, '/', 1) <> 'global'
    GROUP BY 1 HAVING sum(sign) <> 0 OR sum(sign * octet_length(value)) <> 0;
    RETURN NULL;
  END $$;

  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${SCHEMA}' AND left(tablename, 1) <> '_' LOOP
      EXECUTE replace($triggers$${countingTriggers("@table")}$triggers$, '@table', format('${SCHEMA}.%I', name));
      EXECUTE format('INSERT INTO ${SCHEMA}._storage_deltas
        SELECT split_part(space, ''/'', 1), sum(octet_length(id) + octet_length(value)), count(*),
          pg_current_xact_id()
        FROM ${SCHEMA}.%I WHERE value IS NOT NULL AND split_part(space, ''/'', 1) <> ''global'' GROUP BY 1', name);
    END LOOP;
  END $$;
`;

/** Counts counters, too: existing and new ones. An update does not change the size of a counter. */
export const COUNTERS_STORAGE_MIGRATION = `
  CREATE FUNCTION ${SCHEMA}._count_counters() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${SCHEMA}._storage_deltas
    SELECT split_part(space, '/', 1), sum(octet_length(id) + ${COUNTER_BYTES}), 0, pg_current_xact_id()
    FROM now WHERE split_part(space, '/', 1) <> 'global' GROUP BY 1;
    RETURN NULL;
  END $$;
  CREATE TRIGGER _count_counters AFTER INSERT ON ${SCHEMA}._counters REFERENCING NEW TABLE AS now
    FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._count_counters();
  INSERT INTO ${SCHEMA}._storage_deltas
  SELECT split_part(space, '/', 1), sum(octet_length(id) + ${COUNTER_BYTES}), 0, pg_current_xact_id()
  FROM ${SCHEMA}._counters WHERE split_part(space, '/', 1) <> 'global' GROUP BY 1;
`;

/** Subtracts counters that are deleted. */
export const DELETED_COUNTERS_STORAGE_MIGRATION = `
  CREATE FUNCTION ${SCHEMA}._count_deleted_counters() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO ${SCHEMA}._storage_deltas
    SELECT split_part(space, '/', 1), -sum(octet_length(id) + ${COUNTER_BYTES}), 0, pg_current_xact_id()
    FROM before WHERE split_part(space, '/', 1) <> 'global' GROUP BY 1;
    RETURN NULL;
  END $$;
  CREATE TRIGGER _count_deleted_counters AFTER DELETE ON ${SCHEMA}._counters REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._count_deleted_counters();
`;

/**
 * Returns the triggers of a table of documents. A transition table belongs to one kind of event, so there are three.
 */
export function countingTriggers(table: string): string {
  return `
    CREATE TRIGGER _count_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS now
      FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._count_inserted();
    CREATE TRIGGER _count_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS before
      FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._count_deleted();
    CREATE TRIGGER _count_updated AFTER UPDATE ON ${table} REFERENCING OLD TABLE AS before NEW TABLE AS now
      FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}._count_updated();`;
}
