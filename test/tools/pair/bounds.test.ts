import { describe, expect, it } from "vitest";
import { changeKey, changes, sessions } from "../../../src/tools/pair/documents.ts";
import { HISTORY } from "../../../src/tools/pair/history.ts";
import { recentChanges } from "../../../src/tools/pair/recent-changes.ts";
import type { Edit, Participant } from "../../../src/tools/pair/session-contract.ts";
import { ID, insert, openSession, refusal, SPACE } from "./recording.ts";

const UNBOUNDED = { changes: 1e9, weight: 1e9 };
const nothing = (count: number): Edit[] => Array.from({ length: count }, () => insert(0, ""));

describe("a change", () => {
  it.each([
    [10, '"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9".'],
    [11, '"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9" and others.'],
  ])(
    "by a non-participant is refused with the names of at most ten of %i participants",
    async (count, names) => {
      const all = Array.from({ length: count }, (_, at): Participant => ({ id: `p${at}`, role: "driver" }));
      const { change } = await openSession({ a: "" }, UNBOUNDED, all);
      const { message } = await refusal(change("a", [insert(0, "x")], 0, "eve"));
      expect(message).toBe(`"eve" takes no part in this session; the participants are ${names}`);
    },
  );

  it("may create the thousandth file of a session, but no further file", async () => {
    const { change, session } = await openSession(
      Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`f${at}`, ""])),
    );
    await change("thousandth", [insert(0, "x")]);
    expect((await session()).files).toBe(1000);
    expect(await refusal(change("more", [insert(0, "x")]))).toMatchObject({
      error: "unprocessable",
      message: "This session has 1000 files, the most there may be.",
    });
    await change("thousandth", [insert(0, "y")], 1);
    expect(await session()).toMatchObject({ files: 1000, sequence: 2 });
  });

  it("is rebased over ten thousand edits, but not over more", async () => {
    const { change } = await openSession({ a: "" });
    await change("a", nothing(10_000));
    expect((await change("a", [insert(0, "x")])).change.rebased).toBe(true);
    expect(await refusal(change("a", [insert(0, "y")]))).toMatchObject({
      error: "invalid_state",
      message: expect.stringContaining("10001 edits of this file came after revision 0"),
    });
    expect((await change("a", [insert(0, "y")], 1)).sequence).toBe(3);
  });

  it("with 101 edits beyond the end of the file is refused with a hundred errors", async () => {
    const { change } = await openSession({ a: "abc" });
    const beyond = Array.from({ length: 101 }, (_, at) => ({ from: 4 + at, to: 5 + at, insert: "" }));
    const { extras } = await refusal(change("a", [insert(3, "x"), ...beyond]));
    expect(extras.errors).toHaveLength(100);
    expect(extras.errors?.at(0)?.path).toBe("edits.1");
    expect(extras.errors?.at(-1)?.path).toBe("edits.100");
  });

  it("is refused with the path of the member at fault", async () => {
    const { change } = await openSession({ a: "abc" });
    expect((await refusal(change("a", [insert(0, "x")], 1))).extras.errors).toEqual([
      { path: "baseRevision", message: "must be at most 0" },
    ]);
    await change("a", [{ from: 0, to: 2, insert: "" }]);
    expect((await refusal(change("a", [insert(1, "x")]))).extras.errors).toEqual([
      { path: "edits.0", message: "touches what change 1 changed" },
    ]);
  });
});

describe("a snapshot", () => {
  it("of a long file is made once its changes weigh 64 Ki more than its length", async () => {
    const { change, file } = await openSession({ a: "x".repeat(320) });
    // 320 + 65,536 is the weight of 2058 edits of 32 each.
    await change("a", nothing(2058));
    expect(await file("a")).toMatchObject({ snapshot: 0, pendingWeight: 65_856 });
    await change("a", nothing(1), 1);
    expect(await file("a")).toMatchObject({ snapshot: 2, pendingWeight: 0 });
  });

  it("is not replaced when a change before it is dropped from the history", async () => {
    const { change, file, kept } = await openSession({ a: "" }, { changes: 66, weight: 1e9 });
    for (let at = 0; at < 68; at++) await change("a", [insert(0, "x")], at);
    expect(await kept()).toHaveLength(66);
    expect(await file("a")).toMatchObject({ snapshot: 64, pending: [65, 66, 67, 68] });
  });

  it("suffices to rebase a change after earlier changes were dropped", async () => {
    const { change, file } = await openSession({ a: "", b: "" }, { changes: 3, weight: 1e9 });
    await change("a", [insert(0, "one")]);
    for (let at = 1; at < 5; at++) await change("b", [insert(0, "x")], at);
    expect(await file("a")).toMatchObject({ snapshot: 1, pending: [] });
    await change("a", [insert(3, "!")], 1);
    expect((await change("a", [insert(0, "> ")], 1)).change).toMatchObject({ rebased: true });
  });
});

