import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../../src/contract/problem.ts";
import { meteringContract } from "../../src/metering/contract.ts";
import { fakeClock } from "../support/clock.ts";
import { inProject, type MeteringApi, openMetering } from "./metering.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A period that contains everything that tests count. */
const EVERYTHING = { granularity: "month", from: "2025-01-01", to: "2027-01-01" };

async function totalsOf(api: MeteringApi) {
  return (await api.showUsage(EVERYTHING)).body.totals;
}

async function resultOf(api: MeteringApi, event: unknown) {
  return (await api.recordBatch({ events: [event] })).body.results[0];
}

describe("POST /api/v1/events/batch", () => {
  it.each([
    ["agent.invoked", "agents_invoked"],
    ["agent.invoke", "agents_invoked"],
    ["skill.accessed", "skills_accessed"],
    ["skill.search", "skills_accessed"],
    ["skill.view", "skills_accessed"],
    ["workflow.started", "workflows_started"],
    ["workflow.start", "workflows_started"],
    ["mcp.tool.call", "mcp_calls"],
    ["mcp.call", "mcp_calls"],
    ["api.call", "api_calls"],
  ])("counts %s as %s", async (event, type) => {
    const { api } = await openMetering();
    const { body } = await api.recordBatch({ events: [{ event, count: 4 }] });
    expect(body).toMatchObject({ accepted: 1, usage: { [type]: 4 } });
    expect(body.results).toEqual([{ index: 0, status: "accepted", type }]);
    expect((await totalsOf(api))[type as "api_calls"]).toBe(4);
    // Nobody can guess the names: the reference is where a client finds them.
    expect(meteringContract.recordBatch.description).toContain(`\`${event}\``);
  });

  it("answers 202 with the outcome of each event", async () => {
    const { api } = await openMetering();
    const { body } = await api.recordBatch({
      source: "tool-cli",
      batch: { id: "b1", index: 0, total: 1 },
      events: [
        { event: "agent.invoked", id: "e1", payload: { agent: "debugger" } },
        { event: "page.viewed" },
        { event: "agent.invoked", id: "e1" },
        { event: "api.call", count: "7" },
        { event: "agent.invoked", count: 250 },
      ],
    });
    expect(meteringContract.recordBatch.status).toBe(202);
    expect(body).toEqual({
      batchId: "b1",
      accepted: 2,
      ignored: 1,
      duplicates: 1,
      rejected: 1,
      usage: { agents_invoked: 101 },
      results: [
        { index: 0, status: "accepted", type: "agents_invoked" },
        { index: 1, status: "ignored" },
        { index: 2, status: "duplicate", type: "agents_invoked" },
        { index: 3, status: "rejected", error: expect.stringContaining("events.3.count") },
        { index: 4, status: "accepted", type: "agents_invoked" },
      ],
    });
  });

  it("ignores events whose name has no usage type, even __proto__ and constructor", async () => {
    const { api } = await openMetering();
    for (const event of [
      "unknown",
      "AGENT.INVOKED",
      "__proto__",
      "constructor",
      "toString",
      "agents_invoked",
    ]) {
      expect(await resultOf(api, { event })).toEqual({ index: 0, status: "ignored" });
    }
  });

  it("accepts name as event, and metadata or properties as payload", async () => {
    const { api } = await openMetering();
    for (const words of [{ metadata: { a: 1 } }, { properties: { a: 1 } }, { payload: { a: 1 } }]) {
      expect((await resultOf(api, { name: "mcp.call", ...words }))?.status).toBe("accepted");
    }
    expect((await resultOf(api, { event: "mcp.call", name: "mcp.call" }))?.status).toBe("accepted");
  });

  it.each([
    ["no object", 5, "events.0"],
    ["null", null, "events.0"],
    ["a list", [], "events.0"],
    ["no name", {}, "events.0.event"],
    ["an empty name", { event: "" }, "events.0.event"],
    ["a name that is no text", { event: 1 }, "events.0.event"],
    ["two names", { event: "api.call", name: "mcp.call" }, "events.0.name"],
    ["a count that is no number", { event: "api.call", count: "1" }, "events.0.count"],
    ["a count of null", { event: "api.call", count: null }, "events.0.count"],
    ["a timestamp that is none", { event: "api.call", timestamp: "yesterday" }, "events.0.timestamp"],
    ["a timestamp without an offset", { event: "api.call", timestamp: "2026-01-15T12:00:00" }, "timestamp"],
    ["a payload that is no object", { event: "api.call", payload: "x" }, "events.0.payload"],
    ["a payload that is too large", { event: "api.call", payload: { x: "x".repeat(16384) } }, "payload"],
    ["an unknown member", { event: "api.call", colour: "red" }, "events.0.colour"],
    ["an empty id", { event: "api.call", id: " " }, "events.0.id"],
  ])("rejects only the event with %s, and names the place", async (_, event, path) => {
    const { api } = await openMetering();
    const { body } = await api.recordBatch({ events: [event, { event: "api.call" }] });
    expect(body).toMatchObject({ accepted: 1, rejected: 1, usage: { api_calls: 1 } });
    expect(body.results[0]).toMatchObject({ status: "rejected", error: expect.stringContaining(path) });
  });

  it.each([
    [{}, "event: is required"],
    [{ event: "api.call", name: "mcp.call" }, "name: differs from event; send one of them"],
    [
      { event: "api.call", timestamp: "yesterday" },
      "timestamp: must be an ISO 8601 time with an offset, or milliseconds since 1970",
    ],
    [
      { event: "api.call", timestamp: true },
      "timestamp: must be an ISO 8601 time with an offset, or milliseconds since 1970",
    ],
  ])("says for %j how to fix the event", async (event, fault) => {
    const { api } = await openMetering();
    const { body } = await api.recordBatch({ events: [event] });
    expect(body.results[0]).toMatchObject({ error: `events.0.${fault}` });
  });

  it("refuses a body without 1 to 1,000 events, or with unknown members", () => {
    const { input } = meteringContract.recordBatch;
    const event = { event: "api.call" };
    expect(input.safeParse({}).success).toBe(false);
    expect(input.safeParse({ events: event }).success).toBe(false);
    expect(input.safeParse({ events: [] }).success).toBe(false);
    expect(input.safeParse({ events: Array(1001).fill(event) }).success).toBe(false);
    expect(input.safeParse({ events: [event], sent: 1 }).success).toBe(false);
    expect(input.safeParse({ events: Array(1000).fill(event) }).success).toBe(true);
  });

  it("dates the count by the event's timestamp", async () => {
    const { api } = await openMetering({ clock: fakeClock(Date.UTC(2026, 0, 15, 12)) });
    const timestamps = ["2026-01-14T23:59:59.999Z", "2026-01-15T01:00:00+02:00", Date.UTC(2026, 0, 15, 3)];
    await api.recordBatch({ events: timestamps.map((timestamp) => ({ event: "api.call", timestamp })) });
    const { body } = await api.showUsage({ granularity: "hour", from: "2026-01-14T22:00:00Z" });
    const counted = body.series
      .filter(({ counts }) => counts.api_calls)
      .map(({ at, counts }) => [at, counts]);
    expect(counted.map(([at]) => at)).toEqual(["2026-01-14T23:00:00.000Z", "2026-01-15T03:00:00.000Z"]);
    expect(body.totals.api_calls).toBe(3);
  });

  it("accepts timestamps up to 5 minutes ahead and 90 days ago, and rejects others", async () => {
    const { api, clock } = await openMetering();
    const at = async (ms: number) =>
      resultOf(api, { event: "api.call", timestamp: new Date(clock.now() + ms).toISOString() });
    expect((await at(5 * MINUTE))?.status).toBe("accepted");
    expect((await at(-90 * DAY))?.status).toBe("accepted");
    expect(await at(5 * MINUTE + 1)).toMatchObject({
      status: "rejected",
      error: "events.0.timestamp: is more than 5 minutes in the future",
    });
    expect(await at(-90 * DAY - 1)).toMatchObject({
      status: "rejected",
      error: "events.0.timestamp: is more than 90 days old",
    });
  });

  it("says of a timestamp in seconds what it was taken for", async () => {
    const { api, clock } = await openMetering();
    const inSeconds = Math.floor(clock.now() / 1000);
    expect(await resultOf(api, { event: "api.call", timestamp: inSeconds })).toMatchObject({
      status: "rejected",
      error: `events.0.timestamp: is more than 90 days old: numbers are milliseconds since 1970, and ${inSeconds} looks like seconds`,
    });
    expect(await resultOf(api, { event: "api.call", timestamp: 0 })).toMatchObject({
      error: "events.0.timestamp: is more than 90 days old",
    });
  });

  it("gives a batch without id a new id", async () => {
    const { api } = await openMetering();
    const [one, two] = [
      await api.recordBatch({ events: [{ event: "api.call" }] }),
      await api.recordBatch({ events: [{ event: "api.call" }] }),
    ];
    expect(one.body.batchId).toMatch(/^batch_/);
    expect(one.body.batchId).not.toBe(two.body.batchId);
    expect((await totalsOf(api)).api_calls).toBe(2);
  });
});

