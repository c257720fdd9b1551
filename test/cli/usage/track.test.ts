import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCounter } from "../../client/support/counter.ts";
import { problem, startServer } from "../../client/support/server.ts";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { ownerOf, startOwner } from "../support/owner.ts";
import { user } from "../support/tool.ts";

const NOWHERE = "http://127.0.0.1:9";

describe("tool track", () => {
  it("records an event, and prints the totals", async () => {
    const { tool } = await startOwner();
    expect(
      (await tool("track", "agents_invoked", "--count", "3", "--metadata", "source=ci", "--json")).json,
    ).toEqual({
      recorded: true,
      type: "agents_invoked",
      count: 3,
      projectId: "default",
      total: { day: 3, month: 3 },
    });
    const { code, stdout } = await tool(
      ...["track", "agents_invoked", "--project", "shop", "--create-project"],
    );
    expect(code).toBe(0);
    expect(stdout).toBe("✔ 1 agents_invoked recorded for project shop (1 today, 1 this month)\n");
  });

  it("creates no project for a misspelt name without --create-project", async () => {
    const { app, tool, start, home } = await startOwner();
    const projects = async () =>
      (await app.request("GET", "/api/v1/projects")).body.items.map(({ id }: { id: string }) => id);
    await tool("projects", "set", "shop", "--name", "Shop");
    expect((await tool("track", "api_calls", "--project", "shop")).code).toBe(0);
    const mistyped = await tool("track", "api_calls", "--project", "shpo");
    expect(mistyped).toMatchObject({ code: 2, stdout: "" });
    expect(mistyped.stderr).toBe(
      "✖ There is no project shpo yet, which --project names.\n" +
        "  Did you mean shop? To make it by writing to it, add --create-project.\n",
    );
    const stored = start(["memory", "store", "Tests run at night.", "--json"], { TOOL_PROJECT: "shpo" });
    expect(await stored.finished).toMatchObject({
      code: 2,
      json: { error: "usage", message: expect.stringContaining("TOOL_PROJECT names") },
    });
    expect(await projects()).toEqual(["shop"]);
    expect((await tool("track", "api_calls", "--project", "shpo", "--create-project")).code).toBe(0);
    expect((await tool("track", "api_calls", "--project", "shpo")).code).toBe(0);
    writeFileSync(join(home, ".tool.json"), JSON.stringify({ project: "written-down" }));
    expect((await tool("track", "api_calls")).stdout).toContain("for project written-down");
  });

  it("creates no project when reading under a misspelt name, and says that none exists", async () => {
    const { app, tool } = await startOwner();
    await tool("projects", "set", "shop", "--name", "Shop");
    const mistyped = (...words: string[]) => tool(...words, "--project", "shpo");
    const stats = await mistyped("memory", "stats", "--json");
    expect(stats).toMatchObject({ code: 0, json: { memories: 0 } });
    expect(stats.stderr).toBe("There is no project shpo yet, which --project names. Did you mean shop?\n");
    for (const words of [
      ["memory", "recall", "deploys"],
      ["memory", "list"],
      ["errors", "list"],
      ["graph", "show"],
      ["anomalies", "history"],
      ["models", "select", "Rename a variable"],
    ]) {
      expect(await mistyped(...words), words.join(" ")).toMatchObject({ code: 0 });
    }
    const wanted = await tool("memory", "list", "--project", "fresh", "--create-project");
    expect(wanted).toMatchObject({ code: 0, stderr: expect.not.stringContaining("no project") });
    // The uses are counted, and only `--create-project` has created a project.
    expect((await tool("events", "flush", "--json")).json.waiting).toBe(0);
    const { items } = (await app.request("GET", "/api/v1/projects")).body;
    expect(items.map(({ id }: { id: string }) => id)).toEqual(["default", "fresh", "shop"]);
  });

  it("queues the event with a message when no server answers, and counts the event once later", async () => {
    const counter = createCounter();
    const server = await startServer(counter.receive);
    onTestFinished(() => server.stop());
    await server.stop();
    const { tool } = ownerOf({ url: server.baseUrl });
    const { code, stdout } = await tool("track", "api_calls", "--count", "2");
    expect(code).toBe(0);
    expect(stdout).toBe(
      "! Queued, not counted yet: nothing listens there. It will be sent in the background (1 waiting).\n",
    );
    const { events, batches } = (await tool("events", "list", "--json")).json;
    expect(events).toBe(1);
    const [event] = batches[0].body.events;
    expect(event).toMatchObject({ event: "api.call", count: 2 });
    await server.start();
    expect((await tool("events", "flush", "--json")).json.waiting).toBe(0);
    expect([...counter.counted]).toEqual([[event.id, 1]]);
    const [sent] = server.seen.filter(({ path }) => path === "/api/v1/events/batch");
    expect(JSON.parse(sent?.body ?? "").events).toEqual([event]);
  });

  it("keeps an event that waits for another server out of the totals of this one", async () => {
    const app = await startApp();
    const { tool } = ownerOf({ url: NOWHERE });
    await tool("track", "api_calls", "--count", "2");
    expect((await tool("track", "api_calls", "--base-url", app.url, "--json")).json).toMatchObject({
      total: { day: 1 },
    });
  });

  it("queues the event when the server never answers, and counts the event once later", async () => {
    const counter = createCounter();
    const server = await startServer(() => "hang");
    onTestFinished(() => server.stop());
    const { tool } = ownerOf({ url: server.baseUrl });
    const { code, json } = await tool("track", "api_calls", "--json");
    expect(code).toBe(0);
    expect(json).toMatchObject({
      recorded: false,
      queued: true,
      waiting: 1,
      reason: "no answer within 1.5 s",
    });
    const late = await tool("events", "flush", "--timeout", "1s");
    expect(late).toMatchObject({ code: 6, stdout: expect.stringContaining("1 event still waiting") });
    server.react(counter.receive);
    expect((await tool("events", "flush", "--json")).json).toMatchObject({ sent: 1, waiting: 0 });
    expect([...counter.counted]).toEqual([[json.id, 1]]);
  });

  it("keeps the event in the queue during the request, even when killed", async () => {
    const server = await startServer(() => "hang");
    onTestFinished(() => server.stop());
    const { start, tool } = ownerOf({ url: server.baseUrl });
    const { child, finished } = start(["track", "api_calls"]);
    await expect.poll(() => server.seen.length).toBe(1);
    child.kill("SIGKILL");
    await finished;
    expect((await tool("events", "list", "--json")).json).toMatchObject({
      events: 1,
      batches: [{ path: "/api/v1/track", id: server.seen[0]?.headers["idempotency-key"] }],
    });
  });

  it("tells what a server that asks to wait has answered", async () => {
    for (const [status, code, wait] of [
      [503, "store_unavailable", "5"],
      [503, "store_unavailable", "60"],
      [429, "rate_limited", "5"],
    ] as const) {
      const server = await startServer(() => problem(status, code, { "retry-after": wait }));
      onTestFinished(() => server.stop());
      const { stdout } = await ownerOf({ url: server.baseUrl }).tool("track", "api_calls");
      expect(stdout).toContain(
        `Queued, not counted yet: the server answered ${status}: It is ${code}. It will`,
      );
    }
  });

  it("queues an event that a rate limit refuses, but not an invalid one", async () => {
    const server = await startServer(() => problem(429, "rate_limited", { "retry-after": "20" }));
    onTestFinished(() => server.stop());
    const { tool } = ownerOf({ url: server.baseUrl });
    expect(await tool("track", "api_calls", "--json")).toMatchObject({ code: 0, json: { queued: true } });
    server.react(() => problem(422, "unprocessable"));
    expect((await tool("track", "api_calls")).code).toBe(1);
    expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 1 });
    const flushed = await tool("events", "flush", "--json");
    expect(flushed).toMatchObject({ code: 1, json: { sent: 0, refused: 1, waiting: 0 } });
  });

  it("fails when no server answers and DO_NOT_TRACK forbids queueing", async () => {
    const { tool } = ownerOf({ url: NOWHERE }, { DO_NOT_TRACK: "1" });
    expect((await tool("track", "api_calls")).code).toBe(6);
  });

  it("exits with 4 without a credential, or with a revoked one", async () => {
    const app = await startApp();
    const signedOut = user({ TOOL_BASE_URL: app.url });
    expect(await signedOut.tool("track", "api_calls")).toMatchObject({ code: 4, stdout: "" });
    const revoked = user({ TOOL_BASE_URL: app.url, TOOL_TOKEN: "tak_revoked" });
    expect((await revoked.tool("track", "api_calls", "--json")).json).toMatchObject({
      error: "signed_out",
      exitCode: 4,
    });
  });
});

