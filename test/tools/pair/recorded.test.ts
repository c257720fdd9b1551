import { describe, expect, it } from "vitest";
import { changeKey, changes } from "../../../src/tools/pair/documents.ts";
import { changesBetween } from "../../../src/tools/pair/history.ts";
import { readNews } from "../../../src/tools/pair/read-session.ts";
import { recentChanges } from "../../../src/tools/pair/recent-changes.ts";
import { ID, insert, openSession, refusal, SPACE } from "./recording.ts";

describe("a recorded change", () => {
  it("is counted in its session and its file", async () => {
    const { change, session, file, began, show } = await openSession({ "a.ts": "one" });
    expect(began.files).toEqual([{ path: "a.ts", revision: 0, length: 3 }]);
    expect(await session()).toMatchObject({ files: 1, length: 3, sequence: 0, oldest: 1, weight: 0 });
    await change("a.ts", [insert(3, "two"), { from: 3, to: 3, insert: "" }]);
    await change("b.ts", [insert(0, "new")]);
    expect(await session()).toMatchObject({
      files: 2,
      length: 9,
      sequence: 2,
      weight: 3 + 64 + 3 + 32,
      updatedAt: 2,
    });
    expect(await file("a.ts")).toMatchObject({
      revision: 1,
      length: 6,
      pending: [1],
      pendingWeight: 67,
      snapshot: 0,
    });
    expect((await show()).files).toMatchObject([
      { path: "a.ts", content: "onetwo", revision: 1 },
      { path: "b.ts", content: "new", revision: 2 },
    ]);
  });

  it("is rebased over the changes after its base, and marked as rebased", async () => {
    const { change } = await openSession({ "a.ts": "abc" });
    expect((await change("a.ts", [insert(0, "x")])).change.rebased).toBe(false);
    expect(await change("b.ts", [insert(0, "y")])).toMatchObject({ sequence: 2, change: { rebased: false } });
    const moved = await change("a.ts", [insert(3, "z")], 0, "bob");
    expect(moved.change).toMatchObject({ rebased: true, role: "navigator", edits: [insert(4, "z")], at: 3 });
    expect((await change("a.ts", [insert(5, "!")], 3)).change.rebased).toBe(false);
  });

  it("shows both sides of a conflict against the same revision of the file", async () => {
    const { change } = await openSession({ "a.ts": "abcdef" });
    await change("a.ts", [insert(0, "xx")]);
    await change("a.ts", [insert(0, ">"), { from: 4, to: 6, insert: "" }], 1, "bob");
    const problem = await refusal(change("a.ts", [insert(1, "-"), { from: 3, to: 5, insert: "Q" }]));
    expect(problem).toMatchObject({ error: "conflict" });
    expect(problem.extras).toMatchObject({
      errors: [{ path: "edits.1" }],
      members: {
        ...{ path: "a.ts", baseRevision: 0 },
        theirs: { sequence: 2, author: "bob", touched: 1 },
        yours: { author: "ann", touched: 1, edits: [insert(3, "-"), { from: 5, to: 7, insert: "Q" }] },
      },
    });
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof openSession>>["change"]>, string, string]>([
    [
      "an end behind the file",
      ["a.ts", [{ from: 0, to: 4, insert: "" }]],
      "unprocessable",
      '"edits.0": ends at 4, and the file has 3',
    ],
    ["a revision that is to come", ["a.ts", [], 1], "unprocessable", "no revision 1 yet"],
    ["somebody who takes no part", ["a.ts", [], 0, "eve"], "forbidden", 'the participants are "ann", "bob".'],
  ])("is refused for %s", async (_, given, error, detail) => {
    const { change } = await openSession({ "a.ts": "abc" });
    expect(await refusal(change(...given))).toMatchObject({
      error,
      message: expect.stringContaining(detail),
    });
  });

  it("creates a file only at revision 0, and may remove a whole text", async () => {
    const { change } = await openSession({ "a.ts": "abc" });
    await change("a.ts", [insert(0, "x")]);
    expect(await refusal(change("b.ts", [], 1))).toMatchObject({ error: "not_found" });
    expect((await change("a.ts", [{ from: 0, to: 4, insert: "" }], 1)).sequence).toBe(2);
  });
});

describe("the snapshot of a file", () => {
  it("is made after 64 changes, or once these weigh 64 Ki more than its length", async () => {
    const { change, file, snapshot, show } = await openSession({ "a.ts": "" });
    for (let at = 0; at < 63; at++) await change("a.ts", [insert(0, "x")], at);
    expect(await file("a.ts")).toMatchObject({ snapshot: 0, pending: { length: 63 } });
    expect(await snapshot("a.ts")).toEqual({ content: "" });
    await change("a.ts", [insert(0, "y")], 63);
    expect(await file("a.ts")).toMatchObject({ snapshot: 64, pending: [], pendingWeight: 0, length: 64 });
    expect(await snapshot("a.ts")).toEqual({ content: `y${"x".repeat(63)}` });
    expect((await show()).files[0]?.content).toBe(`y${"x".repeat(63)}`);
    const many = (count: number) => Array.from({ length: count }, () => insert(0, ""));
    const other = await openSession({ "a.ts": "" });
    await other.change("a.ts", many(2048));
    expect(await other.file("a.ts")).toMatchObject({ snapshot: 0, pendingWeight: 65_536 });
    await other.change("a.ts", many(1), 1);
    expect(await other.file("a.ts")).toMatchObject({ snapshot: 2, pending: [] });
  });
});

describe("the history of a session", () => {
  it("drops the oldest changes beyond the limit, and refuses revisions before those kept", async () => {
    const {
      change,
      kept,
      session,
      show,
      in: run,
    } = await openSession({ "a.ts": "" }, { changes: 3, weight: 1e9 });
    for (let at = 0; at < 5; at++) await change("a.ts", [insert(at, String(at))], at);
    expect(await kept()).toEqual([3, 4, 5]);
    expect(await session()).toMatchObject({ oldest: 3, sequence: 5, weight: 3 * 33 });
    const shown = await show();
    expect(shown.files[0]?.content).toBe("01234");
    expect(shown.changes.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect((await show({ since: 4 })).changes.map(({ sequence }) => sequence)).toEqual([5]);
    expect((await show({ since: 2 })).changes).toHaveLength(3);
    expect(await refusal(show({ since: 1 }))).toMatchObject({
      error: "invalid_state",
      extras: { members: { oldestRevision: 2 } },
    });
    expect(await refusal(show({ since: 6 }))).toMatchObject({ error: "unprocessable" });
    const news = (after: number, limit = 9) => run((tx) => readNews(tx, SPACE, ID, after, limit));
    expect((await news(5)).changes).toEqual([]);
    expect((await news(2, 2)).changes.map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(await refusal(news(1))).toMatchObject({ error: "invalid_state" });
  });

  it("drops the oldest changes beyond the weight limit, but never the last change", async () => {
    const { change, kept } = await openSession({ "a.ts": "" }, { changes: 99, weight: 100 });
    for (let at = 0; at < 3; at++) await change("a.ts", [insert(0, "x")], at);
    expect(await kept()).toEqual([1, 2, 3]);
    await change("a.ts", [insert(0, "y".repeat(35))], 3);
    expect(await kept()).toEqual([3, 4]);
    await change("a.ts", [insert(0, "z".repeat(999))], 4);
    expect(await kept()).toEqual([5]);
  });

  it("drops at most 64 changes at a time", async () => {
    const { change, kept } = await openSession({ "a.ts": "" }, { changes: 1e9, weight: 3300 });
    for (let at = 0; at < 100; at++) await change("a.ts", [insert(0, "x")], at);
    expect(await kept()).toHaveLength(100);
    await change("a.ts", [insert(0, "y".repeat(3300))], 100);
    expect(await kept()).toHaveLength(37);
    await change("a.ts", [insert(0, "z")], 101);
    expect(await kept()).toHaveLength(1);
  });

  it("returns the changes of a file after any kept revision", async () => {
    const { change, session, file, in: run } = await openSession({ "a.ts": "", "b.ts": "" });
    for (let at = 0; at < 70; at++) await change(at % 10 === 0 ? "b.ts" : "a.ts", [insert(0, "x")], at);
    const between = async (path: string, revision: number) => {
      const [of, head] = [await session(), await file(path)];
      const found = await run((tx) => changesBetween(tx, SPACE, ID, of, head as never, revision));
      return found.map(({ sequence, change }) => `${change.path} ${sequence}`);
    };
    expect(await between("b.ts", 0)).toEqual([1, 11, 21, 31, 41, 51, 61].map((at) => `b.ts ${at}`));
    expect(await between("b.ts", 50)).toEqual(["b.ts 51", "b.ts 61"]);
    expect(await between("b.ts", 61)).toEqual([]);
    expect(await between("a.ts", 67)).toEqual(["a.ts 68", "a.ts 69", "a.ts 70"]);
    expect(await between("a.ts", 0)).toHaveLength(63);
    await run((tx) => tx.delete(changes, SPACE, changeKey(ID, 69)));
    await expect(between("a.ts", 67)).rejects.toThrow("change 69 of pair_1 is missing");
  });
});

describe("recentChanges()", () => {
  it("lists changes with their lines in pages, newest first, for all files or one", async () => {
    const { change, in: run } = await openSession({ "a.ts": "one\ntwo\n", "b.ts": "" });
    await change("a.ts", [{ from: 4, to: 7, insert: "three" }]);
    await change("b.ts", [insert(0, "x")], 1);
    await change("a.ts", [insert(0, "zero\n")], 2);
    const recent = (more: object = {}) =>
      run((tx) => recentChanges(tx, SPACE, { sessionId: ID, limit: 9, ...more }));
    const all = await recent();
    expect(all.items.map(({ sequence, path }) => `${path} ${sequence}`)).toEqual([
      "a.ts 3",
      "b.ts 2",
      "a.ts 1",
    ]);
    expect(all.items[2]).toMatchObject({
      inserted: 5,
      removed: 3,
      lines: [{ removed: ["two"], inserted: ["three"] }],
    });
    expect(all.items[0]?.lines?.[0]?.inserted).toContain("zero");
    expect(all.files.map(({ path, revision }) => [path, revision])).toEqual([
      ["a.ts", 3],
      ["b.ts", 2],
    ]);
    expect(all).not.toHaveProperty("nextCursor");
    const pages = [await recent({ limit: 2 })];
    expect(pages[0]?.nextCursor).toBe("2");
    pages.push(await recent({ limit: 2, cursor: "2" }));
    expect(pages[1]?.items.map(({ sequence }) => sequence)).toEqual([1]);
    expect(pages[1]).not.toHaveProperty("nextCursor");
    expect((await recent({ path: "a.ts" })).items.map(({ sequence }) => sequence)).toEqual([3, 1]);
    expect((await recent({ path: "a.ts", limit: 1 })).nextCursor).toBe("3");
    expect((await recent({ path: "none.ts" })).items).toEqual([]);
    for (const cursor of ["", "x", "1.5", "-1", "9".repeat(20)])
      expect(await refusal(recent({ cursor }))).toMatchObject({
        error: "invalid_request",
        extras: { errors: [{ path: "cursor" }] },
      });
  });

  it("shows at most sixty lines of a change, of three hundred characters each", async () => {
    const { change, in: run } = await openSession({ "a.ts": "" });
    await change("a.ts", [insert(0, `${"x".repeat(299)}😀\n`.repeat(70))]);
    const { items } = await run((tx) => recentChanges(tx, SPACE, { sessionId: ID, limit: 1 }));
    const [{ lines }] = items as [(typeof items)[number]];
    const shown = lines?.flatMap(({ removed, inserted }) => [...removed, ...inserted]) ?? [];
    expect(shown).toHaveLength(60);
    expect(shown.find((line) => line.startsWith("x"))).toBe(`${"x".repeat(299)}\ufffd`);
  });
});
