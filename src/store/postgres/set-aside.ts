import { type Clock, iso } from "../../system/clock.ts";
import { OperationalError } from "../../system/operational-error.ts";
import type { SetAside } from "../set-aside.ts";
import { connect, type Statement, send } from "./connection/connections.ts";
import { rightsNeeded } from "./connection/errors.ts";
import { Hosts } from "./connection/hosts.ts";
import { FIND_ANY_PRESENCE } from "./connection/presence.ts";
import { SCHEMA } from "./schema/schema-name.ts";
import { BEGIN_FILLING, CREATE_VERSIONS } from "./schema/schema-version.ts";

/** Renames the schema of the store. Throws `OperationalError` if a server runs on it. */
export async function setAsideDatabase(url: string, clock: Clock): Promise<SetAside> {
  const name = `${SCHEMA}_before_${iso(clock.now()).replaceAll(/\D/g, "").slice(0, 14)}`;
  const found = await asked(url, async (ask) => {
    const [there] = await ask<{ there: boolean }>({
      text: `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = '${SCHEMA}') AS there`,
    });
    if (!there?.there) return false;
    await assertUnused(ask);
    await together(ask, [
      { text: `ALTER SCHEMA ${SCHEMA} RENAME TO ${name}` },
      { text: `CREATE SCHEMA ${SCHEMA}` },
      CREATE_VERSIONS,
      BEGIN_FILLING,
    ]);
    return true;
  });
  return {
    ...(found && { name: `schema ${name}` }),
    putBack: () =>
      asked(url, (ask) =>
        together(ask, [
          { text: `DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE` },
          ...(found ? [{ text: `ALTER SCHEMA ${name} RENAME TO ${SCHEMA}` }] : []),
        ]),
      ),
  };
}

/**
 * Removes the store in a database, or what an unfinished filling left. Keeps the schema, which the role may not be allowed
 * to create. Throws `OperationalError` if a server runs on it.
 */
export function removeFromDatabase(url: string): Promise<void> {
  return asked(url, async (ask) => {
    await assertUnused(ask);
    await ask({ text: REMOVE });
  });
}

const REMOVE = `DO $$
  DECLARE kept text;
  BEGIN
    FOR kept IN SELECT format('DROP TABLE %I.%I CASCADE', schemaname, tablename) FROM pg_tables
        WHERE schemaname = '${SCHEMA}' LOOP
      EXECUTE kept;
    END LOOP;
    FOR kept IN SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = to_regnamespace('${SCHEMA}') LOOP
      EXECUTE kept;
    END LOOP;
  END $$`;

async function assertUnused(ask: Ask): Promise<void> {
  const [used] = await ask<{ present: boolean }>(FIND_ANY_PRESENCE);
  if (used?.present)
    throw new OperationalError("The database is in use by a running server: stop that one first.");
}

/** Runs all statements or none. A failed one ends the transaction with the connection. */
async function together(ask: Ask, statements: readonly Statement[]): Promise<void> {
  for (const statement of [{ text: "BEGIN" }, ...statements, { text: "COMMIT" }]) await ask(statement);
}

type Ask = <R extends object>(statement: Statement) => Promise<R[]>;

async function asked<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client = await connect(new Hosts(url), { query_timeout: 0 });
  try {
    return await work((statement) => send(client, statement));
  } catch (error) {
    throw rightsNeeded(
      error,
      "moving a store aside",
      `it must own the schema ${SCHEMA}, and a superuser must say GRANT CREATE ON DATABASE <database> TO <role>`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}
