import { describe, expect, it } from "vitest";
import { meteringContract, USAGE_TYPES } from "../../../src/metering/contract.ts";
import { fakeClock } from "../../support/clock.ts";
import { inProject, openMetering } from "../metering.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOTHING = {
  api_calls: 0,
  agents_invoked: 0,
  skills_accessed: 0,
  workflows_started: 0,
  mcp_calls: 0,
};

async function refusal(answer: Promise<unknown>) {
  return answer.then(
    () => undefined,
    (error) => error,
  );
}

describe("GET /api/v1/usage", () => {
  it("shows the last 30 days by day by default, with all five types in the totals", async () => {
    const { api } = await openMetering({ clock: fakeClock(Date.UTC(2026, 0, 15, 12)) });
    await api.track({ type: "mcp_calls", count: 7 });
    const { body } = await api.showUsage({});
    expect(body).toMatchObject({
      from: "2025-12-17T00:00:00.000Z",
      to: "2026-01-16T00:00:00.000Z",
      granularity: "day",
      projectId: "default",
      totals: { ...NOTHING, mcp_calls: 7 },
    });
    expect(body.series).toHaveLength(30);
    expect(body.series.at(-1)).toEqual({
      at: "2026-01-15T00:00:00.000Z",
      counts: { ...NOTHING, mcp_calls: 7 },
    });
  });

  it.each([
    ["hour", 24, "2026-01-14T13:00:00.000Z", "2026-01-15T13:00:00.000Z"],
    ["day", 30, "2025-12-17T00:00:00.000Z", "2026-01-16T00:00:00.000Z"],
    ["month", 12, "2025-02-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ])("by %s shows the last %i by default", async (granularity, points, from, to) => {
    const { api } = await openMetering({ clock: fakeClock(Date.UTC(2026, 0, 15, 12)) });
    const { body } = await api.showUsage({ granularity });
    expect(body).toMatchObject({ from, to, totals: NOTHING });
    expect(body.series).toHaveLength(points);
  });

  it("rounds from down and to up to whole buckets in UTC", async () => {
    const { api } = await openMetering();
    const range = async (question: object) => {
      const { from, to } = (await api.showUsage(question)).body;
      return [from, to];
    };
    expect(
      await range({ granularity: "hour", from: "2026-01-01T00:59:59Z", to: "2026-01-01T01:00:01Z" }),
    ).toEqual(["2026-01-01T00:00:00.000Z", "2026-01-01T02:00:00.000Z"]);
    expect(await range({ from: "2026-01-01T01:00:00+02:00", to: "2026-01-02" })).toEqual([
      "2025-12-31T00:00:00.000Z",
      "2026-01-02T00:00:00.000Z",
    ]);
    expect(await range({ granularity: "month", from: "2024-02-29", to: "2024-03-01" })).toEqual([
      "2024-02-01T00:00:00.000Z",
      "2024-03-01T00:00:00.000Z",
    ]);
  });

  it("counts every event in exactly one bucket of each granularity, across the end of a year", async () => {
    const clock = fakeClock(Date.UTC(2025, 11, 31, 23, 30));
    const { api } = await openMetering({ clock });
    for (let half = 0; half < 6; half++) {
      await api.track({ type: "api_calls", count: half + 1 });
      clock.advance(DAY / 48);
    }
    for (const granularity of ["hour", "day", "month"]) {
      const { body } = await api.showUsage({ granularity, from: "2025-12-31", to: "2026-01-02" });
      expect(body.totals.api_calls).toBe(21);
      expect(body.series.reduce((sum, { counts }) => sum + (counts.api_calls ?? 0), 0)).toBe(21);
    }
    const { body } = await api.showUsage({ from: "2025-12-31", to: "2026-01-02" });
    expect(body.series.map(({ counts }) => counts.api_calls)).toEqual([1, 20]);
  });

  it("has every bucket in order, even empty ones, and totals that equal the sums", async () => {
    const { api, clock } = await openMetering();
    for (const type of USAGE_TYPES) {
      await api.track({ type, count: 2 });
      clock.advance(3 * DAY);
    }
    const { body } = await api.showUsage({});
    expect(body.series.map(({ at }) => at)).toEqual(
      body.series.map((_, index) => new Date(Date.parse(body.from) + index * DAY).toISOString()),
    );
    for (const type of USAGE_TYPES) {
      expect(body.totals[type]).toBe(2);
      expect(body.series.reduce((sum, { counts }) => sum + (counts[type] ?? 0), 0)).toBe(2);
    }
  });

  it("counts only the requested type", async () => {
    const { api } = await openMetering();
    await api.track({ type: "api_calls", count: 3 });
    await api.track({ type: "mcp_calls", count: 4 });
    const { body } = await api.showUsage({ type: "mcp_calls" });
    expect(body.totals).toEqual({ ...NOTHING, mcp_calls: 4 });
    expect(body.series.at(-1)?.counts).toEqual({ mcp_calls: 4 });
  });

  it("shows an unknown project as empty and does not create it", async () => {
    const { api, projects } = await openMetering();
    await api.track({ type: "api_calls" });
    const { body } = await api.showUsage({}, inProject("unknown"));
    expect(body).toMatchObject({ projectId: "unknown", totals: NOTHING });
    expect((await projects.list("acc_one", { limit: 10 })).items.map(({ id }) => id)).toEqual(["default"]);
  });

  it("refuses a range that runs backwards or is empty", async () => {
    const { api } = await openMetering();
    const question = { from: "2026-01-02", to: "2026-01-02" };
    expect(await refusal(api.showUsage(question))).toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "from", message: "must be before to" }] },
    });
  });

  it("refuses more than 10,000 points and suggests a coarser granularity", async () => {
    const { api } = await openMetering();
    const hours = (count: number) => ({
      granularity: "hour",
      from: new Date(Date.UTC(2026, 0, 15) - count * 3_600_000).toISOString(),
      to: "2026-01-15",
    });
    expect((await api.showUsage(hours(10_000))).body.series).toHaveLength(10_000);
    expect(await refusal(api.showUsage(hours(10_001)))).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/10001 .*10000.*coarser granularity/),
    });
    expect(await refusal(api.showUsage({ from: "1970-01-01", to: "9998-12-31" }))).toMatchObject({
      status: 400,
    });
  });

  it("refuses malformed times and unknown granularities, types and parameters", () => {
    const { input } = meteringContract.showUsage;
    for (const from of [
      "yesterday",
      "2026-02-30",
      "2026-01-15T12:00:00",
      "1768478400000",
      "",
      "9999-12-31",
    ]) {
      expect(input.safeParse({ from }).success, from).toBe(false);
    }
    expect(input.safeParse({ granularity: "week" }).success).toBe(false);
    expect(input.safeParse({ type: "clicks" }).success).toBe(false);
    expect(input.safeParse({ pages: "5" }).success).toBe(false);
  });
});
