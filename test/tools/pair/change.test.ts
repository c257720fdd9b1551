import { describe, expect, it } from "vitest";
import { FILE, openPair } from "./pair.ts";

const at = (from: number, insert: string, to = from) => ({ from, to, insert });

describe("POST /pair/session/{sessionId}/change", () => {
  it("records a change with 201 and applies it", async () => {
    const { start, change, content } = await openPair();
    const id = await start({ [FILE]: "hello world\r\n" });
    const { status, body } = await change(id, {
      edits: [at(0, "H", 1), at(5, ",")],
      message: "Greet properly",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      change: {
        sequence: 1,
        author: "alice",
        role: "driver",
        path: FILE,
        edits: [at(0, "H", 1), at(5, ",")],
        baseRevision: 0,
        rebased: false,
        message: "Greet properly",
      },
      revision: 1,
      rebased: false,
    });
    expect(await content(id)).toBe("Hello, world\r\n");
  });

  it("rebases edits of an older revision over the changes since", async () => {
    const { start, changed, content, show } = await openPair();
    const id = await start({ [FILE]: "one two three" });
    await changed(id, { edits: [at(0, "ONE", 3)] });
    await changed(id, { edits: [at(4, "and ")], baseRevision: 1 });
    const { change, revision, rebased } = await changed(id, {
      author: "bob",
      edits: [at(8, "THREE", 13)],
      baseRevision: 0,
    });
    expect([change.edits, revision, rebased]).toEqual([[at(12, "THREE", 17)], 3, true]);
    expect(change.baseRevision).toBe(0);
    expect(await content(id)).toBe("ONE and two THREE");
    expect((await show(id)).files[0]).toMatchObject({ revision: 3, length: 17 });
  });

  it("accepts a sequence of the session as the revision of any of its files", async () => {
    const { start, changed, content } = await openPair();
    const id = await start({ a: "a", b: "b" });
    await changed(id, { path: "a", edits: [at(0, "1")] });
    await changed(id, { path: "b", edits: [at(0, "2")] });
    const { rebased } = await changed(id, { path: "a", edits: [at(0, "3")], baseRevision: 2 });
    expect(rebased).toBe(false);
    expect(await content(id, "a")).toBe("31a");
  });

  it("accepts two insertions at the same place, the earlier one first", async () => {
    const { start, changed, content } = await openPair();
    const id = await start({ [FILE]: "()" });
    await changed(id, { edits: [at(1, "alice")] });
    await changed(id, { author: "bob", edits: [at(1, "bob")] });
    expect(await content(id)).toBe("(alicebob)");
  });

  it("refuses an edit that overlaps a later change with 409, showing both sides", async () => {
    const { start, changed, change, content } = await openPair();
    const id = await start({ [FILE]: "let a = 1; let b = 2;" });
    await changed(id, { edits: [at(0, "// ")] });
    await changed(id, { edits: [at(11, "10", 12)], baseRevision: 1 });
    const refused = await change(id, { author: "bob", edits: [at(4, "x", 5), at(8, "3", 9)] });
    expect([refused.status, refused.body.error]).toEqual([409, "conflict"]);
    expect(refused.body).toMatchObject({
      path: FILE,
      baseRevision: 0,
      theirs: { sequence: 2, author: "alice", edits: [at(11, "10", 12)], touched: 0 },
      yours: { author: "bob", edits: [at(7, "x", 8), at(11, "3", 12)], touched: 1 },
    });
    expect(refused.body.errors[0].path).toBe("edits.1");
    expect(await content(id)).toBe("// let a = 10; let b = 2;");
  });

  it("creates a file of an unknown path at revision 0 only", async () => {
    const { start, changed, change, show } = await openPair();
    const id = await start({});
    await changed(id, { path: "new.txt", edits: [at(0, "x\r\n")] });
    expect((await show(id)).files).toEqual([{ path: "new.txt", revision: 1, length: 3, content: "x\r\n" }]);
    const missing = await change(id, { path: "other.txt", baseRevision: 1, edits: [at(0, "x")] });
    expect([missing.status, missing.body.error]).toEqual([404, "not_found"]);
    expect((await change(id, { path: "../up", edits: [at(0, "x")] })).status).toBe(400);
  });

  it("refuses a change by a non-participant with 403", async () => {
    const { start, change } = await openPair();
    const id = await start();
    const { status, body } = await change(id, { author: "mallory", edits: [at(0, "x")] });
    expect([status, body.error]).toEqual([403, "forbidden"]);
    expect(body.detail).toContain('"alice", "bob"');
  });

  it.each([
    ["no edits", [], "edits"],
    ["one that ends before it begins", [at(3, "", 2)], "edits.0"],
    ["ones out of order", [at(3, "x"), at(1, "y")], "edits.1"],
    ["ones that overlap", [at(0, "x", 3), at(2, "y", 4)], "edits.1"],
    ["one that does nothing", [at(0, "x"), at(2, "")], "edits.1"],
    ["a fraction", [at(0.5, "x", 1)], "edits.0.from"],
    ["a negative place", [at(-1, "x", 1)], "edits.0.from"],
    ["one without text", [{ from: 0, to: 1 }], "edits.0.insert"],
    ["an unknown member", [{ ...at(0, "x"), by: "me" }], "edits.0.by"],
  ])("refuses %s with 400, naming it", async (_, edits, path) => {
    const { start, change } = await openPair();
    const { status, body } = await change(await start({ [FILE]: "abcdef" }), { edits });
    expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toEqual([400, [path]]);
  });

  it("refuses edits beyond the end with 422, naming each", async () => {
    const { start, changed, change } = await openPair();
    const id = await start({ [FILE]: "abc" });
    await changed(id, { edits: [at(3, "defghi")] });
    const { status, body } = await change(id, { edits: [at(0, "x"), at(3, "y"), at(3, "z", 4)] });
    expect([status, body.error]).toEqual([422, "unprocessable"]);
    expect(body.errors).toEqual([
      { path: "edits.2", message: "ends at 4, and the file has 3 at revision 0" },
    ]);
    const future = await change(id, { baseRevision: 2, edits: [at(0, "x")] });
    expect([future.status, future.body.errors[0].path]).toEqual([422, "baseRevision"]);
  });

  it("refuses a change that would make the file, or all files together, too long", async () => {
    const { start, change } = await openPair();
    const full = "x".repeat(1_048_576);
    const id = await start(Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`f${index}`, full])));
    const longer = await change(id, { path: "f0", edits: [at(5, "y")] });
    expect([longer.status, longer.body.detail]).toEqual([
      422,
      expect.stringContaining("1048576 is the most"),
    ]);
    const another = await change(id, { path: "new", edits: [at(0, "y")] });
    expect([another.status, another.body.detail]).toEqual([422, expect.stringContaining("together")]);
    expect((await change(id, { path: "f0", edits: [at(5, "y", 6)] })).status).toBe(201);
  });

  it("records a change once if it is repeated with the same Idempotency-Key", async () => {
    const { start, change, show } = await openPair();
    const id = await start();
    const options = { headers: { "Idempotency-Key": "one" } };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => change(id, { edits: [at(0, "x")] }, options)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await show(id)).session.sequence).toBe(1);
  });
});
