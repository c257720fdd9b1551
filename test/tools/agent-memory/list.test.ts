import { describe, expect, it } from "vitest";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { openMemory } from "./memory.ts";

describe("GET /agent-memory", () => {
  it("lists memories in pages, in any order, filtered by agent, thread, tag and kind", async () => {
    const { store, send } = await openMemory();
    await store("The build takes nine minutes.", { agent: "ada", importance: 0.9, tags: ["build"] });
    await store("Lunch is at noon.", { agent: "bob", importance: 0.1 });
    await store("We chose PostgreSQL.", { agent: "ada", thread: "t", importance: 0.5, kind: "decision" });
    const list = async (query = "") => {
      const { body } = await send("GET", `?${query}`);
      const contents = body.items.map(({ memory }: { memory: { content: string } }) => memory.content);
      return [contents.map((content: string) => content.split(" ")[1]), body.nextCursor] as const;
    };
    expect(await list()).toEqual([["chose", "is", "build"], undefined]);
    expect((await list("sort=createdAt"))[0]).toEqual(["build", "is", "chose"]);
    expect((await list("sort=-importance"))[0]).toEqual(["build", "chose", "is"]);
    expect((await list("agent=ada"))[0]).toEqual(["chose", "build"]);
    expect((await list("agent=ada&thread=t"))[0]).toEqual(["chose"]);
    expect((await list("tag=build"))[0]).toEqual(["build"]);
    expect((await list("kind=decision"))[0]).toEqual(["chose"]);
    for (const sort of ["-createdAt", "createdAt", "importance", "-importance", "at", "-uses"]) {
      const [whole] = await list(`sort=${sort}`);
      const [first, cursor] = await list(`sort=${sort}&limit=2`);
      const [rest, end] = await list(`sort=${sort}&limit=2&cursor=${encodeURIComponent(cursor)}`);
      expect([...first, ...rest], sort).toEqual(whole);
      expect(end, sort).toBeUndefined();
    }
    expect((await send("GET", "?cursor=nonsense")).status).toBe(400);
  });

  it("leaves out expired memories", async () => {
    const { store, send } = await openMemory();
    await store("It is gone already.", { expiresAt: "2020-01-01T00:00:00Z" });
    expect((await send("GET", "")).body.items).toEqual([]);
  });
});

describe("GET /agent-memory/{memoryId}", () => {
  it("shows the superseding and the superseded memory", async () => {
    const { store, send } = await openMemory();
    const { memory: before } = await store("The staging server runs on port 8080.");
    const { memory: after } = await store("The staging server runs on port 9090.");
    expect(after.supersedes).toEqual([before.id]);
    expect((await send("GET", `/${before.id}`)).body).toMatchObject({ supersededBy: after.id });
    const { body } = await send("GET", `/${after.id}`);
    expect(body.replaced).toEqual([{ id: before.id, content: before.content, at: before.at }]);
    expect(body.supersededBy).toBeUndefined();
    expect((await send("GET", "/mem_none")).status).toBe(404);
  });
});

