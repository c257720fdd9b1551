import { describe, expect, it } from "vitest";
import { changes, pairCollections, prefixOf } from "../../../src/tools/pair/documents.ts";
import type { HistoryLimits } from "../../../src/tools/pair/history.ts";
import { readNews, readSession } from "../../../src/tools/pair/read-session.ts";
import { recordChange } from "../../../src/tools/pair/record-change.ts";
import { startSession } from "../../../src/tools/pair/start-session.ts";
import { openTestStore } from "../../support/store.ts";
import { replayed } from "./pair.ts";

const SPACE = "space";
const ID = "session";

/** Opens a session of one author that keeps little history. */
async function openSession(limits: HistoryLimits, uploaded: Record<string, string>) {
  const store = await openTestStore({ collections: pairCollections });
  const files = Object.entries(uploaded).map(([path, content]) => ({ path, content }));
  await store.transact((tx) =>
    startSession(tx, SPACE, ID, { participants: [{ id: "alice", role: "driver" }], files }, 1),
  );
  return {
    insert: (path: string, insert: string, baseRevision: number) =>
      store.transact((tx) =>
        recordChange(
          tx,
          SPACE,
          { sessionId: ID, author: "alice", path, baseRevision, edits: [{ from: 0, to: 0, insert }] },
          1,
          limits,
        ),
      ),
    read: (since?: number) => store.transact((tx) => readSession(tx, SPACE, { sessionId: ID, since })),
    news: (after: number) => store.transact((tx) => readNews(tx, SPACE, ID, after, 5)),
    kept: async () =>
      (await store.transact((tx) => tx.list(changes, SPACE, { prefix: prefixOf(ID) }))).length,
  };
}

describe("the history of a session", () => {
  it("is limited in changes, while the files stay complete", async () => {
    const uploaded = { busy: "!", rare: "?" };
    const { insert, read, kept } = await openSession({ changes: 20, weight: 1e9 }, uploaded);
    await insert("rare", "once", 0);
    let busy = "!";
    for (let count = 0; count < 300; count++) {
      await insert("busy", `${count} `, count + 1);
      busy = `${count} ${busy}`;
    }
    expect(await kept()).toBe(20);
    const view = await read();
    expect(view.files.map(({ path, content, revision }) => [path, content, revision])).toEqual([
      ["busy", busy, 301],
      ["rare", "once?", 1],
    ]);
    expect([view.session.oldestSequence, view.changes[0]?.sequence, view.changes.length]).toEqual([
      282, 282, 20,
    ]);
    await insert("rare", "again ", 1);
    expect((await read()).files[1]?.content).toBe("again once?");
  });

  it("is limited in weight, while the files stay complete", async () => {
    const { insert, read, kept } = await openSession({ changes: 1000, weight: 10_000 }, { a: "" });
    for (let count = 0; count < 20; count++) await insert("a", String(count % 10).repeat(1000), count);
    expect(await kept()).toBe(9);
    const { files } = await read();
    expect(files[0]?.content).toBe(
      Array.from({ length: 20 }, (_, count) => String((19 - count) % 10).repeat(1000)).join(""),
    );
  });

  it("refuses a revision that is too old and names the oldest available one", async () => {
    const { insert, read, news } = await openSession({ changes: 10, weight: 1e9 }, { a: "", b: "" });
    for (let count = 0; count < 50; count++) await insert("a", "x", count);
    const tooOld = {
      error: "invalid_state",
      detail: expect.stringContaining("is 40"),
      extras: { members: { oldestRevision: 40 } },
    };
    await expect(insert("a", "y", 39)).rejects.toMatchObject(tooOld);
    await expect(read(39)).rejects.toMatchObject(tooOld);
    await expect(news(39)).rejects.toMatchObject(tooOld);
    const before = (await read()).files[0]?.content ?? "";
    expect((await insert("a", "y", 40)).change).toMatchObject({
      rebased: true,
      edits: [{ from: 10, to: 10, insert: "y" }],
    });
    expect((await read(41)).files[0]?.content).toBe(`${before.slice(0, 10)}y${before.slice(10)}`);
    // The file has not changed, so any revision is accepted.
    expect((await insert("b", "z", 0)).change.rebased).toBe(false);
    expect((await news(42)).changes.map(({ sequence }) => sequence)).toEqual([43, 44, 45, 46, 47]);
  });

  it("rebases edits over 1,200 changes, few of them of the same file", async () => {
    const { insert, read } = await openSession({ changes: 10_000, weight: 1e9 }, { a: "!", b: "" });
    for (let count = 0; count < 1200; count++) await insert(count % 10 ? "b" : "a", "x", count);
    const { change } = await insert("a", "?", 0);
    expect(change.edits).toEqual([{ from: 120, to: 120, insert: "?" }]);
    expect((await read(1200)).files[0]?.content).toBe(`${"x".repeat(120)}?!`);
  });

  it("rebases edits of any kept revision, before or after a snapshot of the file", async () => {
    const { insert, read } = await openSession({ changes: 10_000, weight: 1e9 }, { a: "", b: "" });
    for (let count = 0; count < 200; count++) await insert(count % 2 ? "b" : "a", `${count};`, count);
    for (const base of [0, 1, 63, 64, 127, 128, 129, 199, 200]) {
      const { session, changes } = await read(0);
      const then = replayed({ a: "", b: "" }, changes.slice(0, base)).a ?? "";
      const { change } = await insert("a", `[${base}]`, base);
      const after = (await read(session.sequence)).files[0]?.content ?? "";
      expect(change.rebased).toBe(true);
      const behind = after.slice(after.indexOf(`[${base}]`) + `[${base}]`.length);
      expect(behind.replace(/\[\d+\]/g, "")).toBe(then);
      expect(replayed({ a: "", b: "" }, (await read(0)).changes).a).toBe(after);
    }
  });
});
