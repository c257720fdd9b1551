import { describe, expect, it } from "vitest";
import { openAnomalies, session } from "./anomalies.ts";
import { builds } from "./series.ts";

describe("dismissing an anomaly", () => {
  it("stores the reason, and lowers the scores of later anomalies of that kind", async () => {
    const [quiet, loud] = [await openAnomalies(), await openAnomalies()];
    const first = await quiet.spike();
    await loud.spike();
    const { status, body } = await quiet.dismiss(first.id, { reason: "load test" });
    expect(status).toBe(200);
    expect(body.anomaly).toMatchObject({ id: first.id, state: "dismissed", reason: "load test" });
    expect(body.anomaly.decidedAt >= first.createdAt).toBe(true);
    expect((await quiet.history()).items).toEqual([body.anomaly]);
    expect(await quiet.settings()).toMatchObject([{ metric: "build_seconds", dismissed: { spike: 1 } }]);

    const again = { build_seconds: session(300) };
    const strangeness = (score = 0) => score / (1 - score);
    const [lower, usual] = [await quiet.analyze(again), await loud.analyze(again)].map(({ anomalies }) =>
      strangeness(anomalies.find(({ index }) => index === 50)?.score),
    );
    expect(usual).toBeGreaterThan(1.5);
    expect(lower).toBeCloseTo(0.7 * (usual as number), 6);
  });

  it("silences the kind on that metric after several dismissals, but on no other metric", async () => {
    const { analyze, dismiss, history } = await openAnomalies();
    const metrics = Object.fromEntries(
      ["", "drop", "other"].map((name) => [`build${name}`, session(name === "drop" ? -60 : 60)]),
    );
    const { anomalies } = await analyze(metrics, { sensitivity: "high" });
    expect(anomalies.map(({ kind }) => kind)).toEqual(["spike", "drop", "spike"]);
    for (let times = 0; times < 10; times++) {
      const [open] = (await history("?state=open&metric=build")).items;
      if (open) expect((await dismiss(open.id)).status).toBe(200);
      await analyze({ build: session(60 * 2 ** times) });
    }
    expect((await history("?state=open&metric=build")).items).toEqual([]);
    // Puts more points between the next spike and the last one, so that it is not part of its aftermath.
    await analyze({ buildother: builds(60) });
    const last = await analyze({ build: session(60 * 2 ** 10), buildother: session(120) });
    expect(last.anomalies.map(({ metric }) => metric)).toEqual(["buildother"]);
  });

  it("succeeds for one of two concurrent requests and conflicts for the other", async () => {
    const { spike, dismiss, apply, settings } = await openAnomalies();
    const { id } = await spike();
    const both = await Promise.all([dismiss(id), dismiss(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await settings()).toMatchObject([{ dismissed: { spike: 1 } }]);
    for (const again of [await dismiss(id), await apply(id)]) {
      expect([again.status, again.body.error, again.body.state]).toEqual([409, "invalid_state", "dismissed"]);
    }
    expect(await settings()).toMatchObject([{ settings: { high: null } }]);
  });

  it("repeats the answer for the same Idempotency-Key, as applying does", async () => {
    const { spike, send } = await openAnomalies();
    const first = await spike();
    const other = await spike("other");
    for (const path of [`/dismiss/${first.id}`, `/apply/${other.id}`]) {
      const repeat = () => send("POST", path, { body: {}, headers: { "Idempotency-Key": path } });
      const [one, two] = [await repeat(), await repeat()];
      expect([one.status, two.status]).toEqual([200, 200]);
      expect(two.body).toEqual(one.body);
    }
  });
});

describe("applying a suggestion", () => {
  it("sets the threshold, returns how to undo that, and reports later values beyond the threshold", async () => {
    const { spike, apply, analyze, send, settings, history } = await openAnomalies();
    const { id, suggestion } = await spike();
    const high = suggestion?.parameters.high as number;
    const { status, body } = await apply(id);
    expect(status).toBe(200);
    const none = { low: null, high: null, maxGapMs: null };
    expect(body).toMatchObject({
      anomaly: { id, state: "applied" },
      changed: { metric: "build_seconds", before: none, after: { ...none, high } },
      undo: { method: "POST", path: "/api/v1/tools/anomalies/settings" },
    });
    expect(await settings()).toEqual([
      { metric: "build_seconds", settings: { ...none, high }, dismissed: {} },
    ]);
    const beyond = { build_seconds: [100, high + 1, 100] };
    expect((await analyze(beyond)).anomalies).toMatchObject([
      {
        index: 1,
        kind: "spike",
        explanation: expect.stringContaining(`above the threshold of ${high} that was set`),
        suggestion: { action: "set_threshold", parameters: { high: high + 1 } },
      },
    ]);
    expect((await send(body.undo.method, "/settings", { body: body.undo.body })).body.settings).toEqual(none);
    expect((await analyze(beyond)).anomalies).toEqual([]);
    expect((await history("?state=applied")).items).toEqual([body.anomaly]);
  });

  it("takes effect only if a concurrent dismissal does not", async () => {
    const { spike, dismiss, apply, settings } = await openAnomalies();
    const { id } = await spike();
    const both = await Promise.all([apply(id), dismiss(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [{ settings: set, dismissed } = { settings: { high: 0 }, dismissed: {} }] = await settings();
    expect([set.high !== null, dismissed.spike === 1].filter(Boolean)).toHaveLength(1);
    expect((await apply(id)).body.error).toBe("invalid_state");
  });

  it("is refused without a suggestion, or if the thresholds would cross", async () => {
    const { analyze, apply, spike, send, history } = await openAnomalies();
    const values = session(0).map((each, index) => (index < 30 ? each : 100 + 8 * (each - 100)));
    const { anomalies } = await analyze({ noise: values });
    const variance = anomalies.find(({ kind }) => kind === "variance");
    expect(variance?.suggestion).toBeNull();
    const { status, body } = await apply(variance?.id as string);
    expect([status, body.error]).toEqual([422, "unprocessable"]);

    const { id } = await spike();
    await send("POST", "/settings", { body: { metric: "build_seconds", low: 10_000 } });
    expect(await apply(id)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("lower threshold") },
    });
    expect((await history("?metric=build_seconds")).items).toMatchObject([{ id, state: "open" }]);
  });
});

describe("settings", () => {
  it("are set and removed individually, and listed by metric name in pages", async () => {
    const { send, settings } = await openAnomalies();
    const set = (body: object) => send("POST", "/settings", { body });
    expect((await set({ metric: "b", low: 1, high: 2 })).body.settings).toMatchObject({ low: 1, high: 2 });
    expect((await set({ metric: "b", low: null })).body.settings).toMatchObject({ low: null, high: 2 });
    await set({ metric: "a", maxGapMs: 1000 });
    expect((await settings()).map(({ metric }) => metric)).toEqual(["a", "b"]);
    const first = await send("GET", "/settings?limit=1");
    expect(first.body.items).toHaveLength(1);
    const next = await send("GET", `/settings?limit=1&cursor=${first.body.nextCursor}`);
    expect(next.body).toEqual({ items: [expect.objectContaining({ metric: "b" })] });
    expect((await send("GET", "/settings?limit=2")).body.nextCursor).toBeUndefined();
    expect((await set({ metric: "a", low: 5 })).body).toEqual({
      metric: "a",
      settings: { low: 5, high: null, maxGapMs: 1000 },
    });
    expect((await set({ metric: "a", low: null, maxGapMs: null })).body.settings).toEqual({
      low: null,
      high: null,
      maxGapMs: null,
    });
    for (const body of [
      {},
      { metric: "a", low: "1" },
      { metric: "a", maxGapMs: 0 },
      { metric: "a", max: 1 },
    ]) {
      expect((await set(body)).status).toBe(400);
    }
    expect((await set({ metric: "b", low: 2 })).status).toBe(422);
  });
});

describe("reopening an anomaly", () => {
  it("reverts a dismissal with its reason and its count", async () => {
    const { spike, dismiss, send, settings, history } = await openAnomalies();
    const { id } = await spike();
    await dismiss(id, { reason: "load test" });
    const { status, body } = await send("POST", `/reopen/${id}`, { body: {} });
    expect(status).toBe(200);
    expect(body.anomaly).toMatchObject({ id, state: "open" });
    expect(body.anomaly).not.toHaveProperty("reason");
    expect(body.anomaly).not.toHaveProperty("decidedAt");
    expect(await settings()).toMatchObject([{ dismissed: {} }]);
    expect((await history("?state=open")).items).toEqual([body.anomaly]);
    expect((await send("POST", `/reopen/${id}`, { body: {} })).status).toBe(409);
    expect((await dismiss(id)).status).toBe(200);
  });

  it("reverts one of two dismissals, and keeps those of other kinds and the settings", async () => {
    const { analyze, dismiss, send, settings } = await openAnomalies();
    const set = { low: null, high: 500, maxGapMs: 7000 };
    await send("POST", "/settings", { body: { metric: "m", high: 500, maxGapMs: 7000 } });
    const alone = (add: number) => session(add).map((each) => Math.round(each));
    const values = [...alone(60), ...builds(100), ...alone(-60), ...builds(100), ...alone(300)];
    const { anomalies } = await analyze({ m: values }, { sensitivity: "high" });
    const [spike, other] = anomalies.filter(({ kind }) => kind === "spike");
    const drop = anomalies.find(({ kind }) => kind === "drop");
    const counted = async () => (await settings()).map((each) => [each.settings, each.dismissed]);
    for (const each of [spike, other, drop]) expect((await dismiss(each?.id as string)).status).toBe(200);
    expect(await counted()).toEqual([[set, { spike: 2, drop: 1 }]]);
    await send("POST", `/reopen/${other?.id}`, { body: {} });
    expect(await counted()).toEqual([[set, { spike: 1, drop: 1 }]]);
    await send("POST", `/reopen/${spike?.id}`, { body: {} });
    expect(await counted()).toEqual([[set, { drop: 1 }]]);
    const twice = await send("POST", `/reopen/${spike?.id}`, { body: {} });
    expect(twice).toMatchObject({ status: 409, body: { error: "invalid_state", state: "open" } });
    expect(await counted()).toEqual([[set, { drop: 1 }]]);
    expect((await send("POST", "/reopen/ano_none", { body: {} })).status).toBe(404);
  });

  it("reverts an applied suggestion, unless the metric's settings were changed since", async () => {
    const { spike, apply, send, settings } = await openAnomalies();
    const { id } = await spike();
    await apply(id);
    expect((await send("POST", `/reopen/${id}`, { body: {} })).status).toBe(200);
    expect(await settings()).toMatchObject([{ settings: { low: null, high: null } }]);
    await apply(id);
    await send("POST", "/settings", { body: { metric: "build_seconds", high: 999 } });
    const refused = await send("POST", `/reopen/${id}`, { body: {} });
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain("were changed since");
    expect(refused.body).toMatchObject({ error: "invalid_state", state: "applied" });
    expect(await settings()).toMatchObject([{ settings: { high: 999 } }]);
  });
});

describe("showing anomalies", () => {
  it("returns the points around one, with marks for the anomalies among them", async () => {
    const { analyze, send } = await openAnomalies();
    const points = builds(120, { from: 80, add: (since) => (since === 0 ? 90.123456789 : 0) });
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const { anomalies } = await analyze({
      build: points.map((value, index) => ({ at: at(index), value })),
    });
    const { id, index } = anomalies[0] as (typeof anomalies)[number];
    const { body } = await send("GET", `/${id}`);
    expect(body.anomaly).toEqual(anomalies[0]);
    expect(index).toBe(80);
    expect(body.around).toMatchObject({ first: 20, since: at(20), until: at(110) });
    expect(body.around.marks).toContain(80);
    expect(body.around.values).toEqual(points.slice(20, 111).map((value) => Number(value.toPrecision(6))));
    expect((await send("GET", "/ano_none")).status).toBe(404);
  });

  it("filters the history by severity", async () => {
    const { spike, history } = await openAnomalies();
    const { id, severity } = await spike();
    expect((await history(`?severity=${severity}`)).items.map((each) => each.id)).toEqual([id]);
    const other = severity === "low" ? "critical" : "low";
    expect((await history(`?severity=${other}`)).items).toEqual([]);
  });
});
