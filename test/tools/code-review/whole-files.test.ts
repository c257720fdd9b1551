import { describe, expect, it } from "vitest";
import { review } from "../../../src/tools/code-review/review.ts";

const PATH = "app.py";
const CONTENT = [
  "from flask import request",
  "",
  "def orders():",
  '    name = request.args["name"]',
  ...Array.from({ length: 10 }, (_, index) => `    step${index}()`),
  "    os.system(name)",
  "    eval(other)",
  "",
].join("\n");
/** A diff that adds the line of `os.system`, with the lines around it as context. */
const DIFF = `--- a/${PATH}\n+++ b/${PATH}\n@@ -14,2 +14,3 @@\n     step9()\n+    os.system(name)\n     eval(other)\n`;

const found = (files?: { path: string; content: string }[]) =>
  review({ diff: DIFF, files }).findings.map(({ rule, line, severity }) => [rule, line, severity]);

describe("whole files given with a diff", () => {
  it("show where a value comes from, while only added lines are reported", () => {
    expect(found()).toEqual([["command-injection", 15, "warning"]]);
    expect(found([{ path: PATH, content: CONTENT }])).toEqual([["command-injection", 15, "error"]]);
  });

  it("may have other line endings than the diff", () => {
    expect(found([{ path: PATH, content: CONTENT.replaceAll("\n", "\r\n") }])).toEqual([
      ["command-injection", 15, "error"],
    ]);
  });

  it("are ignored if they do not match the diff or are too large", () => {
    const hunkAlone = found();
    expect(found([{ path: "other.py", content: CONTENT }])).toEqual(hunkAlone);
    expect(found([{ path: PATH, content: CONTENT.replace("step9", "step8") }])).toEqual(hunkAlone);
    expect(found([{ path: PATH, content: "" }])).toEqual(hunkAlone);
    expect(found([{ path: PATH, content: `${CONTENT}${"#".repeat(1 << 20)}` }])).toEqual(hunkAlone);
  });

  it("reveal calls of a changed function outside the diff", () => {
    const content = 'def run(value):\n    os.system(value)\n\n\n\nrun(request.args["n"])\n';
    const diff = `--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n def run(value):\n+    os.system(value)\n`;
    const [alone] = review({ diff }).findings;
    const [whole] = review({ diff, files: [{ path: "a.py", content }] }).findings;
    expect([alone?.message, whole?.message]).toEqual([
      "system() runs a command that holds a parameter.",
      "system() runs a command that holds what a client sends.",
    ]);
  });
});
