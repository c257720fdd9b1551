import { describe, expect, it } from "vitest";
import { review } from "../../../src/tools/code-review/review.ts";
import { added, findingsIn } from "./cases.ts";

const EVAL = "eval(req.query.code);";

describe("review()", () => {
  it.each(["constructor", "a.constructor", "src/__proto__", "a.__proto__"])(
    "reads a file called %s",
    (path) => {
      const findings = findingsIn(path, `token = "${"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}"`);
      expect(findings.map(({ rule }) => rule)).toEqual(["hardcoded-secret"]);
    },
  );

  it("reports only added lines, but judges them in their context", () => {
    const diff = [
      "--- a/app.ts",
      "+++ b/app.ts",
      "@@ -1,4 +1,4 @@",
      " import { exec } from 'node:child_process';",
      " export function run(name) {",
      "-  exec('ls');",
      "+  exec(`ls ${name}`);",
      "   eval(name);",
      " }",
      "",
    ].join("\n");
    const { findings } = review({ diff });
    expect(findings.map(({ rule, line, column }) => [rule, line, column])).toEqual([
      ["command-injection", 3, 3],
    ]);
  });

  it("counts files, lines and findings, and lists skipped files with their reasons", () => {
    const diff = `${added("a.ts", `${EVAL}\nconst b = 1;`)}diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\ndiff --git a/c b/d\nsimilarity index 100%\nrename from c\nrename to d\ndiff --git a/e b/e\ndeleted file mode 100644\n--- a/e\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;
    const { summary, rules } = review({ diff });
    expect(summary).toEqual({
      files: 4,
      skipped: [
        { file: "b.png", reason: "binary" },
        { file: "d", reason: "renamed without added lines" },
        { file: "e", reason: "deleted" },
      ],
      littleRead: [],
      addedLines: 2,
      bySeverity: { error: 1, warning: 0, info: 0 },
      suppressed: 0,
      score: 80,
    });
    expect(rules).toBe(17);
  });

  it("lists submodules as skipped, since the diff says nothing of what changed in them", () => {
    const [before, after] = ["a".repeat(40), "b".repeat(40)];
    const moved = (to: string) =>
      review({
        diff: `diff --git a/lib b/lib\nindex aaaaaaa..bbbbbbb 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit ${before}\n+Subproject commit ${to}\n`,
      }).summary;
    for (const to of [after, `${before}-dirty`])
      expect(moved(to)).toMatchObject({ addedLines: 0, skipped: [{ file: "lib", reason: "submodule" }] });
    expect(review({ diff: added("a.md", "Subproject commit of ours") }).summary.skipped).toEqual([]);
  });

  it("reports nothing for strings that equal keywords", () => {
    expect(findingsIn("a.ts", 'f(a === "new" ? "await" : "new");\nx = y === "new";')).toEqual([]);
  });

  it("returns no findings for an empty diff", () => {
    expect(review({ diff: "" })).toMatchObject({ findings: [], summary: { files: 0, score: 100 } });
  });

  it("filters by rules.only, rules.except and minSeverity", () => {
    const text = `${EVAL}\nif (a == b) run(); // TODO: later`;
    const rules = (options: object) => findingsIn("a.ts", text, options).map(({ rule }) => rule);
    expect(rules({})).toEqual(["code-evaluation", "loose-equality", "unresolved-todo"]);
    expect(
      rules({ rules: { only: ["loose-equality", "code-evaluation"], except: ["code-evaluation"] } }),
    ).toEqual(["loose-equality"]);
    expect(rules({ rules: { except: ["unresolved-todo", "loose-equality"] } })).toEqual(["code-evaluation"]);
    expect(rules({ minSeverity: "error" })).toEqual(["code-evaluation"]);
    expect(rules({ rules: { only: [] } })).toEqual([]);
  });

  it("returns the 1,000 most severe findings in diff order, and counts all", () => {
    const text = [...Array.from({ length: 1500 }, (_, index) => `// TODO: mend ${index}`), EVAL].join("\n");
    const { findings, summary } = review({ diff: added("a.ts", text) });
    expect(findings).toHaveLength(1000);
    expect(findings.at(-1)).toMatchObject({ rule: "code-evaluation", line: 1501 });
    expect(summary.bySeverity).toEqual({ error: 1, warning: 0, info: 1500 });
    expect(summary.score).toBe(0);
  });

  it.each([
    "test/a.ts",
    "src/a.spec.ts",
    "vendor/a.ts",
    "examples/a.ts",
    "src/__fixtures__/../fixtures/a.ts",
  ])("lowers the severity in %s, but keeps the finding", (path) => {
    expect(findingsIn(path, EVAL).map(({ severity }) => severity)).toEqual(["warning"]);
    expect(findingsIn("src/a.ts", EVAL).map(({ severity }) => severity)).toEqual(["error"]);
  });

  it("masks a secret in the snippets of all findings", () => {
    const secret = ["Zq8", "Rt5vK2", "mN9xW4", "yL7pJ1sD"].join("");
    const { findings } = review({ diff: added("a.ts", `const apiSecret = "${secret}"; eval(req.query.x);`) });
    expect(findings.map(({ rule }) => rule)).toEqual(["hardcoded-secret", "code-evaluation"]);
    expect(JSON.stringify(findings)).not.toContain(secret);
    expect(findings[0]?.snippet).toBe('const apiSecret = "Zq8R****"; eval(req.query.x);');
  });
});

describe("tool-ignore", () => {
  it.each([
    [`${EVAL} // tool-ignore code-evaluation: it is ours`, 1],
    [`// tool-ignore code-evaluation: it is ours\n${EVAL}`, 1],
    [`// tool-ignore sql-injection, code-evaluation: both\n${EVAL}`, 1],
    [`// tool-ignore code-evaluation\n${EVAL}`, 0],
    [`// tool-ignore code-evaluation:\n${EVAL}`, 0],
    [`// tool-ignore sql-injection: another\n${EVAL}`, 0],
    [`// tool-ignore code-evaluation: too far\n\n${EVAL}`, 0],
  ])("suppresses a finding only with its rule and a reason, on or above its line: %s", (text, suppressed) => {
    const { findings, summary } = review({ diff: added("a.ts", text) });
    expect([findings.length, summary.suppressed]).toEqual([1 - suppressed, suppressed]);
  });
});

describe("fingerprints", () => {
  const prints = (path: string, text: string) => findingsIn(path, text).map(({ fingerprint }) => fingerprint);

  it("stay the same when lines are added above or the indentation changes", () => {
    const before = prints("a.ts", EVAL);
    expect(prints("a.ts", `const a = 1;\n\n{\n    ${EVAL}\n}`)).toEqual(before);
    expect(before[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("differ by file, rule, text and repetition", () => {
    const all = [
      ...prints("a.ts", `${EVAL}\n${EVAL}`),
      ...prints("b.ts", EVAL),
      ...prints("a.ts", "eval(req.query.other);"),
      ...prints("a.ts", `${EVAL} // TODO: x`),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
