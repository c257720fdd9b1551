import { describe, expect, it } from "vitest";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { openMemory } from "./memory.ts";

describe("POST /agent-memory/store", () => {
  it("stores a memory with 201, with its keywords and the reasons for its importance", async () => {
    const { store } = await openMemory();
    const { status, memory } = await store(
      "We decided to use PostgreSQL for billing because of its row locks.",
      {
        kind: "decision",
        tags: ["billing", "database", "billing"],
        agent: "planner",
        thread: "kick-off",
        at: "2025-03-01T10:00:00+02:00",
        metadata: { source: "meeting" },
      },
    );
    expect(status).toBe(201);
    expect(memory).toMatchObject({
      kind: "decision",
      tags: ["billing", "database"],
      agent: "planner",
      thread: "kick-off",
      at: "2025-03-01T08:00:00.000Z",
      metadata: { source: "meeting" },
      uses: 0,
      merges: 0,
    });
    expect(memory.id).toMatch(/^mem_[0-9a-z]{26}$/);
    expect(memory.keywords).toEqual(expect.arrayContaining(["postgresql", "billing"]));
    expect(memory.importanceReasons).toContain("records a decision");
    expect(memory.importance).toBeGreaterThan(0.6);
  });

  it("keeps a given importance", async () => {
    const { store } = await openMemory();
    const { memory } = await store("Never push to main.", { importance: 0.1 });
    expect(memory).toMatchObject({ importance: 0.1, importanceReasons: [] });
  });

  it.each([
    [{}, "content"],
    [{ content: "" }, "content"],
    [{ content: " \n" }, "content"],
    [{ content: "é".repeat(40_000) }, "content"],
    [{ content: 7 }, "content"],
    [{ content: "x", kind: "opinion" }, "kind"],
    [{ content: "x", importance: 1.1 }, "importance"],
    [{ content: "x", tags: ["ok", ""] }, "tags.1"],
    [{ content: "x", tags: "one" }, "tags"],
    [{ content: "x", thread: "a\u0000b" }, "thread"],
    [{ content: "x", at: "yesterday" }, "at"],
    [{ content: "x", metadata: [] }, "metadata"],
    [{ content: "x", mood: "good" }, "mood"],
  ])("refuses %j, naming %s", async (body, path) => {
    const { send } = await openMemory();
    const response = await send("POST", "/store", { body });
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
    expect(response.body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it("stores a request once if it is repeated with its Idempotency-Key", async () => {
    const { send, stats } = await openMemory();
    const headers = { "Idempotency-Key": "one" };
    const body = { content: "The build takes nine minutes." };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send("POST", "/store", { body, headers })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await stats()).toMatchObject({ memories: 1, duplicatesMerged: 0 });
  });

  it("merges a near-duplicate of the same agent and thread, keeping the text that says more", async () => {
    const { store, stats, recalled } = await openMemory();
    const first = await store("User prefers tabs over spaces in every file of the project", {
      tags: ["style"],
      importance: 0.4,
    });
    const second = await store(
      "The user prefers tabs over spaces in every file of the project, Makefiles too!",
      {
        tags: ["make"],
        importance: 0.7,
      },
    );
    expect(second.status).toBe(200);
    expect(second.merged).toBe(first.memory.id);
    expect(second.memory).toMatchObject({ merges: 1, importance: 0.7, tags: ["style", "make"] });
    expect(await recalled("tabs")).toEqual([
      "The user prefers tabs over spaces in every file of the project, Makefiles too!",
    ]);
    expect(await stats()).toMatchObject({ memories: 1, duplicatesMerged: 1 });
  });

  it.each([
    ["Deploys are allowed on Friday", "Deploys are not allowed on Friday"],
    ["The timeout of the gateway is 30 seconds", "The timeout of the gateway is 60 seconds"],
    ["The web service calls billing", "Billing calls the web service"],
    ["Rotate keys before the release", "Rotate keys after the release"],
  ])("stores both %j and %j", async (one, other) => {
    const { store, stats } = await openMemory();
    await store(one);
    expect((await store(other)).status).toBe(201);
    expect((await stats()).memories).toBe(2);
  });

  it("stores a text once that comes in many concurrent requests", async () => {
    const { store, stats } = await openMemory();
    const stored = await Promise.all(
      Array.from({ length: 12 }, () => store("The staging cluster is rebuilt every Sunday night.")),
    );
    expect(new Set(stored.map(({ memory }) => memory.id)).size).toBe(1);
    expect(stored.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await stats()).toMatchObject({ memories: 1, duplicatesMerged: 11 });
  });

  it("bounds the tags and metadata of a memory that is merged repeatedly", async () => {
    const { store } = await openMemory();
    const metadata = (index: number) => ({ [`note${index}`]: "x".repeat(3000) });
    let last = await store("The relay is behind the lighthouse.");
    for (let index = 0; index < 10; index++) {
      const tags = Array.from({ length: 32 }, (_, tag) => `tag ${index} ${tag}`);
      last = await store("The relay is behind the lighthouse.", { tags, metadata: metadata(index) });
    }
    expect(last.memory.merges).toBe(10);
    expect(last.memory.tags).toHaveLength(64);
    expect(JSON.stringify(last.memory.metadata).length).toBeLessThanOrEqual(16 * 1024);
  });

  it("stores the same text separately for each agent and thread", async () => {
    const { store, stats } = await openMemory();
    for (const more of [{}, { agent: "a" }, { agent: "b" }, { agent: "a", thread: "t" }]) {
      expect((await store("The cache is warm at nine.", more)).status).toBe(201);
    }
    expect((await stats()).memories).toBe(4);
  });

  it("recognises a text that was just recalled as an echo, and does not merge the text", async () => {
    const clock = adjustableClock();
    const { store, recall, stats } = await openMemory({ clock });
    const { memory } = await store("The staging cluster runs in Frankfurt behind a private gateway.", {
      agent: "a",
    });
    await recall("where does staging run");
    const echo = await store("the staging cluster runs in Frankfurt, behind a private gateway", {
      agent: "b",
    });
    expect([echo.status, echo.echo, echo.merged]).toEqual([200, true, memory.id]);
    expect(await stats()).toMatchObject({ memories: 1, echoes: 1, duplicatesMerged: 0 });
    const update = "The staging cluster no longer runs in Frankfurt behind a private gateway.";
    expect((await store(update, { agent: "b" })).status).toBe(201);
    clock.advance(16 * 60_000);
    const later = await store("The staging cluster runs in Frankfurt behind a private gateway.", {
      agent: "c",
    });
    expect([later.status, later.echo]).toEqual([201, undefined]);
  });

  it("masks secrets in content, tags and metadata", async () => {
    const { app, store, recall } = await openMemory();
    const token = `ghp_${"Ab3".repeat(12)}`;
    const { memory, masked } = await store(`CI pushes with ${token}; password = "hunter2-Hunter2"`, {
      tags: [token],
      metadata: { url: "postgres://app:s3cretpw@db/main", nested: { apiKey: "abcdef0123456789" } },
    });
    expect(masked).toEqual(["github-token", "assigned-secret", "password-in-url"]);
    expect(memory.content).toBe(
      'CI pushes with [masked github-token]; password = "[masked assigned-secret]"',
    );
    expect(memory.metadata).toEqual({
      url: "postgres://app:[masked password-in-url]@db/main",
      nested: { apiKey: "[masked assigned-secret]" },
    });
    const kept = JSON.stringify(await recall("CI pushes"));
    for (const secret of [token, "hunter2", "s3cretpw", "abcdef0123456789"])
      expect(kept).not.toContain(secret);
    expect(app.url).toBeTruthy();
  });

  it("does not recall an expired memory", async () => {
    const clock = adjustableClock();
    const { store, recalled } = await openMemory({ clock });
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    await store("The office is closed today.", { expiresAt });
    expect(await recalled("office")).toHaveLength(1);
    clock.advance(61_000);
    expect(await recalled("office")).toEqual([]);
    expect(await recalled("")).toEqual([]);
  });
});

describe("POST /agent-memory/store-many", () => {
  it("stores texts in order, and merges duplicates within the call", async () => {
    const { send, recalled, stats } = await openMemory();
    const memories = [
      { content: "The queue drains at midnight." },
      { content: "the queue drains at midnight" },
      { content: "Invoices are sent on the first, password: Xy9!kLmn2pQ" },
    ];
    const { status, body } = await send("POST", "/store-many", { body: { memories } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ stored: 2, merged: 1, echoes: 0 });
    expect(body.items[0]).toEqual({ id: expect.stringMatching(/./) });
    expect(body.items[1]).toEqual({ id: body.items[0].id, merged: true });
    expect(body.items[2].masked).toEqual(["assigned-secret"]);
    expect(await recalled("queue")).toHaveLength(1);
    expect((await stats()).memories).toBe(2);
  });

  it("recognises an echo of a memory that was just recalled", async () => {
    const { send, store, recall, stats } = await openMemory();
    const { memory } = await store("The staging cluster runs in Frankfurt behind a private gateway.");
    await recall("staging");
    const memories = [{ content: "the staging cluster runs in Frankfurt behind a private gateway" }];
    const { body } = await send("POST", "/store-many", { body: { memories } });
    expect(body).toEqual({
      items: [{ id: memory.id, merged: true, echo: true }],
      stored: 0,
      merged: 0,
      echoes: 1,
    });
    expect(await stats()).toMatchObject({ memories: 1, recalls: 1, echoes: 1, duplicatesMerged: 0 });
  });

  it("merges duplicates across all of a long call", async () => {
    const { send, stats } = await openMemory();
    const topics = Array.from({ length: 150 }, (_, index) => `service${index} belongs to team${index % 9}`);
    const memories = [...topics, ...topics.toReversed()].map((content) => ({
      content: `The ${content} now`,
    }));
    const { body } = await send("POST", "/store-many", { body: { memories } });
    expect(body).toMatchObject({ stored: 150, merged: 150, echoes: 0 });
    const ids = body.items.map(({ id }: { id: string }) => id);
    expect(ids.slice(150)).toEqual(ids.slice(0, 150).toReversed());
    expect((await stats()).memories).toBe(150);
    const long = `${"word ".repeat(12_000)}`;
    const many = Array.from({ length: 20 }, (_, index) => ({ content: `${long} ${index}` }));
    expect((await send("POST", "/store-many", { body: { memories: many } })).body).toMatchObject({
      stored: 20,
    });
  });

  it("is idempotent, and stores all or none", async () => {
    const { send, stats } = await openMemory();
    const headers = { "Idempotency-Key": "many" };
    const body = { memories: [{ content: "alpha beta" }, { content: "gamma delta" }] };
    const answers = [
      await send("POST", "/store-many", { body, headers }),
      await send("POST", "/store-many", { body, headers }),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    const broken = { memories: [{ content: "epsilon" }, { content: "" }] };
    const refused = await send("POST", "/store-many", { body: broken });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, "memories.1.content"]);
    for (const memories of [[], Array.from({ length: 1001 }, (_, index) => ({ content: `word ${index}` }))]) {
      expect((await send("POST", "/store-many", { body: { memories } })).status).toBe(400);
    }
    expect((await stats()).memories).toBe(2);
  });
});
