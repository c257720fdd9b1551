import { describe, expect, it } from "vitest";
import { pathOfGitLine } from "../../../../src/tools/code-review/diff/header.ts";
import { parseDiff } from "../../../../src/tools/code-review/diff/parse.ts";
import { readQuotedPath } from "../../../../src/tools/code-review/diff/quoted-path.ts";
import { RULES } from "../../../../src/tools/code-review/rules.ts";
import { reviewAsSarif } from "../../../../src/tools/code-review/sarif.ts";
import { added } from "../cases.ts";

describe("a SARIF log", () => {
  const run = (diff: string) => reviewAsSarif({ diff }).runs[0];

  it("describes each rule by category, CWE, message, help, level and security severity", () => {
    const rules = run("")?.tool.driver.rules ?? [];
    for (const [index, { category, cwe, severity, message, suggestion }] of RULES.entries()) {
      const rule = rules[index];
      const [first, ...more] = rule?.properties.tags ?? [];
      expect([first, rule?.shortDescription.text, rule?.help.text]).toEqual([category, message, suggestion]);
      expect(more).toEqual(cwe === undefined ? [] : [expect.stringMatching(/^external\/cwe\/cwe-\d{3,4}$/)]);
      expect(more.map((tag) => Number(tag.split("-")[1]))).toEqual(cwe === undefined ? [] : [cwe]);
      const scale = { error: "8.5", warning: "6.0", info: "3.0" }[severity];
      const measured = Object(rule?.properties)["security-severity"];
      expect(measured).toBe(category === "security" ? scale : undefined);
      expect(rule?.defaultConfiguration.level).toBe(severity === "info" ? "note" : severity);
    }
    expect(rules.map(({ name }) => name)).toContain("SqlInjection");
  });

  it("gives each finding its advice, location and level", () => {
    const { results = [], properties } =
      run(added("src/a.ts", "b();\n  if (c == d) eval(req.query.e);")) ?? {};
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ["loose-equality", "note"],
      ["code-evaluation", "error"],
    ]);
    expect(results[0]?.message.text).toMatch(/^== converts its operands .+ Compare with === /);
    expect(results[0]?.locations[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: "src/a.ts", uriBaseId: "%SRCROOT%" },
      region: { startLine: 2, startColumn: 9 },
    });
    expect(properties?.summary).toMatchObject({ files: 1, addedLines: 2 });
  });
});

describe("pathOfGitLine()", () => {
  it.each([
    ["a/src/b.ts b/src/b.ts", "src/b.ts"],
    ["a/b c.ts b/b c.ts", "b c.ts"],
    ["a/b b/b b/b b/b", "b b/b"],
    ["b.ts b.ts", "b.ts"],
    ["a/old.ts b/new.ts", "new.ts"],
    ["a/o.ts b/n.ts", "n.ts"],
    ["old.ts new.ts", "new.ts"],
    ['"a/\\303\\251.ts" "b/\\303\\251.ts"', "é.ts"],
    ['a/b.ts "b/\\303\\251.ts"', "é.ts"],
    ["i/b.ts w/b.ts", "b.ts"],
    ["1/b.ts 2/b.ts", "b.ts"],
    ["x/b.ts y/b.ts", "y/b.ts"],
  ])("reads the path from %s", (line, path) => expect(pathOfGitLine(line)).toBe(path));
});

describe("readQuotedPath()", () => {
  it.each([
    ['"a b"', "a b"],
    ['"a\\tb\\nc"', "a\tb\nc"],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['"\\346\\227\\245.ts"', "日.ts"],
    ['"a\\t日😀.ts"', "a\t日😀.ts"],
    ['"a" "b"', "a"],
  ])("reads %s as %s", (quoted, path) => expect(readQuotedPath(quoted)).toBe(path));
});

describe("a change without hunks", () => {
  const read = (...lines: string[]) =>
    parseDiff(`${lines.join("\n")}\n`).map(({ path, kind, binary }) => [path, kind, binary]);

  it.each<[string[], unknown[]]>([
    [
      ["diff --git a/b b/b", "new file mode 100644"],
      ["b", "added", false],
    ],
    [
      ["diff --git a/b b/b", "deleted file mode 100644"],
      ["b", "deleted", false],
    ],
    [
      ["diff --git a/b b/b", "old mode 100644", "new mode 100755"],
      ["b", "mode", false],
    ],
    [
      ["diff --git a/b b/c", "rename from b", "rename to c"],
      ["c", "renamed", false],
    ],
    [
      ["diff --git a/b b/c", "copy from b", "copy to c"],
      ["c", "copied", false],
    ],
    [
      ["diff --git a/b b/b", "Binary files a/b and b/b differ"],
      ["b", "modified", true],
    ],
    [
      ["diff --git a/b b/b", "GIT binary patch"],
      ["b", "modified", true],
    ],
    [
      ["diff --git a/b b/c", 'rename from "b"', 'rename to "c\\td"'],
      ["c\td", "renamed", false],
    ],
  ])("is parsed with its path and kind: %j", (lines, change) => expect(read(...lines)).toEqual([change]));
});
