import { describe, expect, it } from "vitest";
import { startApp } from "../../support/app.ts";
import { added } from "./cases.ts";

const PATH = "/api/v1/tools/code-review";
const DIFF = added("src/a.ts", "eval(req.query.x);\nif (a == b) run();");

describe("POST /api/v1/tools/code-review", () => {
  it("reviews a diff, restricted to the given severity and rules", async () => {
    const app = await startApp();
    const { status, body } = await app.request("POST", PATH, { body: { diff: DIFF } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      findings: [
        {
          rule: "code-evaluation",
          severity: "error",
          category: "security",
          file: "src/a.ts",
          line: 1,
          column: 1,
          snippet: "eval(req.query.x);",
          cwe: "CWE-95",
        },
        { rule: "loose-equality", line: 2 },
      ],
      summary: { files: 1, addedLines: 2, skipped: [] },
      rules: 17,
    });
    const severe = await app.request("POST", PATH, { body: { diff: DIFF, minSeverity: "error" } });
    expect(severe.body.findings).toHaveLength(1);
    const chosen = await app.request("POST", PATH, {
      body: { diff: DIFF, rules: { only: ["loose-equality"] } },
    });
    expect(chosen.body.findings.map(({ rule }: { rule: string }) => rule)).toEqual(["loose-equality"]);
  });

  it("answers in SARIF only if the Accept header prefers it", async () => {
    const app = await startApp();
    const ask = (accept: string) =>
      app.request("POST", PATH, { body: { diff: DIFF }, headers: { Accept: accept } });
    const sarif = await ask("application/sarif+json");
    expect(sarif.headers.get("content-type")).toContain("application/sarif+json");
    expect(JSON.parse(sarif.text).runs[0].results).toHaveLength(2);
    for (const accept of ["application/json, application/sarif+json", "application/sarif+json;q=0", "*/*"]) {
      expect((await ask(accept)).body.rules).toBe(17);
    }
  });

  it("refuses an invalid diff with 422 and its line, and invalid input with 400 and its path", async () => {
    const app = await startApp();
    const broken = await app.request("POST", PATH, {
      body: { diff: "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n+c\n" },
    });
    expect([broken.status, broken.body.error, broken.body.line]).toEqual([422, "unprocessable", 6]);
    const wrong: [body: unknown, path: string][] = [
      [{}, "diff"],
      [{ diff: 1 }, "diff"],
      [{ diff: "", minSeverity: "fatal" }, "minSeverity"],
      [{ diff: "", rules: { only: ["no-such-rule"] } }, "rules.only"],
      [{ diff: "", more: 1 }, "more"],
      [{ diff: "", files: [{ path: "a.ts" }] }, "files.0.content"],
      [{ diff: "", files: Array.from({ length: 2001 }, () => ({ path: "a", content: "" })) }, "files"],
    ];
    for (const [body, path] of wrong) {
      const answer = await app.request("POST", PATH, { body });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(path);
    }
  });

  it("requires a credential with the scope write", async () => {
    const app = await startApp();
    expect((await app.request("POST", PATH, { body: { diff: DIFF }, key: null })).status).toBe(401);
    const reader = await app.key(["read"]);
    const refused = await app.request("POST", PATH, { body: { diff: DIFF }, key: reader });
    expect([refused.status, refused.body.error]).toEqual([403, "insufficient_scope"]);
  });

  it("reviews more than 10,000 lines while it answers other requests", async () => {
    const app = await startApp();
    const text = Array.from({ length: 12_000 }, (_, index) => `export const value${index} = read(${index});`);
    const big = app.request("POST", PATH, {
      body: { diff: added("src/big.ts", [...text, "debugger;"].join("\n")) },
    });
    const other = await app.request("GET", "/health");
    expect(other.status).toBe(200);
    const { status, body } = await big;
    expect([status, body.summary.addedLines]).toEqual([200, 12_001]);
    expect(body.findings).toMatchObject([{ rule: "debug-leftover", line: 12_001 }]);
  });
});
