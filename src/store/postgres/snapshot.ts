import type { ConnectionPool } from "./connection/connections.ts";
import { Session } from "./connection/session.ts";
import { createSource, type Source } from "./connection/source.ts";

/** A consistent view of the database, as of its first query. */
export interface Snapshot {
  source: Source;
  close(): Promise<void>;
}

export function openSnapshot(pool: ConnectionPool): Snapshot {
  let opening: Promise<Session> | undefined;

  async function open(): Promise<Session> {
    const session = await Session.open(pool);
    session.begin("REPEATABLE READ READ ONLY");
    return session;
  }

  return {
    source: createSource(async (statement) => {
      opening ??= open();
      return (await opening).send(statement);
    }),
    async close() {
      await opening?.then((session) => session.close()).catch(() => {});
    },
  };
}
