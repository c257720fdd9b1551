import { EventEmitter } from "node:events";
import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import type { ConnectionPool, Statement } from "../../../../src/store/postgres/connection/connections.ts";
import { Session } from "../../../../src/store/postgres/connection/session.ts";

const refusal = (code: string) => Object.assign(new DatabaseError("refused", 0, "error"), { code });

/** Opens a session on a fake connection, whose answers and release the test controls and records. */
async function open(perTransaction?: string) {
  const sent: string[] = [];
  const state = {
    released: [] as unknown[],
    /** Answers by the beginning of a statement's text. */
    answers: {} as Record<string, () => unknown>,
  };
  const client = Object.assign(new EventEmitter(), {
    async query(statement: Statement | string) {
      const text = typeof statement === "string" ? statement : statement.text;
      sent.push(text);
      const answer = Object.entries(state.answers).find(([start]) => text.startsWith(start))?.[1];
      return answer?.() ?? { rows: [], command: text.split(" ", 1)[0] };
    },
    release: (broken?: boolean) => void state.released.push(broken),
  });
  const pool = {
    connect: async () => client,
    perTransaction,
    sent: ({ text, values }: Statement) => ({ text, values }),
  };
  const session = await Session.open(pool as unknown as ConnectionPool);
  return { session, sent, state, client };
}

const failing = (error: unknown) => () => {
  throw error;
};

