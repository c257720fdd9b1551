import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";

const PATH = "/api/v1/tools/context/optimize";
const content = "The first sentence is about ships. The second is about bread. ".repeat(10);

describe("POST /api/v1/tools/context/optimize", () => {
  it("answers in the form of the request, and identically for identical requests", async () => {
    const app = await startApp();
    const ask = (body: unknown) => app.request("POST", PATH, { body });
    const budget = { maxTokens: 20 };
    const one = await ask({ content, budget, query: "bread" });
    expect(one.status, one.text).toBe(200);
    expect(one.body.content).toContain("bread");
    expect(one.body).not.toHaveProperty("segments");
    expect(one.body.tokens.after).toBeLessThanOrEqual(20);
    const { before, after, saved, ratio } = one.body.tokens;
    expect([saved, ratio]).toEqual([before - after, Number((after / before).toFixed(4))]);
    expect(one.body.dropped[0]).not.toHaveProperty("id");
    expect((await ask({ content, budget, query: "bread" })).text).toBe(one.text);
    const many = await ask({ segments: [{ id: "s", content }], budget, tokenizer: "cl100k_base" });
    expect(many.body.segments).toEqual([{ id: "s", content: expect.any(String), whole: false }]);
    expect(many.body.dropped[0].id).toBe("s");
    const empty = await ask({ content: "", budget });
    expect(empty.body).toMatchObject({ content: "", tokens: { before: 0, after: 0, ratio: 1 } });
  });

  it("refuses invalid input with 400 and its path, and pinned content over budget with 422", async () => {
    const app = await startApp();
    const budget = { maxTokens: 20 };
    const cases: [unknown, string][] = [
      [{ content }, "budget"],
      [{ content, budget: {} }, "budget"],
      [{ content, budget: { maxTokens: 0 } }, "budget.maxTokens"],
      [{ content, budget: { ratio: 1.5 } }, "budget.ratio"],
      [{ content, budget: { maxTokens: 5, ratio: 0.5 } }, "budget"],
      [{ budget }, ""],
      [{ content, segments: [], budget }, ""],
      [
        {
          segments: [
            { id: "a", content },
            { id: "a", content },
          ],
          budget,
        },
        "segments",
      ],
      [{ segments: [{ id: "a", content, kind: "poem" }], budget }, "segments.0.kind"],
      [{ content, budget, tokenizer: "gpt2" }, "tokenizer"],
      [{ content, budget, question: "?" }, "question"],
    ];
    for (const [body, path] of cases) {
      const { status, body: problem } = await app.request("POST", PATH, { body });
      expect([status, problem.error], JSON.stringify(body).slice(-80)).toEqual([400, "invalid_request"]);
      expect(problem.errors.map((fault: { path: string }) => fault.path.slice(0, path.length))).toContain(
        path,
      );
    }
    // The forms are named, since a bare number is what most other APIs take.
    for (const wrong of [2000, { tokens: 2000 }]) {
      const { body } = await app.request("POST", PATH, { body: { content, budget: wrong } });
      expect(body.detail).toContain('{"maxTokens": 4000}');
    }
    const pinned = await app.request("POST", PATH, {
      body: { segments: [{ id: "a", content, pinned: true }], budget },
    });
    expect([pinned.status, pinned.body.error, pinned.body.budgetTokens]).toEqual([422, "unprocessable", 20]);
    expect((await app.request("POST", PATH, { body: { content, budget }, key: null })).status).toBe(401);
    const readOnly = await app.key(["read"]);
    expect((await app.request("POST", PATH, { body: { content, budget }, key: readOnly })).status).toBe(403);
  });
});
