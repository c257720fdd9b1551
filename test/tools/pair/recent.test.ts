import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";

const ROOT = "/api/v1/tools/pair/session";

async function openPair() {
  const app = await startApp();
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, ROOT + path, body === undefined ? {} : { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const start = async (title: string, content = "one\ntwo\nthree\n"): Promise<string> => {
    const participants = [
      { id: "ann", role: "driver" },
      { id: "bob", role: "navigator" },
    ];
    const files = [
      { path: "a.txt", content },
      { path: "b.txt", content: "b" },
    ];
    return (await done("POST", "", { title, participants, files })).session.id;
  };
  const change = (id: string, path: string, baseRevision: number, from: number, to: number, insert: string) =>
    done("POST", `/${id}/change`, { author: "ann", path, baseRevision, edits: [{ from, to, insert }] });
  return { app, done, start, change };
}

describe("GET /pair/session", () => {
  it("lists sessions by state in pages, the latest first", async () => {
    const { done, start } = await openPair();
    const ids = [await start("one"), await start("two"), await start("three")];
    await done("POST", `/${ids[1]}/end`, {});
    const titles = async (query: string) => {
      const { items, nextCursor } = await done("GET", query);
      return [items.map(({ session }: { session: { title: string } }) => session.title), nextCursor];
    };
    expect(await titles("")).toEqual([["three", "two", "one"], undefined]);
    expect((await titles("?state=active"))[0]).toEqual(["three", "one"]);
    expect((await titles("?state=ended"))[0]).toEqual(["two"]);
    const [first, cursor] = await titles("?limit=2");
    expect([first, (await titles(`?limit=2&cursor=${cursor}`))[0]]).toEqual([["three", "two"], ["one"]]);
    expect((await done("GET", "")).items[0]).toMatchObject({ files: 2, length: 15, following: 0 });
  });
});

describe("GET /pair/session/{sessionId}/recent", () => {
  it("shows the changed lines of each change, newest first, without file contents", async () => {
    const { app, done, start, change } = await openPair();
    const id = await start("one");
    await change(id, "a.txt", 0, 4, 7, "TWO");
    await change(id, "b.txt", 0, 0, 1, "c");
    await change(id, "a.txt", 1, 0, 0, "zero\n");
    const { items, files, session } = await done("GET", `/${id}/recent`);
    expect(session.sequence).toBe(3);
    expect(files.map(({ path }: { path: string }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(JSON.stringify(files)).not.toContain("content");
    expect(
      items.map(({ sequence, lines }: { sequence: number; lines: unknown }) => [sequence, lines]),
    ).toEqual([
      [3, [{ line: 1, removed: [], inserted: ["zero"] }]],
      [2, [{ line: 1, removed: ["b"], inserted: ["c"] }]],
      [1, [{ line: 2, removed: ["two"], inserted: ["TWO"] }]],
    ]);
    const ofFile = await done("GET", `/${id}/recent?path=a.txt&limit=1`);
    expect(ofFile.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3]);
    const rest = await done("GET", `/${id}/recent?path=a.txt&limit=1&cursor=${ofFile.nextCursor}`);
    expect(rest.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1]);
    expect(rest.nextCursor).toBeUndefined();
    expect((await app.request("GET", `${ROOT}/${id}/recent?cursor=x`)).status).toBe(400);
    expect((await app.request("GET", `${ROOT}/none/recent`)).status).toBe(404);
  });

  it("shows no lines if the text before a change is not kept, and at most sixty otherwise", async () => {
    const { done, start, change } = await openPair();
    const id = await start("one", "x\n".repeat(500));
    for (let at = 0; at < 65; at++) await change(id, "a.txt", at, 0, 0, "y\n");
    await change(id, "a.txt", 65, 0, 0, `${"z".repeat(1000)}\n`.repeat(100));
    const { items } = await done("GET", `/${id}/recent?limit=50`);
    expect(items[0].lines).toEqual([{ line: 1, removed: [], inserted: expect.any(Array) }]);
    expect(items[0].lines[0].inserted).toHaveLength(60);
    expect(items[0].lines[0].inserted[0]).toBe("z".repeat(300));
    expect(items[0]).toMatchObject({ inserted: 100_100, removed: 0 });
    expect(items.at(-1)).toMatchObject({ sequence: 17, lines: null, inserted: 2 });
  });
});
