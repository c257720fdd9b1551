import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig, type QueryResultRow } from "pg";
import { MINUTE_MS } from "../../../system/durations.ts";
import type { Log } from "../../../system/log.ts";
import { StoreUnavailable } from "../../store.ts";
import { explained, messageOf, unavailable } from "./errors.ts";
import { Hosts } from "./hosts.ts";
import { MAX_SILENCE_MS } from "./patience.ts";

const CONNECT_TIMEOUT_MS = MAX_SILENCE_MS;
const ANSWER_TIMEOUT_MS = MAX_SILENCE_MS;
/** The server's timeout comes first, unless the server is frozen or the network drops everything. */
const STATEMENT_TIMEOUT_MS = ANSWER_TIMEOUT_MS - 500;
/** Bounds how long a process stopped in the middle of a transaction delays others. */
const STALLED_MS = 5000;
const UNUSED_MS = MINUTE_MS;

/**
 * All lookups here are by key, so an index scan is always the right plan. On a small or new table the planner would
 * prefer a full scan, and keep that plan when the table has grown.
 */
const SETTINGS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STALLED_MS,
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  // A database or a role may have others, by which arrays hold no NULL, backslashes escape, numbers are rounded, nobody is
  // told that a standby did not confirm a commit, or a single statement can fail for what others write.
  array_nulls: "on",
  standard_conforming_strings: "on",
  extra_float_digits: 1,
  client_min_messages: "warning",
  default_transaction_isolation: "'read committed'",
  // Turns to write are locks, and unused connections are closed after UNUSED_MS.
  lock_timeout: 0,
  idle_session_timeout: 0,
};

/** A statement. One with a name is planned once on each connection. */
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

/**
 * Connections to the database, or to a pooler in transaction mode. Behind a pooler, no setting and no prepared
 * statement outlives a transaction.
 */
export class ConnectionPool extends Pool {
  constructor(
    config: PoolConfig,
    /** Sets the settings in each transaction; undefined if the connections have them. */
    readonly perTransaction: string | undefined,
  ) {
    super(config);
  }

  /** Returns a statement as it is sent: without its name behind a pooler. */
  sent({ name, ...statement }: Statement): Statement {
    return name === undefined || this.perTransaction !== undefined ? statement : { name, ...statement };
  }
}

export interface PoolOptions {
  /** Settings in addition to the common ones. */
  settings?: Record<string, string>;
  /** Whether the URL leads to a pooler in transaction mode. */
  pooled?: boolean | undefined;
}

/**
 * Opens a connection to the host that accepts writes. Its statements may take and wait as long as they need, whatever the
 * role or database sets.
 */
export async function connect(hosts: Hosts, config: ClientConfig = {}): Promise<Client> {
  for (let tries = 1; ; tries++) {
    const { url } = hosts;
    const client = new Client({ ...clientConfig(url), ...config });
    client.on("error", () => {});
    try {
      await client.connect();
      await assertWritable(client, hosts);
      await client.query(
        "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_session_timeout = 0; SET extra_float_digits = 1",
      );
      await client.query(endlessTransactions("session"));
      return client;
    } catch (error) {
      client.end().catch(() => {});
      hosts.miss(url);
      if (tries >= hosts.count) throw unavailable(error);
    }
  }
}

/** Lets transactions take any time, for this one or the session. PostgreSQL before 17 has no timeout of transactions. */
export function endlessTransactions(until: "transaction" | "session"): string {
  return `SELECT set_config(name, '0', ${until === "transaction"}) FROM pg_settings
    WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`;
}

async function assertWritable(client: ClientBase, { count }: Hosts): Promise<void> {
  if (count === 1) return;
  const { rows } = await client.query<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
  if (rows[0]?.standby) throw new StoreUnavailable("that server is a standby");
}

/**
 * Returns the client class of a pool, which opens each connection to the host that is current at that time. Its
 * constructor does not throw, since the pool calls it where nobody catches.
 */
function clientFor(hosts: Hosts): typeof Client {
  return class extends Client {
    readonly #miss: () => void;
    /** Why it cannot connect: a file that the URL names cannot be read at the moment. */
    readonly #unread: unknown;

    constructor(config: ClientConfig) {
      const { url } = hosts;
      const unread = unreadIn(url);
      super({ ...config, connectionString: unread ? undefined : url });
      this.#unread = unread;
      this.#miss = () => hosts.miss(url);
      this.once("error", this.#miss);
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error, client: Client) => void): void;
    override connect(callback?: (error: Error, client: Client) => void): Promise<Client> | undefined {
      const connecting = (this.#unread ? Promise.reject(this.#unread) : super.connect())
        .then(async () => {
          await assertWritable(this, hosts);
          return this;
        })
        .catch((error) => {
          this.#miss();
          throw unavailable(error);
        });
      if (!callback) return connecting;
      connecting.then((client) => callback(undefined as never, client), callback as (error: Error) => void);
      return undefined;
    }
  };
}

/** Returns the error where a file that a URL names, such as its `sslrootcert`, cannot be read. */
function unreadIn(url: string): unknown {
  try {
    new Client({ connectionString: url });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Creates a pool of at most `max` connections, opened on demand and reopened after a loss. */
export function createPool(
  where: string | Hosts,
  max: number,
  log: Log,
  { settings = {}, pooled = false }: PoolOptions = {},
): ConnectionPool {
  const hosts = typeof where === "string" ? new Hosts(where) : where;
  const all = Object.entries({ ...SETTINGS, ...settings });
  const set = (word: string) => all.map(([name, value]) => `${word} ${name} = ${value}`).join("; ");
  const pool = new ConnectionPool(
    {
      ...clientConfig(hosts.url),
      Client: clientFor(hosts),
      max,
      idleTimeoutMillis: UNUSED_MS,
      ...(!pooled && { onConnect: (client: ClientBase) => client.query(set("SET")) }),
    },
    pooled ? set("SET LOCAL") : undefined,
  );
  // A pending query rejects when its connection is lost. Without this listener the error would also end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", (error) =>
    log.warn({ cause: messageOf(error) }, "an idle connection to the database was lost"),
  );
  return pool;
}

/** @throws StoreUnavailable where the database does not answer, or says that it cannot */
export async function send<R extends QueryResultRow>(
  connection: ConnectionPool | ClientBase,
  statement: Statement,
): Promise<R[]> {
  try {
    const sent = connection instanceof ConnectionPool ? connection.sent(statement) : statement;
    return (await connection.query<R>(sent)).rows;
  } catch (error) {
    throw explained(error);
  }
}