describe("a session", () => {
  it("sends BEGIN, its statements and COMMIT in order, and releases its connection", async () => {
    const { session, sent, state, client } = await open();
    session.begin("READ COMMITTED");
    await session.send({ text: "SELECT 1" });
    await session.commit([{ text: "INSERT 1" }, { text: "INSERT 2" }]);
    await session.close();
    expect(sent).toEqual([
      "BEGIN ISOLATION LEVEL READ COMMITTED",
      "SELECT 1",
      "INSERT 1",
      "INSERT 2",
      "COMMIT",
    ]);
    expect(state.released).toEqual([false]);
    expect(client.listenerCount("notice")).toBe(0);
  });

  it("sends its settings with BEGIN if a pooler lends the connection", async () => {
    const { session, sent } = await open("SET LOCAL a = 1");
    session.begin("REPEATABLE READ READ ONLY");
    expect(sent).toEqual(["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL a = 1"]);
  });

  it("rolls back an open transaction when closed, and sends nothing if none was begun", async () => {
    const begun = await open();
    begun.session.begin("READ COMMITTED");
    await begun.session.close();
    expect(begun.sent.at(-1)).toBe("ROLLBACK");
    const idle = await open();
    await idle.session.close();
    expect([idle.sent, idle.state.released]).toEqual([[], [false]]);
  });

  it("discards a connection whose rollback fails", async () => {
    const { session, state } = await open();
    session.begin("READ COMMITTED");
    state.answers = { ROLLBACK: failing(new Error("gone")) };
    await session.close();
    expect(state.released).toEqual([true]);
  });

  it("discards a connection that was opened while the database took no writes, since it stays that way", async () => {
    for (const start of ["INSERT", "COMMIT"]) {
      const { session, sent, state } = await open();
      session.begin("READ COMMITTED");
      state.answers = { [start]: failing(refusal("25006")) };
      await expect(session.commit([{ text: "INSERT" }])).rejects.toMatchObject({ name: "StoreUnavailable" });
      await session.close();
      expect([start, state.released]).toEqual([start, [true]]);
      expect(sent).toContain("COMMIT");
    }
    const { session, state } = await open();
    session.begin("READ COMMITTED");
    state.answers = { SELECT: failing(refusal("25006")) };
    await expect(session.send({ text: "SELECT 1 FOR UPDATE" })).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
    await session.close();
    expect(state.released).toEqual([true]);
  });

  it("refuses all that follows a failed statement with the error of that one", async () => {
    const { session, sent, state } = await open();
    session.begin("READ COMMITTED");
    state.answers = { FIRST: failing(refusal("23505")), SECOND: failing(refusal("25P02")) };
    expect(() => session.assertSound()).not.toThrow();
    await expect(session.send({ text: "FIRST" })).rejects.toMatchObject({ code: "23505" });
    await expect(session.send({ text: "SECOND" })).rejects.toMatchObject({ code: "23505" });
    expect(() => session.assertSound()).toThrow(expect.objectContaining({ code: "23505" }));
    await expect(session.commit([{ text: "INSERT" }])).rejects.toMatchObject({ code: "23505" });
    expect(sent).not.toContain("COMMIT");
    await session.close();
    expect(sent.at(-1)).toBe("ROLLBACK");
  });

  it("refuses to commit if a lock that was not awaited has failed", async () => {
    const { session, state } = await open();
    state.answers = { "SELECT pg_advisory_xact_lock": failing(refusal("55P03")) };
    session.begin("READ COMMITTED");
    session.lock([1, 2]);
    await new Promise(setImmediate);
    await expect(session.commit([])).rejects.toMatchObject({ name: "StoreUnavailable" });
  });

  it.each<[string, unknown, object]>([
    ["a refusal", refusal("23505"), { code: "23505" }],
    ["a full disk", refusal("53100"), { message: "the database answers with an error: refused" }],
    ["a server that stops", refusal("57P01"), { message: expect.stringContaining("is not known") }],
    ["a connection that broke", new Error("gone"), { message: expect.stringContaining("is not known") }],
  ])("reports whether a COMMIT that failed by %s may have taken place", async (_, cause, expected) => {
    const { session, state, client } = await open();
    session.begin("READ COMMITTED");
    state.answers = { COMMIT: failing(cause) };
    await expect(session.commit([])).rejects.toMatchObject(expected);
    expect(client.listenerCount("notice")).toBe(0);
  });

  it("rejects a COMMIT that was rolled back or not confirmed by the standby", async () => {
    const rolled = await open();
    rolled.session.begin("READ COMMITTED");
    rolled.state.answers = { COMMIT: () => ({ rows: [], command: "ROLLBACK" }) };
    await expect(rolled.session.commit([])).rejects.toThrow("is not known");
    for (const [code, routine, isAlone] of [
      ["01000", "SyncRepWaitForLSN", true],
      ["01000", undefined, true],
      ["57014", "SyncRepWaitForLSN", true],
      // "database must be vacuumed within 39000000 transactions", "NOTIFY queue is 50% full"
      ["01000", "GetNewTransactionId", false],
      ["01000", "asyncQueueFillWarning", false],
      ["00000", undefined, false],
      [undefined, undefined, false],
    ] as const) {
      const { session, state, client } = await open();
      session.begin("READ COMMITTED");
      state.answers = {
        COMMIT: () => {
          client.emit("notice", { code, routine });
          client.emit("notice", {});
          return { rows: [], command: "COMMIT" };
        },
      };
      const outcome = await session.commit([]).then(
        () => "committed",
        (error: Error) => error.message,
      );
      expect([code, routine, outcome]).toEqual([
        code,
        routine,
        isAlone ? expect.stringContaining("is not known") : "committed",
      ]);
    }
  });

  it("takes a free lock with tryLock(), but not one that is held", async () => {
    const { session, state } = await open();
    for (const [rows, taken] of [
      [[{ taken: true }], true],
      [[{ taken: false }], false],
      [[], false],
    ] as const) {
      state.answers = { "SELECT pg_try": () => ({ rows }) };
      expect(await session.tryLock(7)).toBe(taken);
    }
  });

  it("fails to open with StoreUnavailable if no connection can be made", async () => {
    const pool = { connect: () => Promise.reject(new Error("connect ECONNREFUSED")) };
    await expect(Session.open(pool as unknown as ConnectionPool)).rejects.toMatchObject({
      name: "StoreUnavailable",
    });
  });
});
