import { describe, expect, it } from "vitest";
import { review } from "../../../src/tools/code-review/review.ts";
import { added } from "./cases.ts";

const littleReadOf = (paths: string[], options = {}) =>
  review({ diff: paths.map((path) => added(path, "x = 1")).join(""), ...options }).summary.littleRead;

describe("summary.littleRead", () => {
  it("counts files in languages that most rules do not know, most files first", () => {
    expect(
      littleReadOf([
        "lib/a.ex",
        "lib/b.exs",
        "App.swift",
        "lib/main.dart",
        "notes.ipynb",
        "lib/c.dart",
        "a.py",
      ]),
    ).toEqual([
      { language: "Dart", files: 2 },
      { language: "Elixir", files: 2 },
      { language: "Jupyter notebooks", files: 1 },
      { language: "Swift", files: 1 },
    ]);
  });

  it("leaves out settings, styles, documents and all that the rules know", () => {
    const paths = [
      "a.ts",
      "a.kt",
      "a.ps1",
      "a.vb",
      "a.css",
      "a.proto",
      "a.tf",
      "a.md",
      "Makefile",
      "a.unheard",
    ];
    expect(littleReadOf(paths)).toEqual([]);
  });

  it("leaves out files of which nothing is reviewed", () => {
    const deleted =
      "diff --git a/a.ex b/a.ex\ndeleted file mode 100644\n--- a/a.ex\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    expect(review({ diff: deleted }).summary.littleRead).toEqual([]);
  });

  it("is empty if all rules that were asked for know the language", () => {
    expect(littleReadOf(["a.ex"], { rules: { only: ["hardcoded-secret", "unresolved-todo"] } })).toEqual([]);
    expect(littleReadOf(["a.ex"], { rules: { only: ["hardcoded-secret", "sql-injection"] } })).toHaveLength(
      1,
    );
    // It looks for scripts from the network there, and for nothing else.
    expect(littleReadOf(["a.ex"], { rules: { only: ["code-evaluation"] } })).toHaveLength(1);
  });
});
