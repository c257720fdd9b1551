import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { tasks } from "./project.ts";

const PATH = "/api/v1/tools/scheduler/plan";
const MONDAY = { start: "2026-01-05T09:00" };

describe("POST /scheduler/plan", () => {
  it("returns 200 with the schedule", async () => {
    const app = await startApp();
    const body = { tasks: tasks("build 60000", "test 30000 < build"), workers: 2, capacity: { cpu: 4 } };
    const response = await app.request("POST", PATH, { body });
    expect(response.status, response.text).toBe(200);
    expect(response.body).toMatchObject({
      schedule: [
        { id: "build", startMs: 0, endMs: 60_000, worker: 1, slackMs: 0, critical: true },
        { id: "test", startMs: 60_000, endMs: 90_000, worker: 1, slackMs: 0, critical: true },
      ],
      makespanMs: 90_000,
      gap: 0,
      utilisation: { workers: 0.5, resources: { cpu: 0 } },
    });
  });

  it("refuses a cycle with 422, showing it", async () => {
    const app = await startApp();
    const body = { tasks: tasks("z 1", "a 1 < c z", "b 1 < a", "c 1 < b", "d 1 < c") };
    const { status, body: problem } = await app.request("POST", PATH, { body });
    expect([status, problem.error]).toEqual([422, "dependency_cycle"]);
    expect([...problem.cycle].sort()).toEqual(["a", "b", "c"]);
    const itself = await app.request("POST", PATH, { body: { tasks: tasks("a 1 < a") } });
    expect(itself.body).toMatchObject({ error: "dependency_cycle", cycle: ["a"] });
  });

  it("refuses an unknown dependency with 422, naming both ids", async () => {
    const app = await startApp();
    const { status, body } = await app.request("POST", PATH, { body: { tasks: tasks("a 1 < nobody") } });
    expect([status, body.error, body.task, body.dependency]).toEqual([
      422,
      "unknown_dependency",
      "a",
      "nobody",
    ]);
    expect(body.detail).toMatch(/"a".*"nobody"/);
  });

  it("refuses a task that needs more than the capacity with 422", async () => {
    const app = await startApp();
    const body = { tasks: [{ id: "a", durationMs: 1, resources: { gpu: 3 } }], capacity: { gpu: 2 } };
    const response = await app.request("POST", PATH, { body });
    expect([response.status, response.body.error]).toEqual([422, "unprocessable"]);
    expect(response.body).toMatchObject({ task: "a", resource: "gpu", units: 3, capacity: 2 });
  });

  it.each([
    [{}, "tasks"],
    [{ tasks: [{ id: "a" }] }, "tasks.0.durationMs"],
    [{ tasks: [{ id: "a", durationMs: -1 }] }, "tasks.0.durationMs"],
    [{ tasks: [{ id: "a", durationMs: 1.5 }] }, "tasks.0.durationMs"],
    [{ tasks: [{ id: "", durationMs: 1 }] }, "tasks.0.id"],
    [{ tasks: tasks("a 1", "a 2") }, "tasks.1.id"],
    [
      { tasks: [{ id: "a", durationMs: 1, start: "2026-01-06", startMs: 0 }], calendar: MONDAY },
      "tasks.0.start",
    ],
    [
      { tasks: [{ id: "a", durationMs: 1, deadline: "2026-01-06", deadlineMs: 0 }], calendar: MONDAY },
      "tasks.0.deadline",
    ],
    [{ tasks: tasks("a 1"), calendar: { start: "0026-01-05" } }, "calendar.start"],
    [{ tasks: tasks("a 1"), calendar: { start: "9999-12-31" } }, "calendar.start"],
    [{ tasks: [{ id: "a", durationMs: 1, resources: { cpu: -1 } }] }, "tasks.0.resources.cpu"],
    [{ tasks: [{ id: "a", durationMs: 1, after: [] }] }, "tasks.0.after"],
    [{ tasks: [], workers: 0 }, "workers"],
    [{ tasks: [], timeBudgetMs: 60_000 }, "timeBudgetMs"],
    [{ tasks: tasks("a 1", "b 1", "c 1"), iterations: 50_000_000 }, "iterations"],
    [{ tasks: [], budget: 3 }, "budget"],
    [{ tasks: [], calendar: {} }, "calendar.start"],
    [{ tasks: [], calendar: { start: "2026-11-23T09:00Z" } }, "calendar.start"],
    [{ tasks: [], calendar: { start: "2026-02-30" } }, "calendar.start"],
    [{ tasks: [], calendar: { start: "2026-11-23", timeZone: "Mars/Base" } }, "calendar.timeZone"],
    [{ tasks: [], calendar: { start: "2026-11-23", hours: ["mon-fry 09:00-17:00"] } }, "calendar.hours.0"],
    [{ tasks: [], calendar: { start: "2026-11-23", hours: ["mon-fri 9-17"] } }, "calendar.hours.0"],
    [{ tasks: [{ id: "a", durationMs: 1, deadline: "2026-11-23" }] }, "tasks.0.deadline"],
    [{ tasks: [{ id: "a", durationMs: 1, lagMs: { b: 1 } }] }, "tasks.0.lagMs.b"],
  ])("refuses %j, naming %s", async (body, path) => {
    const app = await startApp();
    const response = await app.request("POST", PATH, { body });
    expect([response.status, response.body.errors?.[0].path]).toEqual([400, path]);
  });

  it("accepts resources named like members of every object, but refuses __proto__", async () => {
    const app = await startApp();
    const raw =
      '{"tasks":[{"id":"__proto__","durationMs":2,"resources":{"toString":1,"constructor":1}},{"id":"b","durationMs":2,"resources":{"constructor":1}}],"capacity":{"constructor":1,"toString":1}}';
    const headers = { "Content-Type": "application/json" };
    const { status, body, text } = await app.request("POST", PATH, { raw, headers });
    expect(status, text).toBe(200);
    expect(body.makespanMs).toBe(4);
    const dropped = raw.replace('"resources":{', '"resources":{"__proto__":1,');
    const refused = await app.request("POST", PATH, { raw: dropped, headers });
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, "tasks.0.resources.__proto__"]);
  });

  it("needs a credential that may write", async () => {
    const app = await startApp();
    const body = { tasks: [] };
    expect((await app.request("POST", PATH, { body, key: null })).status).toBe(401);
    const reader = await app.key(["read"]);
    expect((await app.request("POST", PATH, { body, key: reader })).status).toBe(403);
  });
});
