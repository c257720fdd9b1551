import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { MAX_READ } from "../../../../src/tools/self-healing/diagnosing/log-lines.ts";
import { isForeign } from "../../../../src/tools/self-healing/diagnosing/own-file.ts";
import * as formats from "../../../../src/tools/self-healing/diagnostics/place-formats.ts";
import { comesToAnEnd, pumpedLines } from "../../../support/pumped.ts";

const placeOf = (...log: string[]) => {
  const { file, line } = diagnose({ log: log.join("\n"), exitCode: 1 }).cause ?? {};
  return `${file}:${line ?? ""}`;
};

describe("the place of a failure", () => {
  it("is read from Elixir's message", () => {
    expect(placeOf("** (CompileError) lib/app.ex:3: undefined function foo/0")).toBe("lib/app.ex:3");
    expect(placeOf("** (SyntaxError) test/app_test.exs:7:12: syntax error before: end")).toBe(
      "test/app_test.exs:7",
    );
  });

  it("is that of the first of Terraform's messages", () => {
    const told = (file: string) => [
      "╷",
      "│ Error: Unsupported argument",
      "│ ",
      `│   on ${file} line 3, in x:`,
      "╵",
    ];
    expect(placeOf(...told("vpc/main.tf"), ...told("main.tf"))).toBe("vpc/main.tf:3");
  });

  it("is read below the name of a test of Pest", () => {
    const log = ["   FAILED  Tests\\CartTest > adds", "  Failed asserting that 1 is 2.", ""];
    expect(placeOf(...log, "  at tests/CartTest.php:33", "    ➜  33▕ expect(1)->toBe(2);")).toBe(
      "tests/CartTest.php:33",
    );
    expect(placeOf(...log, "  at vendor/laravel/src/Http.php:3", "", "  1   tests/CartTest.php:7")).toBe(
      "tests/CartTest.php:7",
    );
  });

  it.each([
    ["TypeError: x is not a function", "    at g (/tmp/shop/cart.js:1:27)", "/tmp/shop/cart.js:1"],
    [
      '  File "/tmp/shop/s.py", line 1',
      "    def f(:",
      "          ^",
      "SyntaxError: invalid syntax",
      "/tmp/shop/s.py:1",
    ],
    ["/tmp/shop/cart.c:3:5: error: expected ';'", "/tmp/shop/cart.c:3"],
    ["TypeError: x is not a function", "    at g (/tmp/other/cart.js:1:27)", "undefined:"],
    ["TypeError: x is not a function", "    at g (/tmp/shop-2/cart.js:1:27)", "undefined:"],
    [
      "TypeError: no",
      "    at a (/tmp/shop/node_modules/a/b.js:1:2)",
      "    at g (/tmp/shop/c.js:2:3)",
      "/tmp/shop/c.js:2",
    ],
  ])("may be below the directory of the build, even a temporary one: %s", (...lines) => {
    const place = lines.pop();
    for (const directory of ["/tmp/shop", "/tmp/shop/"]) {
      const { file, line } = diagnose({ log: lines.join("\n"), exitCode: 1, directory }).cause ?? {};
      expect(`${file}:${line ?? ""}`).toBe(place);
    }
  });

  it("is the user's file that includes a library with a compiler's finding", () => {
    expect(
      placeOf(
        "In file included from /usr/include/c++/12/vector:60,",
        "                 from cart.cpp:1:",
        "/usr/include/c++/12/bits/ops.h:45:23: error: no match for 'operator<'",
      ),
    ).toBe("cart.cpp:1");
  });

  it("is the user's call of a CMake module, unless the module is the user's own", () => {
    const message = [
      "  Could NOT find Boost (missing: Boost_INCLUDE_DIR)",
      "Call Stack (most recent call first):",
    ];
    const found =
      "CMake Error at /usr/share/cmake/Modules/FindPackageHandleStandardArgs.cmake:230 (message):";
    const between = "  /usr/share/cmake/Modules/FindBoost.cmake:2376 (find_package_handle_standard_args)";
    expect(placeOf(found, ...message, between, "  lib/CMakeLists.txt:4 (find_package)")).toBe(
      "lib/CMakeLists.txt:4",
    );
    expect(
      placeOf("CMake Error at cmake/own.cmake:3 (message):", ...message, "  CMakeLists.txt:9 (include)"),
    ).toBe("cmake/own.cmake:3");
  });

  it("is where a fixture or a test method failed in pytest's report", () => {
    const report = (heading: string, frame: string, summary: string) =>
      placeOf(
        `________________ ${heading} ________________`,
        "",
        "E       RuntimeError: no",
        "",
        frame,
        "=== short test summary info ===",
        summary,
      );
    const frame = "tests/conftest.py:4: RuntimeError";
    for (const step of ["setup", "teardown"]) {
      expect(
        report(`ERROR at ${step} of test_a`, frame, "ERROR tests/test_a.py::test_a - RuntimeError: no"),
      ).toBe("tests/conftest.py:4");
    }
    expect(
      report(
        "TestCart.test_total",
        "shop/cart.py:2: KeyError",
        "FAILED tests/test_cart.py::TestCart::test_total - KeyError: 'sum'",
      ),
    ).toBe("shop/cart.py:2");
  });

  it("is the configuration of Biome or Ninja, or the file that is not formatted", () => {
    expect(placeOf("biome.json:1:12 deserialize ━━━━━━", "", "  ✖ Found an unknown key `enabld`.")).toBe(
      "biome.json:1",
    );
    expect(placeOf("src/cart.ts format ━━━━━━", "", "  ✖ File content differs from formatting output")).toBe(
      "src/cart.ts:",
    );
    expect(placeOf("ninja: error: build.ninja:5: multiple rules generate cart.o")).toBe("build.ninja:5");
  });

  it("is the project's own frame in output of Node, pytest, Mocha and Python", () => {
    const missing = "Error: ENOENT: no such file or directory, open '/app/shop.json'";
    expect(
      placeOf(missing, "    at readFileSync (node:fs:448:20)", "    at load (/home/dev/app/load.js:6:24)"),
    ).toBe("/home/dev/app/load.js:6");
    expect(
      placeOf(
        "test_tax.py:1: in <module>",
        "    from billing import rate",
        "E   ModuleNotFoundError: No module named 'billing'",
      ),
    ).toBe("test_tax.py:1");
    expect(
      placeOf("  1) cart", "     Error: Timeout of 50ms exceeded. Ensure it resolves. (/home/dev/app/t.js)"),
    ).toBe("/home/dev/app/t.js:");
    expect(
      placeOf(
        "Traceback (most recent call last):",
        '  File "/home/dev/shop.py", line 3, in total',
        "    return json.loads(text)",
        '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads',
        "    return decode(s)",
        "TypeError: the JSON object must be str, not int",
      ),
    ).toBe("/home/dev/shop.py:3");
  });

  it.each([
    [
      "src/over.c:3",
      "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60",
      "WRITE of size 1 at 0x60 thread T0",
      "    #0 0x7f in memset (/usr/lib/libasan.so.8+0x5b)",
      "    #1 0x55 in fill src/over.c:3",
      "    #2 0x56 in main src/over.c:4",
    ],
    [
      "lexer.c:42",
      "==12== Memcheck, a memory error detector",
      "==12== Invalid read of size 4",
      "==12==    at 0x10916B: next_token (lexer.c:42)",
      "==12==    by 0x1091A4: main (main.c:12)",
      "==12== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)",
    ],
    [
      "src/race.cpp:14",
      "WARNING: ThreadSanitizer: data race (pid=4)",
      "    #0 bump src/race.cpp:14:7 (race+0x4)",
    ],
    ["src/tax.c:2", "tax: src/tax.c:2: main: Assertion `rate == 7' failed.", "Aborted (core dumped)"],
    [
      "/src/CartTests.cs:21",
      "  Failed Shop.CartTests.AddsUp [4 ms]",
      "   Assert.Equal() Failure: Values differ",
      "     at Shop.CartTests.AddsUp() in /src/CartTests.cs:line 21",
    ],
    [
      "/home/dev/app.mjs:2",
      "file:///home/dev/app.mjs:2",
      '  throw new Error("settings are missing");',
      "        ^",
      "",
      "Error: settings are missing",
      "    at boot (file:///home/dev/app.mjs:2:9)",
      "    at file:///home/dev/app.mjs:4:1",
    ],
    [
      "site.yml:14",
      "ERROR! couldn't resolve module/action 'docker_contaner'.",
      "",
      "The error appears to be in 'site.yml': line 14, column 7, but may",
    ],
    ["cart.robot:4", "[ ERROR ] Error in file 'cart.robot' on line 4: Importing library 'Shp' failed"],
    ["lib/cart.dart:12", "  error - lib/cart.dart:12:10 - Undefined name 'totl'. - undefined_identifier"],
    ["lib/cart.dart:12", "  error • Undefined name 'totl' • lib/cart.dart:12:10 • undefined_identifier"],
    ["lib/Cart.pm:14", 'Global symbol "$totl" requires explicit package name at lib/Cart.pm line 14.'],
    ["R/cart.R:8", 'Error in source("R/cart.R") : R/cart.R:8:0: unexpected end of input'],
    [
      "prisma/schema.prisma:14",
      'error: Type "Usr" is neither a built-in type, nor refers to another model.',
      "  -->  prisma/schema.prisma:14",
    ],
  ])("is %s in the format of its tool", (place, ...log) => {
    expect(placeOf(...log)).toBe(place);
  });

  it("of an error that a module threw does not make the error a lint finding", () => {
    const log = "Error: settings are missing\n    at f (file:///app/a.mjs:2:9)\n    at file:///app/a.mjs:4:1";
    const { category, suggestions } = diagnose({ log, exitCode: 1 });
    expect(category).toBe("unknown");
    expect(suggestions.map(({ id }) => id).join()).not.toContain("eslint");
  });

  it("is left out if it would be in a library", () => {
    expect(
      placeOf("Error: connect ECONNREFUSED 10.0.0.1:5432", "    at x (/app/node_modules/pg/index.js:1:2)"),
    ).toBe("undefined:");
  });

  it.each([
    "/usr/src/app/cart.js",
    "src/tmp/a.c",
    "/home/dev/app/cart.go",
    "internal/cart/cart.go",
    "C:\\work\\cart.cs",
  ])("may be in %s", (path) => expect(isForeign(path)).toBe(false));

  it.each([
    "/usr/include/stdio.h",
    "/tmp/x/main.c",
    "node:fs",
    "../node_modules/a/b.js",
    "_testmain.go",
    "/app/.venv/lib/python3.12/site-packages/a.py",
  ])("is never in %s", (path) => expect(isForeign(path)).toBe(true));
});

