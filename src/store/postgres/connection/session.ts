import type { PoolClient, QueryResult, QueryResultRow } from "pg";
import { StoreUnavailable } from "../../store.ts";
import { type ConnectionPool, type Statement, send } from "./connections.ts";
import { explained, isAmbiguous, isReadOnlyConnection, isUnconfirmed, type Notice } from "./errors.ts";

/** First half of the keys of these advisory locks, which keeps them apart from others. */
const LOCKS = 0x7475_726e;

/** One connection for one transaction. Statements are answered in the order in which they are sent. */
export class Session {
  #begun = false;
  #failure: { error: unknown } | undefined;

  private constructor(
    readonly client: PoolClient,
    readonly pool: ConnectionPool,
  ) {}

  static async open(pool: ConnectionPool): Promise<Session> {
    try {
      return new Session(await pool.connect(), pool);
    } catch (error) {
      throw explained(error);
    }
  }

  /**
   * @throws the error of its first statement that failed: those sent after it only fail because of that one, and the
   * database does not repeat why
   */
  async send<R extends QueryResultRow>(statement: Statement): Promise<R[]> {
    try {
      return await send<R>(this.client, this.pool.sent(statement));
    } catch (error) {
      this.#failure ??= { error };
      throw this.#failure.error;
    }
  }

  /** @throws the error of its first statement that failed */
  assertSound(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Begins a transaction, which includes all statements sent after it. */
  begin(mode: "READ COMMITTED" | "REPEATABLE READ READ ONLY"): void {
    this.#begun = true;
    const { perTransaction } = this.pool;
    const begin = `BEGIN ISOLATION LEVEL ${mode}`;
    this.#sendAhead({ text: perTransaction === undefined ? begin : `${begin}; ${perTransaction}` });
  }

  /** Waits for locks and holds them until the transaction ends. Keys must be in ascending order. */
  lock(keys: readonly number[]): void {
    this.#sendAhead({
      name: "lock",
      text: "SELECT pg_advisory_xact_lock($1::int, k) FROM unnest($2::int[]) AS k",
      values: [LOCKS, keys],
    });
  }

  /** Takes a lock without waiting. Returns false if another session holds it. */
  async tryLock(key: number): Promise<boolean> {
    const [answer] = await this.send<{ taken: boolean }>({
      name: "try lock",
      text: "SELECT pg_try_advisory_xact_lock($1::int, $2::int) AS taken",
      values: [LOCKS, key],
    });
    return answer?.taken ?? false;
  }

  /**
   * Sends the last statements and commits. A COMMIT without an answer is not repeated: it may have taken place, and a
   * second one might count twice.
   */
  async commit(statements: readonly Statement[]): Promise<void> {
    this.assertSound();
    this.#begun = false;
    /** Whether the commit is on the primary alone: its wait for the standby was cancelled, which is only a warning. */
    let isAlone = false;
    const hear = (notice: Notice) => {
      isAlone ||= isUnconfirmed(notice);
    };
    this.client.on("notice", hear);
    const sent = statements.map((statement) => this.client.query(this.pool.sent(statement)));
    try {
      const results: QueryResult[] = await Promise.all([...sent, this.client.query("COMMIT")]);
      if (results.at(-1)?.command !== "COMMIT") throw new Error("what had failed was to be committed");
      if (isAlone) throw new Error("the standby did not confirm it");
    } catch (error) {
      if (!isAmbiguous(error)) {
        this.#failure = { error: explained(error) };
        throw this.#failure.error;
      }
      throw new StoreUnavailable(
        "the database went away during a commit: whether it took place is not known",
        { cause: error },
      );
    } finally {
      this.client.removeListener("notice", hear);
    }
  }

  /** Rolls back what was not committed, and releases the connection, or ends it where it is of no more use. */
  async close(): Promise<void> {
    try {
      if (this.#begun) await this.client.query("ROLLBACK");
      this.client.release(this.#failure !== undefined && isReadOnlyConnection(this.#failure.error));
    } catch {
      this.client.release(true);
    }
  }

  /** Sends a statement without awaiting it. If it fails, so do all statements after it. */
  #sendAhead(statement: Statement): void {
    this.send(statement).catch(() => {});
  }
}
