import { describe, expect, it } from "vitest";
import { answerLocally } from "../../src/local/answer-locally.ts";
import { LOCAL_ROUTES, type LocalRoute, localOperation } from "../../src/local/endpoints.ts";
import { startApp } from "../support/app.ts";

const DIFF = "--- a/a.js\n+++ b/a.js\n@@ -0,0 +1 @@\n+eval(req.query.x);\n";

/** For each local endpoint, a request whose answer depends on nothing else. */
const REQUESTS: Record<string, object> = {
  "POST /api/v1/tools/code-review": { diff: DIFF },
  "POST /api/v1/tools/self-healing/diagnose": { log: "src/a.ts(1,2): error TS2322: Type 'string'" },
  "POST /api/v1/tools/anomalies/analyze": { metrics: { ms: [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 900] } },
  "POST /api/v1/tools/context/optimize": {
    segments: [{ id: "a", content: "one two three. four five six." }],
    budget: { maxTokens: 4 },
  },
  "POST /api/v1/tools/context/locate": {
    query: "parse a header",
    segments: [{ id: "a.ts", content: "function parseHeader() {}" }],
  },
  "POST /api/v1/tools/scheduler/plan": { tasks: [{ id: "a", durationMs: 5 }], iterations: 10 },
  "GET /api/v1/tools/models": {},
  "POST /api/v1/tools/models/select": { task: { kind: "chat", prompt: "Say hello" }, objective: "cost" },
};

/** Matches members that differ in each answer. */
const BY_CHANCE = /"(?:diagnosisId|analysisId|id|createdAt)":"[^"]*"|"elapsedMs":\d+/g;

describe("answerLocally()", () => {
  it("is tested with a request for every local operation", () => {
    expect(LOCAL_ROUTES.toSorted()).toEqual(Object.keys(REQUESTS).sort());
  });

  it.each(LOCAL_ROUTES)("asks the endpoint that the contract has at %s", async (route) => {
    const { endpoint } = await localOperation(route as LocalRoute);
    expect(`${endpoint.method} ${endpoint.path}`).toBe(route);
  });

  it.each(Object.entries(REQUESTS))("answers as the server does: %s", async (route, input) => {
    const app = await startApp();
    const [method = "", path = ""] = route.split(" ");
    const key = await app.key(["write"]);
    const answer = await app.request(method, path, { key, ...(method === "POST" && { body: input }) });
    expect(answer.status).toBe(200);
    const local = JSON.parse(await answerLocally({ route, input }));
    const plain = (value: unknown) => JSON.stringify(value).replaceAll(BY_CHANCE, "");
    expect(plain(local)).toBe(plain(answer.body));
  });

  it("refuses invalid input with the error of the server", async () => {
    const asked = answerLocally({ route: "POST /api/v1/tools/code-review", input: { diff: 1, x: 2 } });
    await expect(asked).rejects.toMatchObject({
      error: "invalid_request",
      extras: { errors: [{ path: "diff" }, { path: "x", message: "is not a known member" }] },
    });
  });

  it("refuses an operation on stored data", async () => {
    await expect(answerLocally({ route: "GET /api/v1/tools/agent-memory", input: {} })).rejects.toThrow(
      "not answered without a server",
    );
  });
});
