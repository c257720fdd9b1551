import { describe, expect, it } from "vitest";
import { diagnosticOf, type Severity } from "../../../../src/tools/self-healing/diagnostics/diagnostic.ts";
import { fileHeadings } from "../../../../src/tools/self-healing/diagnostics/file-headings.ts";

/** Formats a finding as `file:line:column severity code | message`, without missing parts. */
function shown(log: string, index: number, level?: Severity): string | undefined {
  const lines = log.split("\n");
  const found = diagnosticOf(lines[index] as string, (offset) => lines[index + offset], {
    level,
    heading: () => fileHeadings((at) => lines[at]).above(index),
  });
  if (!found) return undefined;
  const { file, line, column, severity, code, message } = found;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${[place, severity, code].filter((part) => part !== undefined).join(" ")} | ${message}`;
}

const LINES: [line: string, finding: string][] = [
  ["src/cart.c:12:5: error: expected ';'", "src/cart.c:12:5 error | expected ';'"],
  ["cart.c:12:5: fatal error: tax.h: No such file", "cart.c:12:5 error | tax.h: No such file"],
  ["cart.c:12:5: warning: unused 'a' [-Wunused]", "cart.c:12:5 warning -Wunused | unused 'a' [-Wunused]"],
  ["cart.c:12:5: note: declared here", "cart.c:12:5 info | declared here"],
  ["src/Cart.java:12: error: cannot find symbol", "src/Cart.java:12 error | cannot find symbol"],
  ["/b/Cart.java:[12,5] cannot find symbol", "/b/Cart.java:12:5 | cannot find symbol"],
  ["/b/Cart.java:[12,5] error: no", "/b/Cart.java:12:5 error | no"],
  ["src/cart.ts(12,5): error TS2322: Type 'a'", "src/cart.ts:12:5 error TS2322 | Type 'a'"],
  ["cart.ts(12, 5): warning CS-1: no", "cart.ts:12:5 warning CS-1 | no"],
  ["  3>C:\\src\\cart.cpp(12): error C2143: no", "C:\\src\\cart.cpp:12 error C2143 | no"],
  ["cart.cs(12,5,12,9): error CS1002: ; expected", "cart.cs:12:5 error CS1002 | ; expected"],
  ["cart.ts(12,5) : it is wrong", "cart.ts:12:5 | it is wrong"],
  ["ERROR: src/cart.ts[12, 5]: no semicolon", "src/cart.ts:12:5 error | no semicolon"],
  ["src/cart.ts[12,5]: no semicolon", "src/cart.ts:12:5 | no semicolon"],
  ["/a/b.js: line 12, col 5, Warning - x", "/a/b.js:12:5 warning | x"],
  ["build.sh: line 12: tsup: command not found", "build.sh:12 | tsup: command not found"],
  ["[cart.proto:12:5] no name", "cart.proto:12:5 | no name"],
  ["src/cart.ts:12:5 - error TS2322: Type", "src/cart.ts:12:5 error TS2322 | Type"],
  ["vet: ./cart.go:12:5: undefined: tax", "./cart.go:12:5 | undefined: tax"],
  ["e: file:///app/Cart.kt:12:5 Unresolved", "/app/Cart.kt:12:5 | Unresolved"],
  ["e: file:///D:/app/Cart.kt:12:5 Unresolved", "D:/app/Cart.kt:12:5 | Unresolved"],
  ["C:\\app\\Shop.csproj : error NU1101: Unable", "C:\\app\\Shop.csproj error NU1101 | Unable"],
  ["w: Cart.kt:12:5: unused", "Cart.kt:12:5 | unused"],
  ["Error: cart.less:12 no such mixin", "cart.less:12 | no such mixin"],
  ["error:cart.rb:12: no", "cart.rb:12 | no"],
  ["cart.f90:12:5-9: no", "cart.f90:12:5 | no"],
  ["cart.hs:12:5-13:9: error: no", "cart.hs:12:5 error | no"],
  ["./cart.py:12:5: F401 'sys' unused", "./cart.py:12:5 F401 | F401 'sys' unused"],
  ["cart.py:12: error: Wrong  [assignment]", "cart.py:12 error assignment | Wrong  [assignment]"],
  ["cart.go:12:5: unused (deadcode)", "cart.go:12:5 deadcode | unused (deadcode)"],
  ["cart.sh:12:5: warning: quote this [SC2086]", "cart.sh:12:5 warning SC2086 | quote this [SC2086]"],
  ["cart.rb:12:5: [E0602] no such name", "cart.rb:12:5 E0602 | [E0602] no such name"],
  ["Gemfile:12:5: C: Extra blank line.", "Gemfile:12:5 | Extra blank line."],
  ["a.yml:12:5: [error] too many", "a.yml:12:5 error | too many"],
  ["a.haml:12 [W] LineLength: long", "a.haml:12 | LineLength: long"],
  ["bin/console:12:5: [W]: Useless.", "bin/console:12:5 | Useless."],
  ["bin/console:12:5: nothing here", "bin/console:12:5 | nothing here"],
  ["CMakeLists.txt:12: no", "CMakeLists.txt:12 | no"],
  ["BUILD:12:5: no", "BUILD:12:5 | no"],
  ['[!] RollupError: a.mjs (12:5): "x" is not exported', 'a.mjs:12:5 | "x" is not exported'],
  ["a.mjs (12:5) unexpected", "a.mjs:12:5 | unexpected"],
  ["SyntaxError: /app/a.js: Unexpected token (12:5)", "/app/a.js:12:5 | Unexpected token"],
  ["a.js: Unexpected (1 of 2) token (12:5)", "a.js:12:5 | Unexpected (1 of 2) token"],
  ["cart.pp - WARNING: tab found on line 12", "cart.pp:12 warning | tab found"],
  ["  error - lib/a.dart:12:5 - No x. - y", "lib/a.dart:12:5 error | No x. - y"],
  ["   info • No x • lib/a.dart:12:5 • y", "lib/a.dart:12:5 info | No x"],
  ["syntax error at lib/Cart.pm line 12, near x", "lib/Cart.pm:12 | syntax error"],
  ["Can't locate A.pm at t/cart.t line 3.", "t/cart.t:3 | Can't locate A.pm"],
  ["Global symbol x at a.pl line 1.", "a.pl:1 | Global symbol x"],
  ["warning file=a/Cart.scala message=Too long line=12 column=5", "a/Cart.scala:12:5 warning | Too long"],
  ["error file=Cart.scala message=No newline", "Cart.scala error | No newline"],
  ["PHP Parse error:  no in /app/a.php on line 12", "/app/a.php:12 | PHP Parse error:  no"],
  ["Fatal error: no in a.php:12", "a.php:12 | Fatal error: no"],
  ["cart.php    12    Missing doc", "cart.php:12 | Missing doc"],
  ["error: cannot format shop/cart.py: Cannot parse: 12:5: x", "shop/cart.py:12:5 error | cannot format"],
  ["error: cannot format cart.py: no", "cart.py error | cannot format"],
  ["would reformat shop/cart.py", "shop/cart.py | would reformat"],
  ["Would reformat: cart.py", "cart.py | Would reformat:"],
  [
    "ERROR: /app/cart.py Imports are incorrectly sorted",
    "/app/cart.py error | Imports are incorrectly sorted",
  ],
  ["CMake Warning (dev) at src/a.cmake:12 (message):", "src/a.cmake:12 warning | (message):"],
  ["cart.py:12: DeprecationWarning: old", "cart.py:12 warning | DeprecationWarning: old"],
  ["Makefile:12: *** missing separator.  Stop.", "Makefile:12 | *** missing separator.  Stop."],
];

describe("diagnosticOf()", () => {
  it.each(LINES)("reads a finding from %s", (line, finding) => expect(shown(line, 0)).toBe(finding));

  it("does not read a finding from the middle of a line", () => {
    // Text before a path may be part of the path, or a word of the tool.
    const alike = LINES.filter(([line, finding]) => shown(`It said: ${line}`, 0) === finding);
    expect(alike).toEqual([]);
  });

  it.each([
    [
      "cart.py:12 in public function `total`:\n   D100: Missing docstring",
      0,
      "cart.py:12 D100 | D100: Missing docstring",
    ],
    ["cart.py:12 at module level:\n   D100: Missing", 0, "cart.py:12 D100 | D100: Missing"],
    [
      "/app/cart.js\n  1:7   error    unused  no-unused-vars",
      1,
      "/app/cart.js:1:7 error no-unused-vars | unused  no-unused-vars",
    ],
    ["/app/cart.js\n  x\n 20:1  warning  no", 2, "/app/cart.js:20:1 warning | no"],
    ["  cart.css -- 2 warnings:\n  1:10  ✖  no", 1, "cart.css:1:10 error | no"],
    ["cart.css\n  1:10  ⚠  no", 1, "cart.css:1:10 warning | no"],
    ["cart.css\n  1:10  ℹ  no", 1, "cart.css:1:10 info | no"],
    ["cart.css\n\n  1:10  ✖  no", 1, undefined],
    ["cart.css\nand so on\n  1:10  ✖  no", 2, undefined],
    ["  1:10  ✖  no", 0, undefined],
    ["cart.css\n1:10  error  no", 1, undefined],
    ["Cart.scala:12: error: no\n  total\n  ^", 0, "Cart.scala:12:3 error | no"],
    ["Cart.java:12: error: no\n  a\n  b\n  c\n  d\n  e\n ^", 0, "Cart.java:12:2 error | no"],
    ["Cart.java:12: error: no\n  a\n  b\n  c\n  d\n  e\n  f\n ^", 0, "Cart.java:12 error | no"],
    ["Cart.java:12:5: error: no\n  total\n  ^", 0, "Cart.java:12:5 error | no"],
    ["cart.rs:12: error: no\n12 | total\n  ^", 0, "cart.rs:12 error | no"],
    ["cart.rs:12: error: no\n | total\n  ^", 0, "cart.rs:12 error | no"],
    ["Cart.java:12: error: no\na || b\n  ^", 0, "Cart.java:12:3 error | no"],
    ["Cart.java:12: error: no\na\n  ^^", 0, "Cart.java:12 error | no"],
    ["warning: unused\n  lib/a.ex:12: Shop.x", 1, "lib/a.ex:12 warning | Shop.x"],
    ["warning: unused\nlib/a.ex:12: Shop.x", 1, "lib/a.ex:12 | Shop.x"],
  ])("reads a finding with the lines around it: %j", (log, index, finding) => {
    expect(shown(log, index)).toBe(finding);
  });

  it("takes the severity of the line's prefix if the finding names none", () => {
    expect(shown("cart.ts:12:5: no", 0, "warning")).toBe("cart.ts:12:5 warning | no");
    expect(shown("cart.ts:12:5: error: no", 0, "warning")).toBe("cart.ts:12:5 error | no");
    expect(shown("src/cart.md: no heading", 0, "error")).toBe("src/cart.md error | no heading");
    expect(shown("src/cart.md: no heading", 0)).toBeUndefined();
    expect(shown("cart.md: no heading", 0, "error")).toBeUndefined();
  });

  it.each([
    "12:30:45 starting",
    "registry.acme.org:443 refused",
    "localhost.localdomain.test:80: no",
    "build.internal:8080: no",
    "ghcr.io/acme/shop:12 pulled",
    "http://127.0.0.1:8080/cart answered",
    "compiled 12:5 of it",
    "v1.2:3: released",
    "see cart for more: it is there",
    "cart:12:5: no",
    "would reform cart.py",
    "cart.php  line  12",
    "cart.ts(12,5) no",
  ])("finds nothing in %s", (line) => expect(shown(line, 0)).toBeUndefined());
});