describe("PATCH /agent-memory/{memoryId}", () => {
  it("changes the given fields, masks secrets, and updates the search index", async () => {
    const { store, send, recalled } = await openMemory();
    const { memory } = await store("The zeppelin leaves at nine.", { tags: ["air"], thread: "t" });
    const correct = (body: unknown) => send("PATCH", `/${memory.id}`, { body });
    const { body } = await correct({ content: "The ferry leaves at nine.", importance: 0.7 });
    expect(body.memory).toMatchObject({
      id: memory.id,
      content: "The ferry leaves at nine.",
      tags: ["air"],
      thread: "t",
      importance: 0.7,
      importanceReasons: [],
      createdAt: memory.createdAt,
    });
    expect(await recalled("zeppelin")).toEqual([]);
    expect(await recalled("ferry")).toEqual(["The ferry leaves at nine."]);
    expect((await correct({ tags: [], kind: "event" })).body.memory).toMatchObject({
      content: "The ferry leaves at nine.",
      tags: [],
      kind: "event",
      importance: 0.7,
    });
    const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
    const masked = await correct({ content: `The token is ${secret}` });
    expect(masked.body.masked).toHaveLength(1);
    expect(masked.text).not.toContain(secret);
    expect((await correct({ content: " " })).status).toBe(400);
    expect((await send("PATCH", "/mem_none", { body: { content: "x" } })).status).toBe(404);
  });

  it("keeps all of several changes within one millisecond", async () => {
    const clock = adjustableClock();
    const instant = clock.now();
    const { store, send } = await openMemory({ clock: { ...clock, now: () => instant } });
    const { memory } = await store("The zeppelin leaves at nine.");
    const changes = { content: "The ferry leaves at nine.", tags: ["sea"], kind: "event", importance: 0.7 };
    await Promise.all(
      Object.entries(changes).map(([name, value]) =>
        send("PATCH", `/${memory.id}`, { body: { [name]: value } }),
      ),
    );
    expect((await send("GET", `/${memory.id}`)).body.memory).toMatchObject(changes);
  });

  const RULE = "Never deploy on Fridays: the on-call engineer must always approve it first.";

  it.each(["ok", "a quiet afternoon with tea"])(
    "recomputes the importance of %j, which was not given, with its reasons",
    async (content) => {
      const { store, send } = await openMemory();
      const { memory } = await store(content);
      const { body } = await send("PATCH", `/${memory.id}`, { body: { content: RULE } });
      expect(body.memory.importance).toBeGreaterThan(memory.importance);
      expect(body.memory.importanceReasons).toContain("sets a rule");
    },
  );

  it("leaves an importance as it was given, when stored or corrected", async () => {
    const { store, send } = await openMemory();
    const given = await store("ok", { importance: 0.1 });
    const scored = await store("The kettle is in the pantry.");
    await send("PATCH", `/${scored.memory.id}`, { body: { importance: 0.2 } });
    for (const [{ memory }, importance] of [
      [given, 0.1],
      [scored, 0.2],
    ] as const) {
      const { body } = await send("PATCH", `/${memory.id}`, { body: { content: `${RULE} ${importance}` } });
      expect(body.memory).toMatchObject({ importance, importanceReasons: [] });
    }
  });
});

describe("a memory that expires", () => {
  it("exists until its expiry, even if corrected, merged or recalled", async () => {
    const clock = adjustableClock();
    const { store, send, recall } = await openMemory({ clock });
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const kept = await Promise.all([
      store("The ferry leaves at nine.", { expiresAt }),
      store("The kettle is in the pantry.", { expiresAt }),
      store("The zeppelin is grey.", { expiresAt }),
      store("The lighthouse is white."),
    ]);
    const [ferry, kettle, zeppelin, lighthouse] = kept.map(({ memory }) => memory.id);
    const corrected = await send("PATCH", `/${ferry}`, { body: { content: "The ferry leaves at ten." } });
    expect(corrected.body.memory.expiresAt).toBe(expiresAt);
    await send("PATCH", `/${lighthouse}`, { body: { tags: ["sea"] } });
    await store("The kettle is in the pantry.", { expiresAt });
    expect(await recall("zeppelin")).toHaveLength(1);
    const statuses = async () =>
      Promise.all(
        [ferry, kettle, zeppelin, lighthouse].map(async (id) => (await send("GET", `/${id}`)).status),
      );
    clock.advance(59_000);
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    clock.advance(1001);
    expect(await statuses()).toEqual([404, 404, 404, 200]);
    expect((await send("GET", "")).body.items).toHaveLength(1);
  });
});

describe("GET /agent-memory/recall", () => {
  it("leaves use counts unchanged with uses=keep", async () => {
    const { store, recall } = await openMemory();
    await store("The ferry leaves at nine.");
    await recall("ferry", "uses=keep");
    expect((await recall("ferry", "uses=keep"))[0]?.memory.uses).toBe(0);
  });
});
