import { describe, expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { byPath, FILE, openPair, openStream, replayed, type TestPair } from "./pair.ts";

describe("several servers on one PostgreSQL database", () => {
  async function openTwo(): Promise<[TestPair, TestPair]> {
    const databaseUrl = await createDatabase();
    return [await openPair({ databaseUrl }), await openPair({ databaseUrl })];
  }

  it("serve the same session and exact text, whichever server was written to", async () => {
    const [one, two] = await openTwo();
    const odd = "a\r\n\u0000\ud83d\r";
    const id = await one.start({ [FILE]: odd });
    await one.changed(id, { edits: [{ from: 0, to: 1, insert: "\udc00\r" }] });
    const { rebased } = await two.changed(id, { author: "bob", edits: [{ from: 5, to: 6, insert: "\n" }] });
    expect(rebased).toBe(true);
    for (const { content } of [one, two]) expect(await content(id)).toBe("\udc00\r\r\n\u0000\ud83d\n");
    const refused = await one.change(id, { edits: [{ from: 4, to: 6, insert: "" }] });
    expect([refused.status, refused.body.theirs.author]).toEqual([409, "bob"]);
    await two.send("POST", `/${id}/end`);
    expect((await one.send("POST", `/${id}/handoff`)).status).toBe(409);
  });

  it("lose no change of 50 authors who write through both servers at once", async () => {
    const pairs = await openTwo();
    const authors = Array.from({ length: 50 }, (_, index) => `author${index}`);
    const lines = authors.map((author) => `${author}:\n`);
    const id = await pairs[0].start({ a: lines.join("") }, authors);
    const rounds = 4;
    await Promise.all(
      authors.map(async (author, index) => {
        const { changed } = pairs[index % 2] as TestPair;
        const place = lines.slice(0, index + 1).join("").length - 1;
        for (let round = 0; round < rounds; round++) {
          await changed(id, { author, path: "a", edits: [{ from: place, to: place, insert: ` ${round}` }] });
        }
      }),
    );
    const whole = await pairs[1].show(id);
    expect(await pairs[0].show(id)).toEqual(whole);
    expect(whole.changes.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 * rounds }, (_, index) => index + 1),
    );
    expect(byPath(whole).a).toBe(authors.map((author) => `${author}: 0 1 2 3\n`).join(""));
    expect(replayed({ a: lines.join("") }, whole.changes)).toEqual(byPath(whole));
  });

  it("send followers of one server what was written through the other", async () => {
    const [one, two] = await openTwo();
    const id = await one.start();
    const stream = await openStream(two.app, id);
    await stream.next();
    for (let sequence = 1; sequence <= 5; sequence++) {
      await one.changed(id, { edits: [{ from: 0, to: 0, insert: "x" }] });
      expect((await stream.next())?.data.sequence).toBe(sequence);
    }
    await one.send("POST", `/${id}/handoff`);
    expect((await stream.next())?.data.participants[1].role).toBe("driver");
    await one.send("POST", `/${id}/end`);
    expect((await stream.rest()).map(({ data }) => data.state)).toEqual(["ended"]);
  });

  it("end the streams of one server when a key is revoked through the other", async () => {
    const [one, two] = await openTwo();
    const id = await one.start();
    const made = await one.app.request("POST", "/api/v1/keys", { body: { name: "a", scopes: ["read"] } });
    const stream = await openStream(two.app, id, { key: made.body.secret });
    await stream.next();
    await one.app.request("DELETE", `/api/v1/keys/${made.body.key.id}`);
    expect(await stream.rest()).toEqual([]);
  });
});
