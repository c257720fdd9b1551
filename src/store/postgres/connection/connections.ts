import { type ClientBase, type ClientConfig, Pool, type QueryResultRow } from "pg";
import type { Log } from "../../../system/log.ts";
import { explained, messageOf } from "./errors.ts";
import { MAX_SILENCE_MS } from "./patience.ts";

const CONNECT_TIMEOUT_MS = MAX_SILENCE_MS;
const ANSWER_TIMEOUT_MS = MAX_SILENCE_MS;
/** The server's own limit comes first, unless it is frozen or the network swallows everything. */
const STATEMENT_TIMEOUT_MS = ANSWER_TIMEOUT_MS - 500;
/** A process that is stopped in the middle of a transaction holds up the others for no longer than this. */
const STALLED_MS = 5000;
const UNUSED_MS = 60_000;

/**
 * Every look-up here goes by key, so no plan but an index scan is ever wanted: on a small or new table
 * the planner would prefer to read all of it, and under serialisable isolation whoever reads all of a
 * table conflicts with everybody who writes to it.
 */
const SETTINGS = `
  SET statement_timeout = ${STATEMENT_TIMEOUT_MS};
  SET idle_in_transaction_session_timeout = ${STALLED_MS};
  SET plan_cache_mode = force_generic_plan;
  SET enable_seqscan = off;
  SET enable_bitmapscan = off;
  SET enable_hashjoin = off;
  SET enable_mergejoin = off;
  SET jit = off;`;

/** Those with a name are planned once on each connection. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "toolplane",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    // Statements that do not depend on each other's answers share one round trip.
    pipeline: true,
  };
}

/** At most `max` connections, opened when they are needed and again after they were lost. */
export function createPool(url: string, max: number, log: Log, settings = ""): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max,
    idleTimeoutMillis: UNUSED_MS,
    onConnect: (client: ClientBase) => client.query(SETTINGS + settings),
  });
  // Whoever waits on a connection hears of its end by their query; without this the process would end too.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", (error) =>
    log.warn({ cause: messageOf(error) }, "an idle connection to the database was lost"),
  );
  return pool;
}

/** @throws StoreUnavailable where the database does not answer */
export async function send<R extends QueryResultRow>(
  connection: Pool | ClientBase,
  statement: Statement,
): Promise<R[]> {
  try {
    return (await connection.query<R>(statement)).rows;
  } catch (error) {
    throw explained(error);
  }
}
