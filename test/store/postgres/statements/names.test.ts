import { expect, it } from "vitest";
import type { ConnectionPool, Statement } from "../../../../src/store/postgres/connection/connections.ts";
import { announcement } from "../../../../src/store/postgres/connection/listener.ts";
import { findPresence } from "../../../../src/store/postgres/connection/presence.ts";
import { Session } from "../../../../src/store/postgres/connection/session.ts";
import { findCounters, findDocuments, listCounters } from "../../../../src/store/postgres/statements/read.ts";
import { sumStorage } from "../../../../src/store/postgres/statements/storage.ts";
import {
  insertWindows,
  lockWindows,
  readWindows,
  touchWindow,
  updateWindows,
} from "../../../../src/store/postgres/statements/windows.ts";
import {
  deleteCounters,
  setCounters,
  writeStatements,
} from "../../../../src/store/postgres/statements/write.ts";
import { counterKey, Writes } from "../../../../src/store/postgres/writes.ts";

/** Returns the statements with which a session takes locks. */
async function locking(): Promise<Statement[]> {
  const sent: Statement[] = [];
  const client = {
    query: async (statement: Statement) => {
      sent.push(statement);
      return { rows: [{ taken: true }] };
    },
  };
  const pool = { connect: async () => client, sent: (statement: Statement) => statement };
  const session = await Session.open(pool as unknown as ConnectionPool);
  session.lock([1]);
  expect(await session.tryLock(2)).toBe(true);
  return sent;
}

it("all frequent SQL statements have unique names", async () => {
  const writes = new Writes();
  for (const collection of ["plain", "followed"])
    writes.write({ collection, space: "s", id: "a", text: "1", expiresAt: Infinity });
  writes.add(counterKey("visits", "s", "a"), 1);
  const collections = new Map([
    ["plain", { changes: false, cached: false }],
    ["followed", { changes: true, cached: false }],
  ]);
  const range = { from: "", to: "b" };
  const statements = [
    ...writeStatements(writes, collections),
    ...(await locking()),
    findDocuments("plain", []),
    findDocuments("followed", []),
    findCounters([]),
    listCounters("visits", "s", range),
    deleteCounters("visits", "s", range),
    setCounters([]),
    sumStorage("acc"),
    lockWindows([]),
    readWindows([]),
    insertWindows([], 0),
    updateWindows([]),
    touchWindow(0),
    announcement([]),
    findPresence("opening_1"),
  ];
  const names = statements.map(({ name }) => name ?? "");
  expect(names.filter((name) => name === "")).toEqual([]);
  expect(new Set(names).size).toBe(statements.length);
});
