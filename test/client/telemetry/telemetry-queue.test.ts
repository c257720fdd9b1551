import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal } from "../../../src/client/telemetry/sealing.ts";
import {
  createTelemetryQueue,
  type QueueOptions,
  queueDirectory,
  sendingLock,
} from "../../../src/client/telemetry/telemetry-queue.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { leave } from "../support/queue.ts";

const POLICY = { enabled: true, flushAt: 20, flushIntervalSeconds: 10, maxQueueEvents: 100_000 };

function queueIn(directory: string, options: Partial<QueueOptions> = {}) {
  const clock = fakeClock();
  return createTelemetryQueue({ directory, clock, random: seededRandom(clock, directory), ...options });
}

const fresh = () => join(temporaryDirectory(), "queue");
/** Returns a batch's events as they are sent. */
const eventsOf = ({ body }: { body: unknown }) => (body as { events: Record<string, unknown>[] }).events;

describe("TelemetryQueue.record()", () => {
  it("writes the event before it returns, into a file that only its user can read", () => {
    const directory = fresh();
    const recorded = queueIn(directory).record({
      event: "api.call",
      count: 2,
      payload: { command: "review" },
    });
    expect(recorded).toEqual({ recorded: true, id: expect.stringMatching(/^evt_/) });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, "pending.jsonl")).mode & 0o777).toBe(0o600);
    expect(queueIn(directory).contents()).toMatchObject({ events: 1, dropped: 0, refused: [] });
  });

  it("queues events as they would be sent, grouped by project", () => {
    const queue = queueIn(fresh(), { projectId: "shop" });
    queue.record({ event: "api.call" });
    queue.record({ event: "mcp.tool.call", count: 3, payload: { tool: "recall" }, at: Date.UTC(2026, 0, 2) });
    queue.record({ event: "api.call", projectId: "other" });
    const { batches } = queue.contents();
    expect(batches).toMatchObject([
      { path: "/api/v1/events/batch", projectId: "shop", events: 2 },
      { path: "/api/v1/events/batch", projectId: "other", events: 1 },
    ]);
    expect(batches[0]?.body).toMatchObject({ source: "tool-cli" });
    expect(eventsOf(batches[0]!)).toEqual([
      { id: expect.any(String), timestamp: "2026-01-15T12:00:00.000Z", event: "api.call" },
      {
        id: expect.any(String),
        timestamp: "2026-01-02T00:00:00.000Z",
        event: "mcp.tool.call",
        count: 3,
        payload: { tool: "recall" },
      },
    ]);
  });

  it.each([
    { id: "evt_x", at: "yesterday", event: {} },
    { id: "evt_x", at: 1e300, event: {} },
    { id: "evt_x", at: null, event: {} },
    { id: 5, at: 1, event: {} },
    { id: "evt_x", at: 1, event: null },
    { id: "evt_x", at: 1, event: ["api.call"] },
    { id: "evt_x", at: 1, track: "api_calls" },
    { id: "evt_x", at: 1, projectId: { a: 1 }, event: {} },
  ])("seals and shows the other events of a journal with %j", (line) => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.record({ event: "api.call" });
    writeFileSync(join(directory, "pending.jsonl"), `${JSON.stringify(line)}\n`, { flag: "a" });
    expect(queue.contents()).toMatchObject({ events: 1 });
    seal(directory, seededRandom(fakeClock()));
    expect(queue.contents().batches.flatMap(eventsOf)).toMatchObject([{ event: "api.call" }]);
  });

  it.each([
    ["batch-jrn_0-000000.1.json", 5],
    ["batch-jrn_0-000000.1.json", {}],
    ["batch-jrn_0-000000.1.json", { path: "/api/v1/track", body: {}, events: 1, oldestAt: "once" }],
    ["batch-jrn_0-000000.1.json", { path: "/api/v1/track", body: "x", events: 1, oldestAt: "2026-01-01" }],
    ["refused-jrn_0-000000.1.json", { path: "/api/v1/track", body: {}, events: 1, oldestAt: "2026-01-01" }],
    ["refused-jrn_0-000000.1.json", []],
    ["trouble.json", { reason: 5, failures: 1, at: "x", nextAt: {} }],
    ["policy.json", { enabled: "no", flushAt: null, flushIntervalSeconds: [], maxQueueEvents: "many" }],
    ["policy.json", null],
  ])("shows the other events of a queue with a %s that holds %j", (name, content) => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.record({ event: "api.call" });
    writeFileSync(join(directory, name), JSON.stringify(content));
    queue.record({ event: "mcp.call" });
    const { batches, refused, trouble, policy, dropped } = queue.contents();
    expect(batches.flatMap(eventsOf)).toMatchObject([{ event: "api.call" }, { event: "mcp.call" }]);
    expect([refused, trouble, policy, dropped]).toEqual([[], undefined, POLICY, 0]);
  });

  it("skips torn and foreign lines in the journal and keeps the events around them", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.record({ event: "first" });
    writeFileSync(join(directory, "pending.jsonl"), '{"id":"evt_torn","at":1,"eve', { flag: "a" });
    queue.record({ event: "second" });
    writeFileSync(join(directory, "pending.jsonl"), '\nnull\n"text"\n{}\n', { flag: "a" });
    queue.record({ event: "third" });
    const { batches } = queue.contents();
    expect(batches.flatMap(eventsOf).map(({ event }) => event)).toEqual(["first", "second", "third"]);
  });

  it("refuses a payload that the server would refuse", () => {
    const directory = fresh();
    expect(() => queueIn(directory).record({ event: "x", payload: { a: "x".repeat(16_384) } })).toThrow(
      Problem,
    );
    expect(existsSync(directory)).toBe(false);
  });

  it.each(["DO_NOT_TRACK", "settings"] as const)("writes nothing with %s", (off) => {
    const directory = fresh();
    const queue = queueIn(directory, { off });
    const track = { idempotencyKey: "k", body: { type: "api_calls" } } as const;
    expect(queue.record({ event: "api.call" })).toEqual({ recorded: false, off });
    expect(queue.hold(track)).toEqual({ recorded: false, off });
    expect(queue.senderNeeded()).toBe(false);
    expect(existsSync(directory)).toBe(false);
  });

  it("writes nothing while the policy disables telemetry, and records again once it is enabled", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.adopt({ ...POLICY, enabled: false });
    expect(queueIn(directory).record({ event: "api.call" })).toEqual({ recorded: false, off: "policy" });
    expect(readdirSync(directory)).toEqual(["policy.json"]);
    expect(queue.contents().off).toBe("policy");
    queue.adopt(POLICY);
    expect(queue.record({ event: "api.call" }).recorded).toBe(true);
  });
});

