import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig, type QueryResultRow } from "pg";
import type { Log } from "../../../system/log.ts";
import { StoreUnavailable } from "../../store.ts";
import { explained, messageOf } from "./errors.ts";
import { Hosts } from "./hosts.ts";
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
 * the planner would prefer to read all of it, and keep that plan when the table has grown.
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
};

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

/**
 * Connections to the database, or to a pooler before it that lends one of its own for each transaction: then no
 * setting and no statement's name outlives the transaction.
 */
export class ConnectionPool extends Pool {
  constructor(
    config: PoolConfig,
    /** For each transaction; undefined where the connections themselves have them. */
    readonly perTransaction: string | undefined,
  ) {
    super(config);
  }

  /** What is sent for a statement. */
  sent({ name, ...statement }: Statement): Statement {
    return name === undefined || this.perTransaction !== undefined ? statement : { name, ...statement };
  }
}

export interface PoolOptions {
  /** Settings of its own. */
  settings?: Record<string, string>;
  /** Whether the URL leads to a pooler that lends connections for a transaction each. */
  pooled?: boolean | undefined;
}

/** A connection to the one of the hosts that takes writes. */
export async function connect(hosts: Hosts, config: ClientConfig = {}): Promise<Client> {
  for (let tries = 1; ; tries++) {
    const { url } = hosts;
    const client = new Client({ ...clientConfig(url), ...config });
    client.on("error", () => {});
    try {
      await client.connect();
      await assertWritable(client, hosts);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      hosts.miss(url);
      if (tries >= hosts.count) throw explained(error);
    }
  }
}

async function assertWritable(client: ClientBase, { count }: Hosts): Promise<void> {
  if (count === 1) return;
  const { rows } = await client.query<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
  if (rows[0]?.standby) throw new StoreUnavailable("that server is a standby");
}

/** What a pool connects with: whenever it opens a connection, to the host that is tried at the moment. */
function clientFor(hosts: Hosts): typeof Client {
  return class extends Client {
    readonly #miss: () => void;

    constructor(config: ClientConfig) {
      const { url } = hosts;
      super({ ...config, connectionString: url });
      this.#miss = () => hosts.miss(url);
      this.once("error", this.#miss);
    }

    override connect(): Promise<Client>;
    override connect(callback: (error: Error, client: Client) => void): void;
    override connect(callback?: (error: Error, client: Client) => void): Promise<Client> | undefined {
      const connecting = super
        .connect()
        .then(async () => {
          await assertWritable(this, hosts);
          return this;
        })
        .catch((error) => {
          this.#miss();
          throw error;
        });
      if (!callback) return connecting;
      connecting.then((client) => callback(undefined as never, client), callback as (error: Error) => void);
      return undefined;
    }
  };
}

/** At most `max` connections, opened when they are needed and again after they were lost. */
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
  // Whoever waits on a connection hears of its end by their query; without this the process would end too.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", (error) =>
    log.warn({ cause: messageOf(error) }, "an idle connection to the database was lost"),
  );
  return pool;
}

/** @throws StoreUnavailable where the database does not answer */
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
