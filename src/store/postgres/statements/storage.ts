import type { StorageUse } from "../../storage-use.ts";
import type { Statement } from "../connection/connections.ts";
import { SCHEMA } from "../schema/schema-name.ts";

/** Storage of an account. The driver returns bigints and their sums as text. */
export interface StorageRow {
  bytes: string;
  documents: string;
  /** Growth by the transaction that asks. */
  grown_bytes: string;
  grown_documents: string;
}

/** Returns what an account stores, including what this transaction has sent, in one row. */
export function sumStorage(account: string): Statement {
  return {
    name: "sum storage",
    text: `SELECT coalesce(sum(bytes), 0) AS bytes, coalesce(sum(documents), 0) AS documents,
        coalesce(sum(bytes) FILTER (WHERE own), 0) AS grown_bytes,
        coalesce(sum(documents) FILTER (WHERE own), 0) AS grown_documents
      FROM (
        SELECT bytes, documents, false AS own FROM ${SCHEMA}._storage WHERE account = $1
        UNION ALL
        SELECT bytes, documents, xact = pg_current_xact_id_if_assigned()
        FROM ${SCHEMA}._storage_deltas WHERE account = $1
      ) AS parts`,
    values: [account],
  };
}

export function storedIn(row: StorageRow): StorageUse {
  return { bytes: Number(row.bytes), documents: Number(row.documents) };
}

export function grownIn(row: StorageRow): StorageUse {
  return { bytes: Number(row.grown_bytes), documents: Number(row.grown_documents) };
}

/** Folds up to `limit` deltas into the sums and returns a row for each. Only one process may run it at a time. */
export function foldStorage(limit: number): Statement {
  return {
    text: `WITH gone AS (
        DELETE FROM ${SCHEMA}._storage_deltas
        WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${SCHEMA}._storage_deltas LIMIT $1))
        RETURNING account, bytes, documents
      ), folded AS (
        INSERT INTO ${SCHEMA}._storage AS s (account, bytes, documents)
        SELECT account, sum(bytes), sum(documents) FROM gone GROUP BY account
        ON CONFLICT (account) DO UPDATE
        SET bytes = s.bytes + excluded.bytes, documents = s.documents + excluded.documents
      )
      SELECT FROM gone`,
    values: [limit],
  };
}

/** Deletes sums of accounts that store nothing, such as deleted ones, at most `limit`, and returns a row for each. */
export function deleteEmptySums(limit: number): Statement {
  return {
    text: `DELETE FROM ${SCHEMA}._storage WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${SCHEMA}._storage WHERE bytes = 0 AND documents = 0 LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING 1`,
    values: [limit],
  };
}