describe("an unanswered usage event", () => {
  const body = { type: "skills_accessed", count: 2, metadata: { a: 1 } } as const;

  it("is sent to its endpoint again under its own key if it may have been counted", () => {
    const queue = queueIn(fresh());
    leave(queue, "unknown", { idempotencyKey: "key_1", body, projectId: "shop" });
    expect(queue.contents().batches).toEqual([
      {
        id: "key_1",
        path: "/api/v1/track",
        projectId: "shop",
        body,
        events: 1,
        oldestAt: "2026-01-15T12:00:00.000Z",
      },
    ]);
  });

  it("is held on disk before it is sent, and removed once it is answered", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.record({ event: "api.call" });
    const held = queue.hold({ idempotencyKey: "key_1", body });
    expect(statSync(join(directory, "held-key_1.json")).mode & 0o777).toBe(0o600);
    expect(queue.contents()).toMatchObject({ events: 2, batches: [{}, { id: "key_1" }] });
    if (held.recorded) held.settle();
    expect(queue.contents()).toMatchObject({ events: 1 });
  });

  it("is queued for its endpoint after its process was killed or gave up during another sender's run", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.hold({ idempotencyKey: "key_1", body });
    const release = sendingLock(directory, fakeClock()).acquire();
    leave(queue, "never", { idempotencyKey: "key_2", body });
    release?.();
    seal(directory, seededRandom(fakeClock(), directory));
    expect(readdirSync(directory).filter((name) => name.startsWith("held-"))).toEqual([]);
    expect(queue.contents().batches).toMatchObject([
      { id: "key_1", path: "/api/v1/track" },
      { id: "key_2", path: "/api/v1/track" },
    ]);
  });

  it("is skipped and deleted if its file is damaged", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.hold({ idempotencyKey: "key_1", body });
    writeFileSync(join(directory, "held-key_1.json"), "{}");
    expect(queue.contents()).toMatchObject({ events: 0 });
    seal(directory, seededRandom(fakeClock(), directory));
    expect(queue.senderNeeded()).toBe(false);
  });

  it("becomes a dated event under the same id if it cannot have been counted", () => {
    const queue = queueIn(fresh());
    leave(queue, "never", { idempotencyKey: "key_1", body });
    expect(queue.contents().batches.flatMap(eventsOf)).toEqual([
      {
        id: "key_1",
        timestamp: "2026-01-15T12:00:00.000Z",
        event: "skill.accessed",
        count: 2,
        payload: { a: 1 },
      },
    ]);
  });
});