describe("a batch that is delivered again", () => {
  const batch = {
    batch: { id: "b1" },
    events: [
      { event: "api.call", count: 2, timestamp: "2026-01-15T12:04:00Z" },
      { event: "nobody.knows" },
      { event: "api.call", id: "e1" },
      { event: "api.call", id: "e1" },
      { event: "api.call", count: false },
      { event: "api.call", timestamp: "2026-01-15T12:06:00Z" },
      { event: "api.call", timestamp: "2025-01-01T00:00:00Z" },
    ],
  };

  it("gets the first answer for 90 days, marked as a replay, and counts nothing", async () => {
    const { api, clock } = await openMetering();
    const first = await api.recordBatch(batch);
    expect(first.body).toMatchObject({ accepted: 2, ignored: 1, duplicates: 1, rejected: 3 });
    expect(first.headers).toEqual({});
    clock.advance(90 * DAY);
    const again = await api.recordBatch(batch);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toEqual({ "Idempotent-Replayed": "true" });
    expect((await totalsOf(api)).api_calls).toBe(3);
  });

  it("is refused with idempotency_mismatch if its content differs", async () => {
    const { api } = await openMetering();
    await api.recordBatch(batch);
    const others = [
      { ...batch, events: batch.events.slice(1) },
      { ...batch, events: [...batch.events].reverse() },
      { ...batch, source: "elsewhere" },
      { ...batch, events: [{ event: "api.call", payload: { a: 1 } }, ...batch.events.slice(1)] },
    ];
    for (const other of others) {
      const refused = await api.recordBatch(other).catch((error) => error);
      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({ error: "idempotency_mismatch", status: 422 });
    }
    expect((await totalsOf(api)).api_calls).toBe(3);
  });

  it("counts separately in another project or with another index", async () => {
    const { api } = await openMetering();
    const parts = [0, 1].map((index) => ({
      batch: { id: "b1", index, total: 2 },
      events: [{ event: "api.call", id: `part${index}` }],
    }));
    for (const part of parts) expect((await api.recordBatch(part)).body.accepted).toBe(1);
    for (const part of parts) {
      expect((await api.recordBatch(part)).headers).toEqual({ "Idempotent-Replayed": "true" });
    }
    expect((await api.recordBatch(parts[0], inProject("other"))).body.accepted).toBe(1);
    expect((await totalsOf(api)).api_calls).toBe(2);
  });

  it("counts once under 50 concurrent deliveries, which all get the same answer", async () => {
    const { api } = await openMetering();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.recordBatch(batch)));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(answers.filter(({ headers }) => headers["Idempotent-Replayed"])).toHaveLength(49);
    expect((await totalsOf(api)).api_calls).toBe(3);
  });
});