describe("the history of a session", () => {
  it("weighs at most 1 Mi", async () => {
    const { change, kept } = await openSession({ a: "" }, HISTORY);
    const half = (1 << 19) - 32;
    await change("a", [insert(0, "x".repeat(half))]);
    await change("a", [{ from: 0, to: half, insert: "y".repeat(half) }], 1);
    expect(await kept()).toEqual([1, 2]);
    await change("a", [{ from: 0, to: half, insert: "" }], 2);
    expect(await kept()).toEqual([2, 3]);
  });

  it.each([
    [9999, 1],
    [10_000, 2],
  ])("of %i changes begins with change %i after another change", async (sequence, oldest) => {
    const { change, session, in: run } = await openSession({ a: "" }, HISTORY);
    const { change: first } = await change("a", [insert(0, "x")]);
    const began = await session();
    await run(async (tx) => {
      await tx.put(changes, SPACE, changeKey(ID, 2), first);
      await tx.put(sessions, SPACE, ID, { ...began, sequence });
    });
    await change("b", [insert(0, "y")]);
    expect((await session()).oldest).toBe(oldest);
  });
});

describe("recentChanges()", () => {
  const recent = async (
    { in: run }: Pick<Awaited<ReturnType<typeof openSession>>, "in">,
    more: { path?: string; limit?: number; cursor?: string } = {},
  ) => run((tx) => recentChanges(tx, SPACE, { sessionId: ID, limit: 9, ...more }));

  it("lists the last changed files first, and unchanged files by path", async () => {
    const paths = ["c", "a", "e", "b", "d"];
    const at = await openSession(Object.fromEntries(paths.map((path) => [path, ""])));
    await at.change("d", [insert(0, "x")]);
    await at.change("new", [insert(0, "x\n")]);
    const { files, items } = await recent(at);
    expect(files.map(({ path }) => path)).toEqual(["new", "d", "a", "b", "c", "e"]);
    expect(items[0]?.lines).toEqual([{ line: 1, removed: [], inserted: ["x"] }]);
  });

  it("shows at most sixty lines of the first fifty edits of a change", async () => {
    const text = Array.from({ length: 60 }, (_, at) => `${at % 10}\n`).join("");
    const edits = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ from: 2 * at, to: 2 * at + 1, insert: "x" }));
    const linesOf = async (changed: Edit[]) => {
      const at = await openSession({ a: text });
      await at.change("a", changed);
      return (await recent(at)).items[0]?.lines ?? [];
    };
    const replaced = await linesOf(edits(51));
    expect(replaced).toHaveLength(30);
    expect(replaced.at(-1)).toEqual({ line: 30, removed: ["9"], inserted: ["x"] });
    const removed = await linesOf(
      Array.from({ length: 55 }, (_, at) => ({ from: 2 * at, to: 2 * at + 1, insert: "" })),
    );
    expect(removed).toHaveLength(30);
    const emptied = await linesOf([{ from: 0, to: text.length, insert: "" }]);
    expect(emptied).toMatchObject([{ line: 1, removed: { length: 60 }, inserted: [] }]);
    // Each edit inserts an empty line between two lines, and removes nothing.
    const inserted = await linesOf(Array.from({ length: 55 }, (_, at) => insert(2 * at, "\n")));
    expect(inserted.flatMap(({ inserted }) => inserted)).toHaveLength(50);
  });

  it("finds changes of a file behind hundreds of changes of other files", async () => {
    const at = await openSession({ busy: "", rare: "" });
    await at.change("rare", [insert(0, "first")]);
    for (let count = 1; count <= 250; count++) await at.change("busy", [insert(0, "x")], count);
    await at.change("rare", [insert(0, "last")], 251);
    const sequences = async (more: object) =>
      (await recent(at, { path: "rare", ...more })).items.map(({ sequence }) => sequence);
    expect(await sequences({})).toEqual([252, 1]);
    expect(await sequences({ cursor: "252" })).toEqual([1]);
    expect(await sequences({ cursor: "1" })).toEqual([]);
  });

  it.each(["1e1", "12x", " 1"])("refuses %j as a cursor", async (cursor) => {
    const { extras } = await refusal(recent(await openSession({ a: "" }), { cursor }));
    expect(extras.errors).toEqual([{ path: "cursor", message: "is no cursor of this list" }]);
  });
});
