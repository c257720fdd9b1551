import { describe, expect, it } from "vitest";
import { openAnomalies, session } from "./anomalies.ts";
import { builds } from "./series.ts";

describe("POST /anomalies/analyze", () => {
  it("lists the anomalies of each metric with expected range, explanation and suggestion", async () => {
    const { analyze } = await openAnomalies();
    const at = (index: number) => new Date(Date.UTC(2026, 0, 5) + index * 60_000).toISOString();
    const timed = session(-60).map((value, index) => ({ at: at(index), value }));
    const { analysisId, anomalies, series } = await analyze(
      { build_seconds: session(), tests: timed, retries: [1, 2, 3], nothing: [] },
      { sessionId: "ses_1" },
    );
    expect(analysisId).toMatch(/^ana_/);
    const [spike, drop] = anomalies;
    expect(anomalies).toMatchObject([
      { metric: "build_seconds", index: 50, kind: "spike", at: null, state: "open", sessionId: "ses_1" },
      { metric: "tests", index: 50, kind: "drop", at: at(50), state: "open", analysisId },
    ]);
    expect(spike?.value).toBe(session()[50]);
    expect(spike?.expected.low).toBeLessThan(spike?.expected.mid as number);
    expect(spike?.expected.high).toBeLessThan(spike?.value as number);
    expect(spike?.score).toBeGreaterThan(0.5);
    expect(spike?.explanation).toMatch(
      /^"build_seconds" was 16\d.*; 98 of 100 of the 50 points before were between 9\d.* and 10\d.*\. It stands out from what came before\.$/,
    );
    const { high = 0, ...others } = spike?.suggestion?.parameters ?? {};
    expect([spike?.suggestion?.action, others]).toEqual(["set_threshold", { metric: "build_seconds" }]);
    expect(high).toBeGreaterThan(spike?.expected.high as number);
    expect(high).toBeLessThan(spike?.value as number);
    expect(spike?.suggestion?.effect).toBe(
      `Where "build_seconds" goes above ${high}, that is always reported.`,
    );
    expect(drop?.suggestion?.parameters.low).toBeGreaterThan(drop?.value as number);
    expect(series).toMatchObject({
      build_seconds: { points: 60, verdict: "anomalous", baseline: { mid: expect.closeTo(100, -1) } },
      tests: { points: 60, verdict: "anomalous" },
      retries: { points: 3, verdict: "insufficient_data", baseline: null },
      nothing: { points: 0, verdict: "insufficient_data", baseline: null },
    });
  });

  it("judges later sessions by the project's earlier sessions of the same metric", async () => {
    const { analyze } = await openAnomalies();
    const days = [100, 104, 97, 101, 99, 103, 98, 102, 100, 101, 99, 98];
    expect((await analyze({ build: days })).anomalies).toEqual([]);
    expect((await analyze({ other: [400] })).series.other?.verdict).toBe("insufficient_data");
    const { anomalies, series } = await analyze({ build: [400] });
    expect(anomalies).toMatchObject([{ metric: "build", index: 0, kind: "spike", value: 400 }]);
    expect(series.build).toMatchObject({ points: 1, verdict: "anomalous" });
  });

  it("accepts times as ISO 8601 with or without zone or as milliseconds, in any order", async () => {
    const { analyze } = await openAnomalies();
    const values = session();
    const times = [
      "2026-01-05T10:00:00Z",
      "2026-01-05T10:00:00",
      "2026-01-05T12:00+02:00",
      1_767_607_200_000,
    ];
    const points = values.map((value, index) => ({ at: times[index % 4], value }));
    const { anomalies } = await analyze({ build: points, other: points.toReversed() });
    expect(anomalies.map(({ at }) => at)).toEqual(anomalies.map(() => "2026-01-05T10:00:00.000Z"));
    expect(anomalies).toContainEqual(expect.objectContaining({ metric: "build", index: 50, kind: "spike" }));
  });

  it("returns the same anomalies for points analysed before, and stores each anomaly once", async () => {
    const { analyze, history, dismiss } = await openAnomalies();
    const before = builds(400);
    await analyze({ m: before });
    const values = builds(600, { from: 300, add: (since) => (since < 3 ? 60 : 0) });
    const first = await analyze({ m: values });
    expect(first.anomalies).not.toEqual([]);
    const again = await analyze({ m: values });
    expect([again.anomalies, again.series]).toEqual([first.anomalies, first.series]);
    const more = await analyze({ m: [...values, ...builds(50), 300] });
    expect(more.anomalies.slice(0, first.anomalies.length)).toEqual(first.anomalies);
    expect(more.anomalies.at(-1)).toMatchObject({ index: 650, kind: "spike" });
    const { items } = await history();
    expect(items.toReversed()).toEqual(more.anomalies);
    for (const { id } of more.anomalies) await dismiss(id);
    const dismissed = await analyze({ m: [...values, ...builds(50), 300] });
    expect([dismissed.anomalies, dismissed.series.m?.verdict]).toEqual([[], "ok"]);
  });

  it("knows a dismissed anomaly however often its points are analysed again", async () => {
    const { analyze, history, dismiss } = await openAnomalies();
    const values = [...builds(300), 1000, ...builds(50)];
    const [spike] = (await analyze({ m: values })).anomalies;
    expect(spike).toMatchObject({ index: 300, kind: "spike" });
    await dismiss(spike?.id as string);
    for (let time = 0; time < 3; time++) expect((await analyze({ m: values })).anomalies).toEqual([]);
    expect((await analyze({ m: [...values, ...builds(20)] })).anomalies).toEqual([]);
    expect((await analyze({ m: [...values, ...builds(20)] })).anomalies).toEqual([]);
    expect((await history()).items).toMatchObject([{ id: spike?.id, state: "dismissed" }]);
  });

  it("keeps the id of an anomaly that an analysis of lower sensitivity left out", async () => {
    const { analyze, history } = await openAnomalies();
    const values = builds(600, { from: 300, add: (since) => (since < 1 ? 10 : 0) });
    const first = await analyze({ m: values }, { sensitivity: "high" });
    const fewer = await analyze({ m: values }, { sensitivity: "low" });
    expect(fewer.anomalies.length).toBeLessThan(first.anomalies.length);
    expect((await analyze({ m: values }, { sensitivity: "high" })).anomalies).toEqual(first.anomalies);
    expect((await history()).items).toHaveLength(first.anomalies.length);
  });

  it("keeps the ids of thousands of anomalies of one metric", async () => {
    const { send, analyze, history } = await openAnomalies();
    await send("POST", "/settings", { body: { metric: "m", high: 10 } });
    const values = Array.from({ length: 3000 }, (_, index) => (index % 2 ? 100 : 1));
    const first = await analyze({ m: values });
    expect(first.anomalies.length).toBeGreaterThan(1400);
    expect((await analyze({ m: values })).anomalies).toEqual(first.anomalies);
    const more = await analyze({ m: [...values, 1, 100, 1, 100] });
    expect(more.anomalies.slice(0, first.anomalies.length)).toEqual(first.anomalies);
    expect((await analyze({ m: [...values, 1, 100, 1, 100] })).anomalies).toEqual(more.anomalies);
    expect((await history()).items[0]?.id).toBe(more.anomalies.at(-1)?.id);
  });

  it("returns the same anomalies if several metrics are analysed again together", async () => {
    const { analyze } = await openAnomalies();
    const metrics = { a: session(), b: session(-60), c: session(20) };
    const first = await analyze(metrics);
    expect(new Set(first.anomalies.map(({ metric }) => metric)).size).toBeGreaterThan(1);
    expect((await analyze(metrics)).anomalies).toEqual(first.anomalies);
  });

  it("learns from every session even if all have the same few points", async () => {
    const { analyze } = await openAnomalies();
    for (let session = 0; session < 12; session++) await analyze({ passed: [412] });
    expect((await analyze({ passed: [412] })).series.passed?.verdict).toBe("ok");
  });

  it("finds missing data", async () => {
    const { analyze } = await openAnomalies();
    const points = builds(40).map((value, index) => ({
      at: index * 60_000 + (index >= 30 ? 3e7 : 0),
      value,
    }));
    const { anomalies } = await analyze({ heartbeat: points });
    expect(anomalies).toMatchObject([
      {
        index: 30,
        kind: "missing_data",
        explanation: 'No value of "heartbeat" came for 8.35 h; usually one comes every 1 min.',
        suggestion: { action: "set_max_gap", parameters: { metric: "heartbeat", maxGapMs: 30_060_000 } },
      },
    ]);
  });

  it("lists the anomalies of 300 metrics in one answer, and stores all of them", async () => {
    const { analyze, history } = await openAnomalies();
    const metrics = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, session()]));
    const { anomalies } = await analyze(metrics);
    expect(anomalies.map(({ metric }) => metric)).toEqual(Object.keys(metrics));
    const first = await history("?limit=200");
    const rest = await history(`?limit=200&cursor=${first.nextCursor}`);
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([200, 100, undefined]);
    const byId = (some: readonly { id: string }[]) => some.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId([...first.items, ...rest.items])).toEqual(byId(anomalies));
  });

  it("accepts __proto__ and constructor as metric names without prototype pollution", async () => {
    const { send, analyze, history } = await openAnomalies();
    const points = JSON.stringify(session());
    const raw = `{"metrics":{"__proto__":${points},"constructor":${points},"a/b 🙂":${points}}}`;
    const headers = { "Content-Type": "application/json" };
    const { status, body } = await send("POST", "/analyze", { raw, headers });
    expect(status, JSON.stringify(body)).toBe(200);
    const names = ["__proto__", "constructor", "a/b 🙂"];
    expect(body.anomalies.map(({ metric }: { metric: string }) => metric)).toEqual(names);
    expect(Object.keys(body.series)).toEqual(names);
    expect((await history("?metric=__proto__")).items).toHaveLength(1);
    expect((await analyze({ toString: session() })).anomalies).toHaveLength(1);
  });

  it("refuses invalid input with invalid_request and names the invalid member", async () => {
    const { send, history } = await openAnomalies();
    for (const [body, path] of [
      [{}, "metrics"],
      [{ metrics: [1, 2] }, "metrics"],
      [{ metrics: {} }, "metrics"],
      [{ metrics: { a: 1 } }, "metrics.a"],
      [{ metrics: { "": [1] } }, "metrics."],
      [{ metrics: { " a": [1] } }, "metrics. a"],
      [{ metrics: { a: [1, "2"] } }, "metrics.a.1"],
      [{ metrics: { a: [1, null] } }, "metrics.a.1"],
      [{ metrics: { a: [{ value: 1 }] } }, "metrics.a.0.at"],
      [{ metrics: { a: [{ at: "yesterday", value: 1 }] } }, "metrics.a.0.at"],
      [{ metrics: { a: [{ at: 1, value: "1" }] } }, "metrics.a.0.value"],
      [{ metrics: { a: [{ at: 1, value: 1, unit: "s" }] } }, "metrics.a.0.unit"],
      [{ metrics: { a: [1e200] } }, "metrics.a.0"],
      [{ metrics: { a: [1] }, sensitivity: "extreme" }, "sensitivity"],
      [{ metrics: { a: [1] }, sessionId: "" }, "sessionId"],
      [{ metrics: { a: [1] }, session: "x" }, "session"],
    ] as const) {
      const { status, body: problem } = await send("POST", "/analyze", { body });
      expect([status, problem.error], JSON.stringify(body)).toEqual([400, "invalid_request"]);
      expect(JSON.stringify(problem)).toContain(JSON.stringify(path).slice(1, -1));
    }
    expect((await history()).items).toEqual([]);
  });

  it("records the anomalies of a request once if it is repeated with the same Idempotency-Key", async () => {
    const { send, history } = await openAnomalies();
    const body = { metrics: { build: session() } };
    const once = (body: object) =>
      send("POST", "/analyze", { body, headers: { "Idempotency-Key": "session-1" } });
    const [first, again] = [await once(body), await once(body)];
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect((await history()).items).toHaveLength(1);
    expect((await once({ metrics: { build: [1] } })).body.error).toBe("idempotency_mismatch");
  });

  it("learns from all of eight concurrent sessions of the same metric", async () => {
    const { analyze } = await openAnomalies();
    const all = await Promise.all(Array.from({ length: 8 }, () => analyze({ build: [100, 101] })));
    expect(all.every(({ anomalies }) => anomalies.length === 0)).toBe(true);
    const { anomalies, series } = await analyze({ build: [400] });
    expect(series.build?.baseline).not.toBeNull();
    expect(anomalies[0]?.explanation).toContain("of the 16 points before");
  });
});