describe("the patterns for places", () => {
  it("take linear time on adversarial lines", () => {
    const hard = [
      "    at load (file:///app/load.js:6:24)",
      'Cannot find module "/app/kart.js" imported from "/app/shop.js" (from line 2 of requirements.txt)',
      "In file included from /usr/include/vector:60,",
      "invalid setting in ./config/shop.config.js: missing (/app/t.js:1:2)",
      "build/Dockerfile.web:6",
      "\tgithub.com/acme/shop/cart.go:8 +0x1d",
      "  from lib/cart.rb:3:in 'total'",
    ].flatMap((line) => pumpedLines(line, MAX_READ));
    for (const pattern of Object.values(formats).flat())
      if (pattern instanceof RegExp) expect(comesToAnEnd(pattern, hard), pattern.source).toBe(true);
  });
});

describe("the first finding", () => {
  it("is the cause if a compiler or linter has several", () => {
    for (const finding of [
      (line: number) => `src/cart.ts(${line},5): error TS2304: Cannot find name 'tax'.`,
      (line: number) => `cart.c:${line}:5: error: expected ';' before '}' token`,
      (line: number) => `Cart.java:${line}: error: cannot find symbol`,
      (line: number) => `./cart.go:${line}:2: undefined: tax`,
      (line: number) => `cart.py:${line}: error: Incompatible return value type  [return-value]`,
      (line: number) => `cart.py:${line}:1: F401 'os' imported but unused`,
      (line: number) => `error[E0425]: cannot find value \`tax\` in this scope\n --> src/cart.rs:${line}:5\n`,
    ]) {
      const log = `${[3, 9, 12].map(finding).join("\n")}\n`;
      expect(diagnose({ log, exitCode: 1 }).cause, log).toMatchObject({ logLine: 1, line: 3 });
    }
  });

  it("is the first one in the user's own files", () => {
    const log = [
      "/usr/include/x.h:3:1: error: unknown type name 'y'",
      "",
      "cart.c:9:5: error: unknown type name 'y'",
    ];
    expect(diagnose({ log: log.join("\n"), exitCode: 1 }).cause?.logLine).toBe(3);
  });

  it("is neither a warning nor part of an earlier build", () => {
    const log = [
      "src/old.ts(1,1): error TS2304: Cannot find name 'a'.",
      "BUILD SUCCESSFUL in 2s",
      "src/warned.c:1:1: warning: unused variable 'b' [-Wunused-variable]",
      "src/cart.ts(4,1): error TS2304: Cannot find name 'c'.",
      "src/cart.ts(5,1): error TS2304: Cannot find name 'd'.",
    ];
    expect(diagnose({ log: log.join("\n"), exitCode: 1 }).cause?.logLine).toBe(4);
  });

  it("gives way to the last exception that a program threw", () => {
    const log =
      "Traceback (most recent call last):\nKeyError: 'a'\n\nTraceback (most recent call last):\nValueError: b\n";
    expect(diagnose({ log, exitCode: 1 }).cause?.logLine).toBe(5);
  });
});
