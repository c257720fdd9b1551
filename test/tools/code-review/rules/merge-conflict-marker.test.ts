import { expect, it } from "vitest";
import { findingsIn, ruleCases } from "../cases.ts";

const begin = "<".repeat(7);
const middle = "=".repeat(7);
const end = ">".repeat(7);

ruleCases("merge-conflict-marker", {
  javascript: {
    must: [`${begin} HEAD\nconst a = 1;`, `const a = 1;\n${end} feature`],
    mustNot: [`const text = "${begin} HEAD";`, "// =======", "const a = 1 <<< 2;", "a >>>>>>> b"],
  },
  text: {
    file: "README.md",
    must: [`text\n${"|".repeat(7)} base`],
    mustNot: [`Title\n${middle}\n`, `${"<".repeat(8)} quoted`],
  },
});

it("merge-conflict-marker reports every marker, as an error even in tests", () => {
  const found = findingsIn("test/app.test.ts", `${begin} HEAD\na\n${middle}\nb\n${end} feature`, {
    rules: { only: ["merge-conflict-marker"] },
  });
  expect(found.map(({ line, severity }) => [line, severity])).toEqual([
    [1, "error"],
    [3, "error"],
    [5, "error"],
  ]);
});

it("merge-conflict-marker only mentions a marker in a text of a test, which tests merging", () => {
  const conflict = `${begin} Ours\na\n${middle}\nb\n${end} Theirs`;
  const severities = (path: string, text: string) =>
    findingsIn(path, text, { rules: { only: ["merge-conflict-marker"] } }).map(({ severity }) => severity);
  expect(severities("merge_test.go", `var text = \`\n${conflict}\n\``)).toEqual(["info", "info", "info"]);
  expect(severities("merge.go", `var text = \`\n${conflict}\n\``)).toEqual(["error", "error", "error"]);
  expect(severities("merge_test.go", `var text = \`text\n${begin} Ours\ntext\``)).toEqual(["info"]);
  expect(severities("merge_test.go", `var text = \`a\`\n${conflict}\nvar b = \`c\``)).toEqual([
    "error",
    "error",
    "error",
  ]);
});
