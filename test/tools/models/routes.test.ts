import { describe, expect, it } from "vitest";
import { CATALOGUE, model, openModels, ROOT } from "./models.ts";

const SELECT = { task: { kind: "code", inputTokens: 1000, outputTokens: 500 }, objective: "quality" };

describe("the routes of models", () => {
  it("list the models that match every filter, by provider and id, with all members", async () => {
    const { list } = await openModels();
    const all = await list();
    expect(all.catalogueDate).toBe("2026-03-04");
    expect(
      all.items.map(({ provider, id }: { provider: string; id: string }) => `${provider}/${id}`),
    ).toEqual(["ash/ancient", "ash/large", "elm/middle", "oak/embed", "oak/small"]);
    expect(all.items[4]).toEqual(CATALOGUE.models[0]);
    const ids = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => id);
    for (const [query, expected] of [
      ["?provider=oak", ["embed", "small"]],
      ["?provider=nobody", []],
      ["?capability=vision", ["large"]],
      ["?capability=embedding", ["embed"]],
      ["?modality=image", ["large"]],
      ["?outputModality=image", []],
      ["?minContextTokens=100001", ["large"]],
      ["?minContextTokens=100000", ["ancient", "large", "middle", "embed", "small"]],
      ["?maxInputUsd=0.1", ["ancient", "small"]],
      ["?maxInputUsd=0", ["ancient"]],
      ["?provider=ash&capability=tool_call&maxInputUsd=5", ["ancient"]],
    ] as const)
      expect(await ids(query), query).toEqual(expected);
  });

  it("exclude models of unknown context or price if filtered by these", async () => {
    const { list } = await openModels({
      models: [model("vague", { contextTokens: undefined, inputUsdPerMillion: undefined })],
    });
    expect((await list("?minContextTokens=1")).items).toEqual([]);
    expect((await list("?maxInputUsd=1000000")).items).toEqual([]);
    expect((await list()).items).toHaveLength(1);
  });

  it("select from the bundled catalogue, counting the tokens of the prompt", async () => {
    const { select } = await openModels({ models: "bundled" });
    const prompt = "Write a function that returns half of what is left of a list.";
    const answer = await select({
      task: { kind: "code", prompt, needs: ["tool_call"] },
      constraints: { maxCostUsd: 0.01, providers: { allow: ["openai", "anthropic"] } },
    });
    expect(answer.estimate).toMatchObject({ inputTokens: 14, presumed: ["outputTokens"] });
    expect(answer.difficulty).toMatchObject({ words: 13, relations: 2 });
    expect(answer.selected.capabilities).toContain("tool_call");
    expect(["openai", "anthropic"]).toContain(answer.selected.provider);
    expect(answer.selected.costUsd).toBeLessThanOrEqual(0.01);
    expect(answer.alternatives).toHaveLength(5);
    expect(answer.selected.source).toMatch(/^https:/);
  });

  it("learn from outcomes, once for each Idempotency-Key", async () => {
    const { app, select } = await openModels();
    expect((await select(SELECT)).selected).toMatchObject({ id: "large", recorded: null });
    const body = { model: "ash/large", kind: "code", outcome: "failure", latencyMs: 1200 };
    const first = await app.request("POST", `${ROOT}/outcome`, { body });
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: "large",
        provider: "ash",
        kind: "code",
        recorded: { successes: 0, failures: 1, latencyMs: 1200 },
        recordedAt: expect.stringMatching(/Z$/),
      },
    ]);
    for (let times = 0; times < 3; times++)
      await app.request("POST", `${ROOT}/outcome`, { body, headers: { "Idempotency-Key": "second" } });
    const named = { ...body, model: "large", latencyMs: undefined };
    for (let times = 0; times < 6; times++) await app.request("POST", `${ROOT}/outcome`, { body: named });
    const answer = await select(SELECT);
    expect(answer.selected.id).toBe("middle");
    const fallen = answer.alternatives.find(({ id }: { id: string }) => id === "large");
    expect(fallen.recorded).toEqual({ successes: 0, failures: 8, latencyMs: 1200 });
  });

  it("refuse invalid input and name the fault", async () => {
    const { app } = await openModels({ models: [...CATALOGUE.models, model("small", { provider: "fir" })] });
    for (const query of [
      "capability=magic",
      "minContextTokens=0",
      "minContextTokens=x",
      "maxInputUsd=-1",
      "colour=red",
    ])
      expect((await app.request("GET", `${ROOT}?${query}`)).status, query).toBe(400);
    for (const [body, path] of [
      [{}, "task"],
      [{ task: { kind: "cooking" } }, "task.kind"],
      [{ task: { kind: "chat", inputTokens: -1 } }, "task.inputTokens"],
      [{ task: { kind: "chat", inputTokens: 1, cachedInputTokens: 2 } }, "task.cachedInputTokens"],
      [{ task: { kind: "chat", needs: ["magic"] } }, "task.needs.0"],
      [{ task: { kind: "chat" }, objective: "luck" }, "objective"],
      [{ task: { kind: "chat" }, constraints: { providers: { allow: [] } } }, "constraints.providers.allow"],
      [{ task: { kind: "chat" }, constraints: { maxCost: 1 } }, "constraints.maxCost"],
    ] as const) {
      const { status, body: problem } = await app.request("POST", `${ROOT}/select`, { body });
      expect([status, problem.error]).toEqual([400, "invalid_request"]);
      expect(problem.errors.map((fault: { path: string }) => fault.path)).toContain(path);
    }
    for (const [name, status, detail] of [
      ["nobody/nothing", 422, /no such model; GET/],
      ["ash/lrge", 422, /no such model; did you mean ash\/large[^.]*\?$/],
      ["small", 422, /name one of fir\/small, oak\/small/],
      ["", 400, /must not be empty/],
    ] as const) {
      const body = { model: name, kind: "chat", outcome: "success" };
      const refused = await app.request("POST", `${ROOT}/outcome`, { body });
      expect([refused.status, refused.body.detail]).toEqual([status, expect.stringMatching(detail)]);
    }
    const nothing = await app.request("POST", `${ROOT}/select`, {
      body: { task: { kind: "chat", inputTokens: 5_000_000 } },
    });
    expect([nothing.status, nothing.body.error]).toEqual([422, "unprocessable"]);
    expect(nothing.body.detail).toMatch(
      /^None of 6 models fits\. The nearest is ash\/large: has a context of/,
    );
    expect(nothing.body.errors[0].path).toBe("task");
  });

  it("use recorded outcomes only in their own account and project", async () => {
    const { app, select, outcome } = await openModels();
    for (let times = 0; times < 8; times++)
      await outcome({ model: "large", kind: "code", outcome: "failure" });
    expect((await select(SELECT)).selected.id).toBe("middle");
    const { token } = await app.account("team");
    for (const options of [{ key: token }, { headers: { "X-Project-Id": "other" } }]) {
      const { body } = await app.request("POST", `${ROOT}/select`, { body: SELECT, ...options });
      expect(body.selected).toMatchObject({ id: "large", recorded: null });
    }
  });

  it("require the scope write to select and record, and the scope read to list", async () => {
    const { app } = await openModels();
    const key = await app.key(["read"]);
    expect((await app.request("GET", ROOT, { key })).status).toBe(200);
    expect((await app.request("GET", ROOT, { key: null })).status).toBe(401);
    for (const path of ["/select", "/outcome"]) {
      const ask = (who: string | null) => app.request("POST", ROOT + path, { key: who, body: {} });
      expect((await ask(key)).body.error).toBe("insufficient_scope");
      expect((await ask(null)).status).toBe(401);
    }
  });
});
