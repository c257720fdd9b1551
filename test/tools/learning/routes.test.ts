import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { projectOf, ROOT } from "./learning.ts";

const BUILD = { type: "build_duration", value: 60 };
const PATTERN = { title: "Cache the build", description: "Keep what did not change.", category: "build" };

async function fiveOf(app: TestApp) {
  const projects = Array.from({ length: 5 }, (_, index) => projectOf(app, `shop-${index}`));
  for (const [index, project] of projects.entries()) {
    await project.set(true);
    await project.measure(60 * 2 ** index);
  }
  return projects;
}

describe("learning over HTTP", () => {
  it("requires the project's opt-in, and names the request for it", async () => {
    const app = await startApp();
    const project = projectOf(app, "shop");
    const calls = [
      ["POST", "/benchmark", BUILD],
      ["POST", "/pattern", PATTERN],
      ["GET", "/insights", undefined],
    ] as const;
    const refusals = async () => {
      for (const [method, path, body] of calls) {
        const { status, body: problem } = await project.send(method, path, body);
        expect([status, problem.error]).toEqual([403, "opt_in_required"]);
        expect(problem.detail).toContain('PUT /api/v1/projects/shop {"learningOptIn": true}');
      }
    };
    await refusals();
    await project.set(true);
    expect((await project.send("POST", "/benchmark", BUILD)).status).toBe(201);
    expect((await project.send("POST", "/pattern", PATTERN)).status).toBe(201);
    expect((await project.insights()).items).toHaveLength(6);
    await project.set(false);
    await refusals();
  });

  it("refuses invalid measurements and patterns, and names the invalid member", async () => {
    const app = await startApp();
    const project = projectOf(app, "shop");
    await project.set(true);
    for (const [path, body, at] of [
      ["/benchmark", { type: "vibes", value: 1 }, "type"],
      ["/benchmark", { type: "build_duration" }, "value"],
      ["/benchmark", { ...BUILD, value: -1 }, "value"],
      ["/benchmark", { ...BUILD, value: "60" }, "value"],
      ["/benchmark", { ...BUILD, unit: "a@b" }, "unit"],
      ["/benchmark", { ...BUILD, context: { team: "x" } }, "context.team"],
      ["/benchmark", { ...BUILD, context: { size: -1 } }, "context.size"],
      ["/pattern", { ...PATTERN, title: " " }, "title"],
      ["/pattern", { ...PATTERN, description: "x".repeat(4001) }, "description"],
      ["/pattern", { title: "x", description: "y" }, "category"],
    ] as const) {
      const { status, body: problem } = await project.send("POST", path, body);
      expect([path, status, problem.errors?.[0]?.path]).toEqual([path, 400, at]);
    }
    expect((await project.send("GET", "/insights?type=vibes")).status).toBe(400);
  });

  it.each([
    ["test_pass_rate", 150, "%"],
    ["test_pass_rate", 100.1, "percent"],
    ["test_pass_rate", 1.5, "share"],
    ["deployment_success", 101, " PCT "],
    ["quality_score", 120, "%"],
  ])("refuses a %s of %s %s as more than the whole", async (type, value, unit) => {
    const project = projectOf(await startApp(), "shop");
    await project.set(true);
    const { status, body } = await project.send("POST", "/benchmark", { type, value, unit });
    expect([status, body.errors?.[0]?.path]).toEqual([400, "value"]);
    expect(body.detail).toMatch(/must be at most 1(00)? (%|percent|pct|share): a \w+ is a share of a whole/);
    expect((await project.insights(`?type=${type}`)).items[0]?.status).toBe("no_measurements");
  });

  it.each([
    ["test_pass_rate", 100, "%"],
    ["deployment_success", 1, "share"],
    ["test_pass_rate", 98.5, undefined],
    ["test_pass_rate", 101, undefined],
    ["quality_score", 780, undefined],
    ["quality_score", 780, "points"],
    ["task_velocity", 130, "%"],
    ["error_frequency", 140, "%"],
  ])("accepts a %s of %s %s", async (type, value, unit) => {
    const project = projectOf(await startApp(), "shop");
    await project.set(true);
    expect((await project.send("POST", "/benchmark", { type, value, unit })).status).toBe(201);
  });

  it("requires the scope read for insights, and the scope write for measurements and patterns", async () => {
    const app = await startApp();
    const reader = projectOf(app, "shop", await app.key(["read"]));
    await projectOf(app, "shop").set(true);
    expect((await reader.insights("?type=build_duration")).items[0]?.status).toBe("no_measurements");
    for (const [path, body] of [
      ["/benchmark", BUILD],
      ["/pattern", PATTERN],
    ] as const) {
      expect((await reader.send("POST", path, body)).body).toMatchObject({ error: "insufficient_scope" });
      expect((await app.request("POST", ROOT + path, { key: null, body })).status).toBe(401);
    }
  });

  it("shows trend, standing, cohort and the patterns of better projects", async () => {
    const app = await startApp();
    const projects = await fiveOf(app);
    const [best, , , , worst] = projects;
    for (const value of [900, 800, 700, 650]) await worst?.measure(value);
    await best?.share({ ...PATTERN, outcome: "From 4 to 1 min", context: { size: 5000 } });
    await worst?.share({ ...PATTERN, title: "Hope" });
    const { items } = (await worst?.insights("?type=build_duration")) ?? { items: [] };
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      type: "build_duration",
      better: "lower",
      status: "ok",
      unit: "s",
      latest: { value: 650 },
      trend: { direction: "improving", measurements: 5, values: [960, 900, 800, 700, 650] },
      percentile: 100,
      betterThan: 0,
      cohort: { status: "ok", projects: 5, p50: 199.5 },
      patterns: [
        { title: "Cache the build", outcome: "From 4 to 1 min", context: { size: "1e3-1e4 lines" } },
      ],
    });
    expect((await best?.insights("?type=build_duration"))?.items[0]?.patterns).toEqual([]);
  });

  it("masks identifying text in a shared pattern", async () => {
    const app = await startApp();
    const project = projectOf(app, "web-shop");
    await project.set(true);
    const { pattern, masked } = await project.share({
      ...PATTERN,
      title: "How the web shop caches",
      description: "Ask ada@acme.test, see /home/ada/web-shop and https://ci.acme.test",
    });
    expect(pattern.title).toBe("How the [name] caches");
    expect(pattern.description).toBe("Ask [email], see [path] and [url]");
    expect(masked).toEqual(["email", "name", "path", "url"]);
  });

  it("forgets a project at once when it opts out", async () => {
    const app = await startApp();
    const projects = await fiveOf(app);
    const [first, second] = projects;
    await first?.share(PATTERN);
    await first?.set(false);
    expect((await second?.insights("?type=build_duration"))?.items[0]?.status).toBe("insufficient_data");
    await first?.set(true);
    expect((await first?.insights("?type=build_duration"))?.items[0]?.status).toBe("no_measurements");
    for (const project of projects) await project.measure(60);
    const { items } = (await second?.insights("?type=build_duration")) ?? { items: [] };
    expect(items[0]).toMatchObject({ status: "ok", patterns: [] });
  });

  it("counts a measurement once if it is repeated with the same Idempotency-Key", async () => {
    const app = await startApp();
    await projectOf(app, "shop").set(true);
    const headers = { "X-Project-Id": "shop", "Idempotency-Key": "build-42" };
    const send = () => app.request("POST", `${ROOT}/benchmark`, { headers, body: BUILD });
    const [once, again] = [await send(), await send()];
    expect(again.body).toEqual(once.body);
    expect((await projectOf(app, "shop").insights()).items[0]?.trend.measurements).toBe(1);
  });
});
