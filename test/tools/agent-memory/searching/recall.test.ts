import { describe, expect, it } from "vitest";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { openMemory, ROOT } from "../memory.ts";

describe("GET /agent-memory/recall", () => {
  it("finds memories by any form of a word, and names the matched words", async () => {
    const { store, recall } = await openMemory();
    await store("Melanie went running in the mountains with her children.");
    await store("The invoices were archived.");
    const [first, ...others] = await recall("Did the child go for a run?");
    expect(first?.memory.content).toContain("Melanie");
    expect(first?.matched).toEqual(["child", "go", "run"]);
    expect(others).toEqual([]);
  });

  it("finds words across accents and scripts, in tags, dates and metadata", async () => {
    const { store, recalled } = await openMemory();
    await store("Zoë likes the café.");
    await store("東京タワーに行きました。");
    await store("A picture.", { tags: ["holiday"], metadata: { caption: "a dog on the beach" } });
    await store("The launch.", { at: "2023-05-08T12:00:00Z" });
    expect(await recalled("zoe cafe")).toEqual(["Zoë likes the café."]);
    expect(await recalled("東京")).toEqual(["東京タワーに行きました。"]);
    expect(await recalled("dog at the beach")).toEqual(["A picture."]);
    expect(await recalled("holidays")).toEqual(["A picture."]);
    expect(await recalled("8 2023")).toEqual(["The launch."]);
  });

  it("finds memories stated in other words, and names the matched words of the query", async () => {
    const { store, recall } = await openMemory();
    await store("use pnpm, never npm");
    await store("The manager packs boxes");
    await store("Everything runs on Hetzner");
    const [first, second] = await recall("which package manager");
    expect([first?.memory.content, first?.matched]).toEqual(["use pnpm, never npm", ["package manager"]]);
    expect(second?.matched).toEqual(["manager"]);
    expect((await recall("where is it hosted"))[0]?.matched).toEqual(["hosted"]);
  });

  it("finds nothing for signs without words, and all memories for an empty query", async () => {
    const { store, recalled } = await openMemory();
    await store("Never deploy on Fridays.");
    await store("The office has a plant.");
    for (const q of ["!!!", "😀", " ? "]) expect(await recalled(q)).toEqual([]);
    for (const q of ["", "  "]) expect(await recalled(q)).toHaveLength(2);
  });

  it("gives the reasons for each recalled memory", async () => {
    const { store, recall } = await openMemory();
    await store("Which database does billing use?", { thread: "t", agent: "Ann" });
    await store("SQLite, since spring.", { thread: "t", agent: "Bob" });
    await store("Bob likes tea.", { agent: "Bob" });
    await store("The customer portal is written in Angular");
    await store("The customer portal is written in React");
    const why = async (q: string, content: string) =>
      (await recall(q)).find(({ memory }) => memory.content === content)?.why;
    expect(await why("billing database of Bob", "SQLite, since spring.")).toEqual([
      "has other words for database",
      "its thread says billing",
      "said by bob",
    ]);
    expect(await why("which frontend has the portal", "The customer portal is written in React")).toEqual([
      "says portal",
      "has other words for frontend",
      "took the place of what was stored before",
    ]);
    expect((await recall("", "limit=1"))[0]?.why).toEqual([expect.stringMatching(/^importance 0\.\d+$/)]);
  });

  it("searches threads by other words only if no word of the query is known", async () => {
    const { store, recalled } = await openMemory();
    await store("It is PostgreSQL.", { thread: "t" });
    await store("The datastore moved.", { thread: "other" });
    expect(await recalled("which datastore")).toEqual(["The datastore moved."]);
    expect(await recalled("which db")).toEqual(["It is PostgreSQL."]);
  });

  it("searches for the first 256 known words only", async () => {
    const { store, recalled } = await openMemory();
    const letter = (index: number) => String.fromCharCode(97 + (index % 26));
    const words = Array.from({ length: 256 }, (_, at) => `kx${letter(Math.floor(at / 26))}${letter(at)}q`);
    await store(words.join(" "));
    await store("The zebra sleeps.");
    expect(await recalled(`unknown ${words.slice(1).join(" ")} zebra`)).toContain("The zebra sleeps.");
    expect(await recalled(`${words.join(" ")} ${words[0]} zebra`)).toEqual([words.join(" ")]);
  });

  it("uses the context of neighbours in a thread, most of all for an answer", async () => {
    const { store, recalled } = await openMemory();
    await store("Which database does billing use?", { thread: "t", agent: "Ann" });
    await store("PostgreSQL, since spring.", { thread: "t", agent: "Bob" });
    await store("PostgreSQL has a new release.", { thread: "other", agent: "Bob" });
    const found = await recalled("billing database", "order=relevance");
    expect(found.slice(0, 2)).toEqual(["PostgreSQL, since spring.", "Which database does billing use?"]);
  });

  it("prefers the memories of a named agent, and lists these for a name alone", async () => {
    const { store, recalled } = await openMemory();
    for (const agent of ["Ann", "Bob"]) {
      await store(`My favourite food is pasta, says ${agent.length}.`, { agent });
      await store(`I work nights.`, { agent });
    }
    const [first] = await recalled("What food does Bob like?");
    expect(first).toContain("pasta");
    expect(await recalled("Bob")).toHaveLength(2);
  });

  it("filters by agent, thread, tag, kind and importance, and applies the limit", async () => {
    const { store, recalled } = await openMemory();
    await store("backup one", { tags: ["ops"], importance: 0.2, agent: "ada" });
    await store("backup two", { kind: "procedure", importance: 0.9, agent: "ada", thread: "t" });
    await store("backup three", { tags: ["ops"], kind: "procedure", importance: 0.5 });
    expect(await recalled("backup", "tag=ops&order=relevance")).toHaveLength(2);
    expect(await recalled("backup", "kind=procedure&tag=ops")).toEqual(["backup three"]);
    expect(await recalled("backup", "minImportance=0.6")).toEqual(["backup two"]);
    expect(await recalled("backup", "agent=ada")).toHaveLength(2);
    expect(await recalled("backup", "agent=ada&thread=t")).toEqual(["backup two"]);
    expect(await recalled("", "thread=t")).toEqual(["backup two"]);
    expect(await recalled("backup", "limit=1")).toHaveLength(1);
  });

  it.each([
    ["importance", { importance: 0.6 }, {}, 0],
    ["age", {}, { at: "2020-01-01T00:00:00Z" }, 0],
    ["use", {}, {}, 1],
  ])("weighs %s alone, unless ordered by relevance", async (_, first, second, uses) => {
    const clock = adjustableClock();
    const same = { importance: 0.5, at: new Date(clock.now()).toISOString() };
    const { store, recall } = await openMemory({ clock });
    const preferred = await store("cache warmup zeppelin", { ...same, ...first });
    // Of equal memories the one that was stored last comes first.
    const other = await store("cache warmup lighthouse", { ...same, ...second });
    expect(other.memory.supersedes).toBeUndefined();
    for (let use = 0; use < uses; use++) await recall("zeppelin");
    const ids = (items: Awaited<ReturnType<typeof recall>>) => items.map(({ memory }) => memory.id);
    const weighed = await recall("cache warmup", "uses=keep");
    expect(ids(weighed)).toEqual([preferred.memory.id, other.memory.id]);
    const plain = await recall("cache warmup", "order=relevance&uses=keep");
    expect(ids(plain)).toEqual([other.memory.id, preferred.memory.id]);
    expect(plain[0]?.relevance).toBe(plain[1]?.relevance);
    expect(plain.every(({ score, relevance }) => score === relevance)).toBe(true);
  });

  it("lists by importance for an empty query, without counting a use", async () => {
    const { store, recall, recalled, stats } = await openMemory();
    await store("low one", { importance: 0.2 });
    await store("high one", { importance: 0.8 });
    expect(await recalled("")).toEqual(["high one", "low one"]);
    expect((await recall(" "))[0]?.memory.uses).toBe(0);
    expect((await stats()).recalls).toBe(0);
    expect(await recalled("the of and")).toEqual([]);
  });

  it("counts uses, and changes nothing else of a memory", async () => {
    const { store, recall, stats } = await openMemory();
    const { memory } = await store("The wiki moved.");
    await recall("wiki");
    const [item] = await recall("wiki");
    expect(item?.memory).toEqual({ ...memory, uses: 2, lastUsedAt: item?.memory.lastUsedAt });
    expect((await stats()).recalls).toBe(2);
  });

  it("counts nothing where nothing is found, and makes no project", async () => {
    const { app, recall, stats } = await openMemory();
    expect(await recall("wiki")).toEqual([]);
    expect((await stats()).recalls).toBe(0);
    expect((await app.request("GET", "/api/v1/projects")).body.items).toEqual([]);
  });

  it("returns long memories in full, and counts the use of each once", async () => {
    const { send, recall, stats } = await openMemory();
    const long = "archive ".repeat(4000);
    const memories = Array.from({ length: 30 }, (_, index) => ({ content: `${long} ${index}` }));
    expect((await send("POST", "/store-many", { body: { memories } })).body.stored).toBe(30);
    const items = await recall("archive", "limit=200");
    expect(new Set(items.map(({ memory }) => memory.content)).size).toBe(30);
    expect(items.map(({ score }) => score)).toEqual(
      items.map(({ score }) => score).toSorted((a, b) => b - a),
    );
    expect(items.every(({ memory }) => memory.uses === 1)).toBe(true);
    expect((await stats()).recalls).toBe(1);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["kind=opinion", "kind"],
    ["minImportance=2", "minImportance"],
    ["order=age", "order"],
    ["query=x", "query"],
  ])(
    "refuses %s",
    async (query, path) => {
      const { send } = await openMemory();
      const response = await send("GET", `/recall?${query}`);
      expect([response.status, response.body.errors?.[0].path]).toEqual([400, path]);
    },
    15_000,
  );
});