describe("tool events", () => {
  it("queues events, lists their exact bodies, and sends them", async () => {
    const app = await startApp();
    const { tool } = user({ TOOL_BASE_URL: app.url });
    expect(await tool("events", "record", "mcp.call", "--payload", "tool=recall")).toMatchObject({
      code: 0,
      stdout: "✔ mcp.call recorded; it waits until you sign in: tool login.\n",
    });
    expect((await tool("events", "record", "skill.search", "--count", "2", "--json")).json).toMatchObject({
      recorded: true,
      event: "skill.search",
    });
    const listed = (await tool("events", "list", "--json")).json;
    expect(listed.events).toBe(2);
    expect(listed.batches[0].body.events).toMatchObject([
      { event: "mcp.call", payload: { tool: "recall" } },
      { event: "skill.search", count: 2 },
    ]);
    const unsent = await tool("events", "flush");
    expect(unsent.code).toBe(4);
    expect(unsent.stdout).toContain("2 events still waiting");
    expect((await tool("events", "flush", "--json")).json).toMatchObject({
      waiting: 2,
      error: "signed_out",
      next: "Run `tool login`.",
      exitCode: 4,
    });
    const sender = ownerOf(app, { HOME: listed.directory.split("/.local")[0] });
    expect((await sender.tool("events", "flush", "--json")).json).toMatchObject({ sent: 2, waiting: 0 });
    expect((await sender.tool("usage", "--json")).json.totals).toMatchObject({
      mcp_calls: 1,
      skills_accessed: 2,
    });
    expect((await sender.tool("events", "list")).stdout).toBe("Nothing waits to be sent.\n");
  });

  it("records nothing with DO_NOT_TRACK, and prints the reason", async () => {
    const { tool } = user({ DO_NOT_TRACK: "1", TOOL_BASE_URL: NOWHERE });
    const { code, stdout } = await tool("events", "record", "mcp.call");
    expect(code).toBe(0);
    expect(stdout).toBe("! Not recorded: DO_NOT_TRACK is set.\n");
    expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 0, off: "DO_NOT_TRACK" });
  });

  it("lists times as instants in ISO 8601", async () => {
    const { tool } = ownerOf({ url: NOWHERE });
    await tool("events", "record", "mcp.call");
    expect((await tool("events", "flush")).code).toBe(6);
    const { trouble, batches } = (await tool("events", "list", "--json")).json;
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // The background sender may have tried as well.
    expect(trouble).toMatchObject({ failures: expect.any(Number), at: instant, nextAt: instant });
    expect(batches).toMatchObject([{ oldestAt: instant }]);
  });

  it("does not fail a command whose use cannot be recorded", async () => {
    const { tool, dataDirectory } = await startOwner();
    mkdirSync(dataDirectory, { recursive: true });
    symlinkSync(join(dataDirectory, "gone"), join(dataDirectory, "queue"));
    const { code, stderr } = await tool("graph", "show", "--verbose");
    expect(code).toBe(0);
    expect(stderr).toContain("The use was not recorded");
    expect((await tool("events", "record", "mcp.call")).code).toBe(1);
  });

  it("sends in the background with the settings of the recording command", async () => {
    const app = await startApp();
    const { tool, home } = user({ TOOL_TOKEN: OWNER_KEY });
    writeFileSync(join(home, ".tool.json"), JSON.stringify({ baseUrl: app.url }));
    expect((await tool("config", "trust", app.url)).code).toBe(0);
    // Twenty events fill a batch: the policy's flushAt.
    for (let round = 0; round < 20; round++) await tool("events", "record", "api.call");
    await expect
      .poll(async () => (await tool("usage", "--days", "1", "--json")).json.totals.api_calls)
      .toBe(20);
  });
});