describe("an event that is delivered again", () => {
  it("is a duplicate by its id in the same batch and in concurrent ones", async () => {
    const { api } = await openMetering();
    const event = { event: "skill.view", id: "e1", count: 5 };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.recordBatch({ events: [event, event] })),
    );
    const sum = (pick: (body: (typeof answers)[0]["body"]) => number) =>
      answers.reduce((total, { body }) => total + pick(body), 0);
    expect(sum((body) => body.accepted)).toBe(1);
    expect(sum((body) => body.duplicates)).toBe(39);
    expect((await totalsOf(api)).skills_accessed).toBe(5);
  });

  it("is known by its id for 90 days, and only in its project", async () => {
    const { api, clock } = await openMetering();
    const event = { event: "api.call", id: "e1" };
    expect((await resultOf(api, event))?.status).toBe("accepted");
    expect((await api.recordBatch({ events: [event] }, inProject("other"))).body.accepted).toBe(1);
    clock.advance(90 * DAY);
    expect((await resultOf(api, event))?.status).toBe("duplicate");
    clock.advance(DAY);
    expect((await resultOf(api, event))?.status).toBe("accepted");
  });

  it("is never counted twice if it has a timestamp, at any later time", async () => {
    const { api, clock } = await openMetering();
    const event = {
      event: "api.call",
      id: "e1",
      timestamp: new Date(clock.now() + 5 * MINUTE).toISOString(),
    };
    expect((await resultOf(api, event))?.status).toBe("accepted");
    for (const ms of [90 * DAY, 5 * MINUTE - 1, 1, 1, DAY]) {
      clock.advance(ms);
      expect((await resultOf(api, event))?.status).not.toBe("accepted");
    }
  });

  it("is accepted if it was rejected before", async () => {
    const { api, clock } = await openMetering();
    const event = { event: "api.call", id: "e1", timestamp: new Date(clock.now() + DAY).toISOString() };
    expect((await resultOf(api, event))?.status).toBe("rejected");
    clock.advance(DAY);
    expect((await resultOf(api, event))?.status).toBe("accepted");
  });

  it("is accepted under a known name if it was ignored under an unknown one before", async () => {
    const { api } = await openMetering();
    const [unknown, known] = [
      { event: "none.such", id: "e1" },
      { event: "api.call", id: "e1" },
    ];
    expect((await resultOf(api, unknown))?.status).toBe("ignored");
    expect((await resultOf(api, unknown))?.status).toBe("ignored");
    const { results } = (await api.recordBatch({ events: [unknown, known, known, unknown] })).body;
    expect(results.map(({ status }) => status)).toEqual(["ignored", "accepted", "duplicate", "ignored"]);
    expect((await totalsOf(api)).api_calls).toBe(1);
  });
});