describe("GET /agent-memory/stats", () => {
  it("summarises the memories of a project, also if there are none", async () => {
    const { store, stats } = await openMemory();
    expect(await stats()).toMatchObject({ memories: 0, averageImportance: null, oldestAt: null, byTag: [] });
    await store("deploy pipeline deploy", { tags: ["ci"], importance: 0.2, at: "2024-01-01T00:00:00Z" });
    await store("pipeline é", { tags: ["ci", "ops"], kind: "event", importance: 0.6 });
    const answer = await stats();
    expect(answer).toMatchObject({
      memories: 2,
      byTag: [
        { tag: "ci", count: 2 },
        { tag: "ops", count: 1 },
      ],
      averageImportance: 0.4,
      contentBytes: 22 + 11,
      oldestAt: "2024-01-01T00:00:00.000Z",
    });
    expect(answer.byKind).toMatchObject({ fact: 1, event: 1, decision: 0 });
    expect(answer.topKeywords[0]).toEqual({ keyword: "pipeline", count: 2 });
  });
});

describe("DELETE /agent-memory/{memoryId}", () => {
  it("forgets a memory once, and makes its neighbours in the thread adjacent", async () => {
    const { store, send, recalled, stats } = await openMemory();
    const said = (content: string) => store(content, { thread: "t" });
    await said("Where is the zeppelin?");
    const { memory } = await said("Wait a moment.");
    await said("In the hangar.");
    expect((await send("DELETE", `/${memory.id}`)).body).toEqual({ forgotten: memory.id });
    expect((await send("DELETE", `/${memory.id}`)).status).toBe(404);
    expect(await recalled("zeppelin")).toEqual(["In the hangar.", "Where is the zeppelin?"]);
    expect((await stats()).memories).toBe(2);
  });
});

describe("a memory", () => {
  it("is not visible to another account or project in any way", async () => {
    const { app, store, recalled } = await openMemory();
    const { memory } = await store("The vault opens at nine.");
    const { token } = await app.account("team");
    for (const options of [{ key: token }, { headers: { "X-Project-Id": "other" } }]) {
      const ask = (method: string, path: string, body?: unknown) =>
        app.request(method, ROOT + path, { ...options, ...(body !== undefined && { body }) });
      expect((await ask("GET", "/recall?q=vault")).body.items).toEqual([]);
      expect((await ask("GET", "/stats")).body.memories).toBe(0);
      const [theirs, nobodys] = [await ask("DELETE", `/${memory.id}`), await ask("DELETE", "/mem_none")];
      expect([theirs.status, nobodys.status]).toEqual([404, 404]);
      expect(theirs.body.detail.replace(memory.id, "mem_none")).toBe(nobodys.body.detail);
      expect((await ask("POST", "/store", { content: "The vault opens at nine." })).status).toBe(201);
    }
    expect(await recalled("vault")).toHaveLength(1);
  });
});
