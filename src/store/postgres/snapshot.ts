import type { ConnectionPool } from "./connection/connections.ts";
import { Session } from "./connection/session.ts";
import { createSource, type Source } from "./connection/source.ts";

/** A consistent view of the database, as of its first query. */
export interface Snapshot {
  source: Source;
  close(): Promise<void>;
}

/**
 * Returns a function that opens snapshots. Each holds a connection until it is closed, and who reads from it may wait
 * meanwhile for a lookup that needs another. Therefore only `most` hold one at once, and the others wait: `most` is less
 * than the size of the pool, so that there is always a connection for lookups.
 */
export function createSnapshots(pool: ConnectionPool, most: number): () => Snapshot {
  let held = 0;
  const waiting: (() => void)[] = [];

  async function take(): Promise<void> {
    if (held < most) held++;
    else await new Promise<void>((next) => waiting.push(next));
  }

  function giveBack(): void {
    const next = waiting.shift();
    if (next) next();
    else held--;
  }

  async function open(): Promise<Session> {
    await take();
    try {
      const session = await Session.open(pool);
      session.begin("REPEATABLE READ READ ONLY");
      return session;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  return () => {
    let opening: Promise<Session> | undefined;
    return {
      source: createSource(async (statement) => {
        opening ??= open();
        return (await opening).send(statement);
      }),
      async close() {
        const session = await opening?.catch(() => undefined);
        if (!session) return;
        await session.close();
        giveBack();
      },
    };
  };
}