describe("a full queue", () => {
  const events = (queue: ReturnType<typeof queueIn>) =>
    queue
      .contents()
      .batches.flatMap(eventsOf)
      .map(({ event }) => event);

  it("drops the oldest events, counts them, and does not grow", () => {
    const directory = fresh();
    const queue = queueIn(directory);
    queue.adopt({ ...POLICY, maxQueueEvents: 5 });
    for (let number = 1; number <= 12; number++) queue.record({ event: `e${number}` });
    expect(events(queue)).toEqual(["e8", "e9", "e10", "e11", "e12"]);
    expect(queue.contents()).toMatchObject({ events: 5, dropped: 7 });
    expect(queue.discard()).toEqual({ refused: 0, dropped: 7 });
    expect(queue.contents()).toMatchObject({ events: 5, dropped: 0 });
    queue.record({ event: "e13" });
    expect(queue.contents()).toMatchObject({ events: 5, dropped: 1 });
    queue.discard();
    expect(events(queue)).toEqual(["e9", "e10", "e11", "e12", "e13"]);
    expect(readdirSync(directory).filter((name) => name.startsWith("batch-")).length).toBeLessThan(3);
  });

  it.each([null, {}, { events: "many" }])(
    "drops a damaged batch with the body %j, and goes on",
    (damaged) => {
      const directory = fresh();
      const queue = queueIn(directory);
      queue.adopt({ ...POLICY, maxQueueEvents: 5 });
      const batch = {
        path: "/api/v1/events/batch",
        body: damaged,
        events: 5,
        oldestAt: "2026-01-15T12:00:00.000Z",
      };
      writeFileSync(join(directory, "batch-jrn_0-000000.5.json"), JSON.stringify(batch));
      for (const event of ["e1", "e2", "e3"]) queue.record({ event });
      expect(events(queue)).toEqual(["e1", "e2", "e3"]);
    },
  );

  it("keeps the newest events in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 120 }), (most, total) => {
        const queue = queueIn(fresh());
        queue.adopt({ ...POLICY, maxQueueEvents: most });
        const names = Array.from({ length: total }, (_, number) => `e${number}`);
        for (const event of names) queue.record({ event });
        expect(events(queue)).toEqual(names.slice(-most));
        expect(queue.contents().dropped).toBe(Math.max(0, total - most));
      }),
      { numRuns: 15 },
    );
  });

  it("gives the rest of a partly dropped batch a new id", () => {
    const queue = queueIn(fresh());
    queue.adopt({ ...POLICY, maxQueueEvents: 3 });
    for (let number = 1; number <= 4; number++) queue.record({ event: `e${number}` });
    const [before] = queue.contents().batches;
    queue.record({ event: "e5" });
    const [after] = queue.contents().batches;
    expect(before?.id).toMatch(/^bat_/);
    expect(after?.id).toMatch(/^bat_/);
    expect(after?.id).not.toBe(before?.id);
    expect(after?.body).toMatchObject({ batch: { id: after?.id } });
  });
});

describe("senderNeeded", () => {
  it("is true once an event waits", () => {
    const queue = queueIn(fresh());
    expect(queue.senderNeeded()).toBe(false);
    queue.record({ event: "api.call" });
    expect(queue.senderNeeded()).toBe(true);
  });
});

describe("queueDirectory", () => {
  it("differs by server", () => {
    const [one, two] = ["http://127.0.0.1:1", "http://127.0.0.1:2"].map((url) =>
      queueDirectory("/data", url),
    );
    expect(one).not.toBe(two);
    expect(one).toMatch(/^\/data\/queue\//);
  });
});

it("TelemetryQueue.record() keeps payloads with __proto__, lone surrogates and line separators", () => {
  const directory = fresh();
  const queue = queueIn(directory);
  const payload = JSON.parse('{"__proto__":1,"a":"\\u2028\\ud800 \\n","b":[null,1e21]}') as Record<
    string,
    unknown
  >;
  queue.record({ event: "odd", payload });
  expect(readFileSync(join(directory, "pending.jsonl"), "utf8").trim().split("\n")).toHaveLength(1);
  const [event] = queue.contents().batches.flatMap(eventsOf);
  expect(JSON.stringify(event?.payload)).toBe(JSON.stringify(payload));
});
