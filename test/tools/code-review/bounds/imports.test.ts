import { describe, expect, it } from "vitest";
import { review } from "../../../../src/tools/code-review/review.ts";
import { added } from "../cases.ts";

const each = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describe("a review with the imports of many files", () => {
  // Minutes, if each function of a file looked at all files that import it anew.
  it("ends in time where all of them hand on what others export, to each other too", () => {
    const paths = each(400, (at) => `d${at}/index.ts`);
    const among = paths.map((path, at) => [`x${at}`, path]);
    const imports = Object.fromEntries(
      paths.map((path) => [path, Object.fromEntries([["../core", "core.ts"], ...among])]),
    );
    const functions = each(1000, (at) => `export function run${at}(a) { eval(a) }`).join("\n");
    const { summary } = review({ diff: added("core.ts", functions), imports });
    expect(summary.bySeverity.error + summary.bySeverity.warning).toBe(1000);
  });

  it("follows the arguments of the first hundred calls of functions in unchanged files", () => {
    const found = (others: number) =>
      review({
        diff: added(
          "a.ts",
          `import { keep, run } from "./b";\n${"keep(one);\n".repeat(others)}app.get((req) => run(req.query.a));`,
        ),
        files: [
          { path: "b.ts", content: "export function keep() {}\nexport function run(code) { eval(code) }" },
        ],
        imports: { "a.ts": { "./b": "b.ts" } },
      }).findings.length;
    expect([found(99), found(100)]).toEqual([1, 0]);
  });

  it("ends in time where files export everything of each other", () => {
    const paths = each(4, (at) => `r${at}.ts`);
    const all = Object.fromEntries(paths.map((path) => [`./${path}`, path]));
    const text = paths.map((path) => `export * from "./${path}";\n`).join("");
    const calls = each(20, (at) => `app.get((req) => all.run${at}(req.query.a));`).join("\n");
    const { findings } = review({
      diff: added("a.ts", `import * as all from "./r0.ts";\n${calls}`),
      files: paths.map((path) => ({ path, content: text.repeat(30) })),
      imports: Object.fromEntries(["a.ts", ...paths].map((path) => [path, all])),
    });
    expect(findings).toEqual([]);
  });

  it("ends in time where a file exports an object of many functions", () => {
    const functions = each(8000, (at) => `run${at}(a) { eval(a) },`).join("\n");
    const calls = each(8000, (at) => `app.get((req) => all.run${7999 - at}(req.query.a));`).join("\n");
    const { summary } = review({
      diff: added("a.ts", `import all from "./all";\n${calls}`),
      files: [{ path: "all.ts", content: `export default {\n${functions}\n};` }],
      imports: { "a.ts": { "./all": "all.ts" } },
    });
    expect(summary.bySeverity.error).toBe(8000);
  });

  it("ends in time where large files import one of many functions", () => {
    const functions = each(4000, (at) => `export function run${at}(a) { eval(a) }`).join("\n");
    const paths = each(50, (at) => `a${at}.ts`);
    const { summary } = review({
      diff: added("all.ts", functions),
      files: paths.map((path) => ({
        path,
        content: "// run run run run run run run run run run\n".repeat(10_000),
      })),
      imports: Object.fromEntries(paths.map((path) => [path, { "./all": "all.ts" }])),
    });
    expect(summary.bySeverity).toMatchObject({ error: 0, warning: 4000 });
  });

  it("leaves a file of more than 1 MiB out of account", () => {
    const found = (length: number) =>
      review({
        diff: added("a.ts", `import { run } from "./b";\napp.get((req) => run(req.query.a));`),
        files: [{ path: "b.ts", content: "export function run(a) { eval(a) }".padEnd(length, "\n") }],
        imports: { "a.ts": { "./b": "b.ts" } },
      }).findings.length;
    expect([found(1 << 20), found((1 << 20) + 1)]).toEqual([1, 0]);
  });

  it("finds a caller among files that are too large to be kept read together", () => {
    const filler = "// run\n".repeat(130_000);
    const importing = `import { run } from "./b";\n`;
    const texts = {
      "b.ts": `export function run(a) {\n  eval(a);\n}\n${filler}`,
      "0.ts": importing + filler,
      "1.ts": importing + filler,
      "a.ts": `${importing}app.get((req) => run(req.query.a));\n${filler}`,
    };
    const { findings } = review({
      diff: added("b.ts", texts["b.ts"]),
      files: Object.entries(texts).map(([path, content]) => ({ path, content })),
      imports: Object.fromEntries(["0.ts", "1.ts", "a.ts"].map((path) => [path, { "./b": "b.ts" }])),
    });
    expect(findings).toMatchObject([{ severity: "error", file: "b.ts", line: 2 }]);
  });
});