describe("events with ids, delivered in any order, number and batches", () => {
  const START = Date.UTC(2026, 0, 15, 12);
  const names = ["agent.invoked", "skill.view", "workflow.start", "mcp.call", "api.call", "none.such"];
  const events = fc.uniqueArray(
    fc.record({
      event: fc.constantFrom(...names),
      id: fc.string({ minLength: 1, maxLength: 4, unit: "grapheme-ascii" }).map((id) => `e${id}`),
      count: fc.integer({ min: -3, max: 130 }),
      timestamp: fc.integer({ min: START - 60 * DAY, max: START }),
    }),
    { selector: ({ id }) => id.trim(), maxLength: 40 },
  );
  /** Delivers each event one to three times, in any order, split into batches anywhere. */
  const delivery = events.chain((set) => {
    const times = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: set.length, maxLength: set.length });
    return times.chain((repeats) => {
      const copies = set.flatMap((event, index) => Array(repeats[index] as number).fill(event) as typeof set);
      return fc.record({
        set: fc.constant(set),
        sent: fc.shuffledSubarray(copies, { minLength: copies.length }),
        cuts: fc.array(fc.nat({ max: Math.max(0, copies.length - 1) }), { maxLength: 6 }),
      });
    });
  });

  it("have the same exact totals for each hour", async () => {
    await fc.assert(
      fc.asyncProperty(delivery, async ({ set, sent, cuts }) => {
        const once = await openMetering({ clock: fakeClock(START) });
        for (const event of set) await once.api.recordBatch({ events: [event] });
        const many = await openMetering({ clock: fakeClock(START) });
        const edges = [...new Set([0, ...cuts, sent.length])].sort((a, b) => a - b);
        const batches = edges.slice(1).map((end, index) => sent.slice(edges[index], end));
        await Promise.all(
          batches.filter((part) => part.length > 0).map((part) => many.api.recordBatch({ events: part })),
        );
        const hours = { granularity: "hour", from: new Date(START - 61 * DAY).toISOString() };
        expect((await many.api.showUsage(hours)).body).toEqual((await once.api.showUsage(hours)).body);
        for (const granularity of ["day", "month"]) {
          const whole = { granularity, from: "2025-11-01" };
          expect((await many.api.showUsage(whole)).body.totals).toEqual(
            (await once.api.showUsage(hours)).body.totals,
          );
        }
      }),
      { numRuns: 25 },
    );
  });
});
