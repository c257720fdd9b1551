import { describe, expect, it } from "vitest";
import {
  type Diagnostic,
  diagnosticOf,
  placeBelow,
} from "../../../src/tools/self-healing/diagnostics/diagnostic.ts";
import { fileHeadings } from "../../../src/tools/self-healing/diagnostics/file-headings.ts";

/** Returns the finding of a line, by default the first. */
function found(log: string, index = 0): Diagnostic | undefined {
  const lines = log.split("\n");
  return diagnosticOf(lines[index] as string, (offset) => lines[index + offset], {
    heading: () => fileHeadings((at) => lines[at]).above(index),
  });
}

describe("a finding in a file", () => {
  it.each<[string, string, Partial<Diagnostic>]>([
    [
      "GCC",
      "src/cart.c:12:5: error: expected ';'",
      { file: "src/cart.c", line: 12, column: 5, severity: "error" },
    ],
    ["javac", "src/Cart.java:12: error: cannot find symbol", { file: "src/Cart.java", line: 12 }],
    [
      "javac under Maven",
      "/b/src/Cart.java:[12,5] cannot find symbol",
      { file: "/b/src/Cart.java", line: 12, column: 5 },
    ],
    [
      "tsc",
      "src/cart.ts(12,5): error TS2322: Type 'a'",
      { line: 12, column: 5, code: "TS2322", message: "Type 'a'" },
    ],
    [
      "tsc, pretty",
      "src/cart.ts:12:5 - error TS2322: Type 'a'",
      { line: 12, column: 5, code: "TS2322", severity: "error" },
    ],
    [
      "MSVC",
      "C:\\src\\cart.cpp(12): error C2143: syntax error",
      { file: "C:\\src\\cart.cpp", line: 12, code: "C2143" },
    ],
    [
      "MSBuild under a path with brackets",
      "C:\\Program Files (x86)\\a.targets(12,5): warning MSB3884: x",
      { file: "C:\\Program Files (x86)\\a.targets", severity: "warning" },
    ],
    [
      "Flake8",
      "./cart.py:12:5: F401 'sys' imported but unused",
      { file: "./cart.py", line: 12, code: "F401" },
    ],
    [
      "mypy",
      "cart.py:12: error: Incompatible types  [assignment]",
      { line: 12, severity: "error", code: "assignment" },
    ],
    [
      "RuboCop",
      "Gemfile:12:5: C: Extra blank line.",
      { file: "Gemfile", line: 12, message: "Extra blank line." },
    ],
    ["RuboCop, no extension", "bin/console:12:5: W: Useless.", { file: "bin/console", line: 12, column: 5 }],
    ["golangci-lint", "cart.go:12:5: unused (deadcode)", { file: "cart.go", line: 12, code: "deadcode" }],
    [
      "kotlinc",
      "e: file:///app/Cart.kt:12:5 Unresolved reference: tax",
      { file: "/app/Cart.kt", line: 12, column: 5 },
    ],
    [
      "yamllint",
      "a.yml:12:5: [error] too many blank lines",
      { line: 12, severity: "error", message: "too many blank lines" },
    ],
    [
      "ESLint, compact",
      "/a/b.js: line 12, col 5, Error - x is unused.",
      { file: "/a/b.js", line: 12, column: 5, severity: "error" },
    ],
    [
      "bash",
      "build.sh: line 12: tsup: command not found",
      { file: "build.sh", line: 12, message: "tsup: command not found" },
    ],
    ["Rollup", '[!] RollupError: a.mjs (12:5): "x" is not exported', { file: "a.mjs", line: 12, column: 5 }],
    [
      "Babel",
      "SyntaxError: /app/a.js: Unexpected token (12:5)",
      { file: "/app/a.js", line: 12, column: 5, message: "Unexpected token" },
    ],
    ["PHP", "PHP Parse error:  syntax error in /app/a.php on line 12", { file: "/app/a.php", line: 12 }],
    [
      "CMake",
      "CMake Error at CMakeLists.txt:12 (message):",
      { file: "CMakeLists.txt", line: 12, severity: "error" },
    ],
    ["black", "would reformat shop/cart.py", { file: "shop/cart.py", message: "would reformat" }],
    [
      "HAML-Lint",
      "a.html.haml:12 [W] LineLength: too long",
      { line: 12, severity: undefined, message: "LineLength: too long" },
    ],
  ])("is read from the output of %s", (_, line, expected) => {
    const finding = found(line);
    for (const [key, value] of Object.entries(expected)) {
      expect([key, finding?.[key as keyof Diagnostic]]).toEqual([key, value]);
    }
  });

  it("takes its file from the heading above", () => {
    const log =
      "/app/cart.js\n  1:7   error    'a' is unused  no-unused-vars\n  20:1  warning  console  no-console";
    expect(found(log, 1)).toMatchObject({ file: "/app/cart.js", line: 1, column: 7, severity: "error" });
    expect(found(log, 2)).toMatchObject({ file: "/app/cart.js", line: 20, column: 1, severity: "warning" });
  });

  it("takes its column from the marker below, and its code and message from the next line", () => {
    const log = "Cart.scala:12: error: missing argument\n  total\n  ^";
    expect(found(log)).toMatchObject({ line: 12, column: 3 });
    expect(found("cart.py:12 in public function `total`:\n        D100: Missing docstring")).toMatchObject({
      file: "cart.py",
      line: 12,
      code: "D100",
      message: "D100: Missing docstring",
    });
  });

  it.each([
    ["a time", "12:30:45 starting"],
    ["a host and its port", "registry.acme.org:443 refused"],
    ["an image and its tag", "ghcr.io/acme/shop:12 pulled"],
    ["an address", "http://127.0.0.1:8080/cart answered"],
    ["a ratio", "compiled 12:5 of it"],
    ["prose", "see cart for more: it is there"],
  ])("is not read from %s", (_, line) => {
    expect(found(line)).toBeUndefined();
  });

  it("may have its place below its message", () => {
    const lines = ["error[E0308]: mismatched types", "  --> src/cart.rs:12:5", "   |"];
    expect(placeBelow((offset) => lines[offset])).toEqual({ file: "src/cart.rs", line: 12, column: 5 });
    const esbuild = ['✘ [ERROR] Could not resolve "./x"', "", "    src/cart.ts:12:5:"];
    expect(placeBelow((offset) => esbuild[offset])).toEqual({ file: "src/cart.ts", line: 12, column: 5 });
  });
});
