import { describe, expect, it } from "vitest";
import { openGraph } from "./graph.ts";

const RELATED = { from: "a", to: "b", type: "calls" };

describe("a request repeated with its Idempotency-Key", () => {
  it.each([
    ["/relationship", RELATED],
    ["/import", { entities: [{ type: "node", name: "nameless" }], relationships: [RELATED] }],
  ])("is recorded once by %s, and answered like the first time", async (path, body) => {
    const { send, entities, show } = await openGraph();
    await entities("a", "b");
    const headers = { "Idempotency-Key": "one" };
    const first = await send("POST", path, { body, headers });
    const again = await send("POST", path, { body, headers });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    const other = await send("POST", path, { body, headers: { "Idempotency-Key": "two" } });
    expect(other.text).not.toBe(first.text);
    expect((await show()).counts.relationships).toBe(1);
  });
});

describe("an entity or relationship that does not exist", () => {
  it.each([
    ["GET", "/entity/nobody", 'entity "nobody"'],
    ["GET", "/path?from=nobody&to=a", 'entity "nobody"'],
    ["GET", "/path?from=a&to=nobody", 'entity "nobody"'],
    ["GET", "/layout?entityId=nobody", 'entity "nobody"'],
    ["GET", "/layout?community=nobody", 'entity "nobody"'],
    ["GET", "/layout?community=nobody&entityId=a", 'entity "a"'],
    ["DELETE", "/entity/nobody", 'entity "nobody"'],
    ["DELETE", "/relationship?from=a&to=a&type=t", 'relationship of type "t" from "a" to "a"'],
  ])("is named in the 404 answer of %s %s", async (method, path, what) => {
    const { send, entities } = await openGraph();
    await entities("a");
    const { status, body } = await send(method, path);
    expect([status, body.detail]).toEqual([404, expect.stringContaining(`no ${what} in`)]);
  });

  it("is named for each end of a new relationship, the first also in the detail", async () => {
    const { send, entities } = await openGraph();
    await entities("a");
    const { body } = await send("POST", "/relationship", { body: { from: "nobody", to: "none", type: "t" } });
    expect(body.detail).toContain('"from": there is no entity "nobody"');
    expect(body.errors).toEqual([
      { path: "from", message: 'there is no entity "nobody"' },
      { path: "to", message: 'there is no entity "none"' },
    ]);
  });
});

describe("a search with large hits", () => {
  it("answers the hits in the order of their scores", async () => {
    const { send, search, found } = await openGraph();
    const sized = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        id: `e${100 + at}`,
        type: "node",
        name: `word${at % 3 === 0 ? " word" : ""}`,
        properties: { "": "!".repeat(12_000) },
      }));
    await send("POST", "/import", { body: { entities: sized(25) } });
    const hits = await search("word");
    expect(hits).toHaveLength(25);
    expect(hits.map(({ entity }) => entity.properties[""])).toEqual(Array(25).fill("!".repeat(12_000)));
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(await found("word", "limit=2")).toEqual(hits.slice(0, 2).map(({ entity }) => entity.id));
    for (const { entity, matched } of hits) expect([entity.type, matched]).toEqual(["node", ["word"]]);
    expect((await send("GET", "/search?q=word")).body).not.toHaveProperty("partial");
  });
});

describe("a recorded entity or relationship", () => {
  it("is shown as recorded, with empty properties by default", async () => {
    const { send } = await openGraph();
    const properties = { nested: { list: [1, null] } };
    for (const body of [
      { id: "a", type: "t", name: "A", properties },
      { id: "b", type: "t", name: "B", properties: {} },
    ]) {
      const added = await send("POST", "/entity", { body });
      const shown = await send("GET", `/entity/${body.id}`);
      expect(shown.body).toEqual({ entity: added.body.entity });
      expect(shown.body.entity).toMatchObject(body);
    }
    const replaced = await send("POST", "/entity", { body: { id: "a", type: "t", name: "A" } });
    expect(replaced.body.entity.properties).toEqual({});
  });

  it("keeps its creation time when replaced, and a weight of 0", async () => {
    const { send, entities, show } = await openGraph();
    await entities("a", "b");
    const first = await send("POST", "/relationship", { body: { ...RELATED, weight: 0 } });
    const again = await send("POST", "/relationship", {
      body: { ...RELATED, weight: 3, properties: { x: 1 } },
    });
    expect(first.body.relationship.weight).toBe(0);
    expect(again.body.relationship.createdAt).toBe(first.body.relationship.createdAt);
    expect((await show()).relationships).toEqual([again.body.relationship]);
  });
});
