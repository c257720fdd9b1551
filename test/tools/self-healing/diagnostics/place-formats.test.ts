import { describe, expect, it } from "vitest";
import { BEFORE_COLON, QUOTED_PATH } from "../../../../src/tools/self-healing/diagnostics/missing-path.ts";
import * as formats from "../../../../src/tools/self-healing/diagnostics/place-formats.ts";

/** Returns the place that a line names, as `file:line:column`. Returns undefined if the format does not match. */
function said(format: RegExp | readonly RegExp[], line: string): string | undefined {
  const groups = [format]
    .flat()
    .map((each) => (each as RegExp).exec(line)?.groups)
    .find((found) => found !== undefined);
  if (!groups) return undefined;
  const { file, bare, line: at, line2, column } = groups;
  return [file ?? bare ?? "", at ?? line2, column].filter((part) => part !== undefined).join(":");
}

type Line = [line: string, place: string];

const FRAMES: Line[] = [
  ["    at load (/app/cart.js:12:5)", "/app/cart.js:12:5"],
  ["at /app/cart.js:12:5", "/app/cart.js:12:5"],
  ["    at async load (file:///app/cart.mjs:12:5)", "/app/cart.mjs:12:5"],
  ["  at load (webpack://shop/./src/cart.ts:12:5)", "./src/cart.ts:12:5"],
  ["  at C:\\app\\cart.js:12:5", "C:\\app\\cart.js:12:5"],
  ["  at Object.<anonymous> (src/cart.ts:12:5)", "src/cart.ts:12:5"],
  ["- /app/cart.js", "/app/cart.js"],
  ["- C:\\app\\cart.js", "C:\\app\\cart.js"],
  [" ❯ src/cart.ts:12:5", "src/cart.ts:12:5"],
  ["❯ Module.load src/cart.ts:12:5", "src/cart.ts:12:5"],
  ["\tat shop.Cart.add(Cart.java:12)", "Cart.java:12"],
  ["  at shop.Cart$Item.<init> (Cart.kt:12) ~[classes/:na]", "Cart.kt:12"],
  ["\t/app/cart.go:12 +0x1d", "/app/cart.go:12"],
  ["    cart.go:12", "cart.go:12"],
  ["app/cart.rb:12:in `total'", "app/cart.rb:12"],
  ["\tfrom app/cart.rb:12:in 'total'", "app/cart.rb:12"],
  ["     # ./spec/cart_spec.rb:12:in `block'", "./spec/cart_spec.rb:12"],
  ["#0 /app/cart.php(12): total()", "/app/cart.php:12"],
  ["/app/tests/CartTest.php:12", "/app/tests/CartTest.php:12"],
  ["  #10 src/cart.php(7): x", "src/cart.php:7"],
  ["  at tests/Feature/CartTest.php:33", "tests/Feature/CartTest.php:33"],
  ["  1   app/Cart.php:48", "app/Cart.php:48"],
  ["  location: '/app/cart.test.js:12:5'", "/app/cart.test.js:12:5"],
  ["location: file:///app/cart.test.js:12", "/app/cart.test.js:12"],
  ["    #1 0x55d0 in fill src/over.c:12:5", "src/over.c:12:5"],
  ["    #0 in main src/over.c:12", "src/over.c:12"],
  ["    #2 bump src/race.cpp:12:5 (race+0x4)", "src/race.cpp:12:5"],
  ["==7==    at 0x10916B: next_token (lexer.c:42)", "lexer.c:42"],
  ["==12==    by 0x1091A4: main (main.c:12)", "main.c:12"],
  ["   at Shop.Cart.Add(Int32 count) in /src/Cart.cs:line 12", "/src/Cart.cs:12"],
  ["at Shop.Cart.Add() in C:\\src\\Cart.cs:line 12", "C:\\src\\Cart.cs:12"],
  ["\tcart.lua:12: in function 'total'", "cart.lua:12"],
];

const NO_FRAMES = [
  "look at load (/app/cart.js:12:5)",
  "    at load (/app/cart.js:12:5) and more",
  "    at load (/app/cart.js)",
  "    at load (/app/cart.js:12)",
  "see - /app/cart.js",
  "- cart.js",
  "- /app/cart.js is gone",
  "-/app/cart.js",
  "the Dockerfile:12",
  "Dockerfile:12 RUN x",
  "x ❯ src/cart.ts:12:5",
  "❯ src/cart.ts:12:5 x",
  "❯ src/cart.ts:12",
  "was at shop.Cart.add(Cart.java:12)",
  "  at shop.Cart.add(Native Method)",
  "cart.go:12",
  "\tcart.go:12 more",
  "see app/cart.rb:12:in `total'",
  "app/cart.rb:12: no",
  "see /app/cart.php:12",
  "/app/cart.php:12 x",
  "/app/cart.php",
  "the location: cart.js:12",
  "location: cart.js:12 x",
  "#1 in fill src/over.c:12:5",
  "    #1 in fill src/over.c",
  "    #1 in fill src/over.c:12 x",
  "    1 in fill src/over.c:12",
  "=7=    at 0x1: f (lexer.c:42)",
  "==7==    at 0x1: f (lexer.c:42) x",
  "x ==7==    at 0x1: f (lexer.c:42)",
  "==7==    of 0x1: f (lexer.c:42)",
  "it was at Shop.Cart.Add() in /src/Cart.cs:line 12",
  "   at Shop.Cart.Add() in /src/Cart.cs:line 12 x",
  "   at Shop.Cart.Add() in /src/Cart.cs:12",
  "cart.lua:12: in function 'total'",
  "\tcart.lua:12: no",
];

const { PYTHON_FRAME, PYTEST_FRAME, PYTEST_FILE, SCRIPT_FRAME, ALONE, FILE_ALONE, WEBPACK } = formats;
const { NPM_PATH, CMAKE, INCLUDED_FROM, IN_TEXT, SETTINGS, IN_PARENTHESES } = formats;
const { FOREIGN_CLASS } = formats;

const FORMATS: [name: string, format: RegExp | readonly RegExp[], lines: Line[], others: string[]][] = [
  [
    "Python's stack",
    PYTHON_FRAME,
    [
      ['  File "/app/shop.py", line 12, in total', "/app/shop.py:12"],
      ['File "shop cart.py", line 3', "shop cart.py:3"],
    ],
    ['in File "/app/shop.py", line 12', 'File "", line 12', 'File "/app/shop.py", line x'],
  ],
  [
    "pytest's stack",
    PYTEST_FRAME,
    [
      ["tests/test_tax.py:12: in test_rate", "tests/test_tax.py:12"],
      ["tests/test_tax.py:12: AssertionError", "tests/test_tax.py:12"],
      ["test_tax.py:1: E", "test_tax.py:1"],
      ["test_tax.py:1: KeyError", "test_tax.py:1"],
      ["test_tax.py:1: Failed", "test_tax.py:1"],
    ],
    [
      "see tests/test_tax.py:12: in x",
      "test_tax.py:12: AssertionError: no",
      "test_tax.py:12: in ",
      "test_tax.py:12: error",
      "test_tax.pyc:12: in x",
    ],
  ],
  [
    "a test whose fixture is missing",
    PYTEST_FILE,
    [["file /app/test_tax.py, line 12", "/app/test_tax.py:12"]],
    ["the file /app/test_tax.py, line 12", "file /app/test_tax.py, line 12 x", "file /app/tax.txt, line 1"],
  ],
  [
    "a frame of a script",
    SCRIPT_FRAME,
    [["      at <anonymous> (/app/cart.test.ts:12:5)", "/app/cart.test.ts:12:5"]],
    ["(pass) cart > adds [0.12ms]"],
  ],
  [
    "a place on a line of its own",
    ALONE,
    [
      ["/app/cart.js:12", "/app/cart.js:12"],
      ["file:///app/cart.mjs:12:5", "/app/cart.mjs:12:5"],
      ["C:\\app\\cart.js:12", "C:\\app\\cart.js:12"],
    ],
    ["see /app/cart.js:12", "/app/cart.js:12 x", "/app/cart.js", "/app/cart.7:12", "10.0.0.1:80"],
  ],
  [
    "a file on a line of its own",
    FILE_ALONE,
    [
      ["src/cart.ts", "src/cart.ts"],
      [".\\src\\cart.ts", ".\\src\\cart.ts"],
      ["@acme/cart-1.js", "@acme/cart-1.js"],
    ],
    ["see src/cart.ts", "src/cart.ts x", "src/cart", "v1.2.3"],
  ],
  [
    "webpack",
    WEBPACK,
    [
      ["ERROR in ./src/cart.js 12:5-9", "./src/cart.js:12:5"],
      ["ERROR in src/cart.ts", "src/cart.ts"],
      ["ERROR in ../cart.js 12:5", "../cart.js:12:5"],
    ],
    ["an ERROR in src/cart.ts", "ERROR in src/cart.ts x", "ERROR in ./a!./src/cart.js", "ERROR in main"],
  ],
  [
    "npm",
    NPM_PATH,
    [
      ["npm ERR! path /app/package.json", "/app/package.json"],
      ["npm error path /app/package.json", "/app/package.json"],
    ],
    [
      "an npm error path /app/package.json",
      "npm error path /app/package.json x",
      "npm error path /app/modules",
    ],
  ],
  [
    "CMake",
    CMAKE,
    [
      ["CMake Error at CMakeLists.txt:12 (message):", "CMakeLists.txt:12"],
      ["CMake Warning (dev) at src/CMakeLists.txt:3 (x)", "src/CMakeLists.txt:3"],
    ],
    [
      "see CMake Error at CMakeLists.txt:12",
      "CMake Error in CMakeLists.txt:12",
      "CMake Error at CMakeLists.txt",
    ],
  ],
  [
    "who included a header",
    INCLUDED_FROM,
    [
      ["In file included from src/cart.c:12,", "src/cart.c:12"],
      ["                 from src/main.c:3:", "src/main.c:3"],
    ],
    ["see In file included from src/cart.c:12", "from src/cart.c:12", "    from src/cart.c"],
  ],
  [
    "the words of a message",
    IN_TEXT,
    [
      ["it is imported from './cart.js' twice", "./cart.js"],
      ["module required by src/cart.js", "src/cart.js"],
      ["x included in `cart.h`", "cart.h"],
      ["it is referenced from cart.ts again", "cart.ts"],
      ["cannot load x from 'src/cart.ts'", "src/cart.ts"],
      ["no such x (from -r requirements.txt (line 12))", "requirements.txt:12"],
      ["no such x (from line 12 of constraints.txt)", "constraints.txt:12"],
      ["tax: src/tax.c:12: main: Assertion `rate == 7' failed.", "src/tax.c:12"],
      ["tax.c:2: main: Assertion `a' failed.", "tax.c:2"],
      ["appears to be in 'site.yml': line 12, column 5", "site.yml:12"],
      ["Error in file 'cart.robot' on line 12: no", "cart.robot:12"],
      ["In file 'cart.robot' on line 12: no", "cart.robot:12"],
      ["died at Cart.pm line 12.", "Cart.pm:12"],
      ["died at t/cart.t line 3.", "t/cart.t:3"],
      ['Error in source("R/cart.R") : R/cart.R:8:0: unexpected end', "R/cart.R:8"],
      ["no such thing at `/app/cart.js`", "/app/cart.js"],
      ["dockerfile parse error on line 12: unknown instruction", ":12"],
      ["Dockerfile parse error on line 3", ":3"],
    ],
    [
      "it is reimported by cart.js twice",
      "imported from cart",
      "away from cart.ts",
      "from 'cart'",
      "(from -r requirements)",
      "a b tax: src/tax.c:12: main: Assertion",
      "in 'site.yml' line 12",
      "died at Cart.pm line 12",
      "died at Cart.pl2 line 12.",
      "An Error in x : R/cart.R:8:0: y",
      "at `cart.js`",
      "parse error on line 12",
    ],
  ],
  [
    "a file of settings",
    SETTINGS,
    [
      ["cannot read tsconfig.json", "tsconfig.json"],
      ["in 'config/app.yml': no", "config/app.yml"],
      ["see (deploy/values.yaml).", "deploy/values.yaml"],
      ["./pyproject.toml, line 1", "./pyproject.toml"],
      ["vite.config.ts is wrong", "vite.config.ts"],
      ["the setup.cfg.", "setup.cfg"],
      ["@acme/eslint.config.mjs;", "@acme/eslint.config.mjs"],
      ["app.ini main.tf", "app.ini"],
      ["yarn.lock", "yarn.lock"],
    ],
    ["cannot read settings.txt", "tsconfig.jsonx", "=tsconfig.json", "tsconfig.json=1", "vite.conf.ts"],
  ],
  [
    "the file in brackets at the end",
    IN_PARENTHESES,
    [
      ["cannot import name 'x' (/app/shop/tax.py)", "/app/shop/tax.py"],
      ["Timeout of 50ms exceeded. (file:///app/t.js).", "/app/t.js"],
      ["it failed (src/cart.ts:12:5)", "src/cart.ts:12:5"],
      ["it failed (C:\\app\\cart.ts:12)", "C:\\app\\cart.ts:12"],
    ],
    ["it failed (cart.ts)", "it failed (src/cart.ts) twice", "it failed (src/cart)", "it failed src/cart.ts"],
  ],
  [
    "a path in quotes, or one that begins with a slash",
    QUOTED_PATH,
    [
      ["cannot open '/app/cart.json'", "/app/cart.json"],
      ["cannot open ‘cart.json’: no", "cart.json"],
      ["no `src/cart` there", "src/cart"],
      ['no "C:\\app\\cart" there', "C:\\app\\cart"],
      ["no file /app/cart there", "/app/cart"],
      ["../cart is gone", "../cart"],
      ["./cart is gone", "./cart"],
    ],
    ["cannot open 'cart'", "cannot open cart.json", "a src/cart is gone"],
  ],
  [
    "what stands before the words of a system",
    BEFORE_COLON,
    [
      ["cat: settings.json: No such file or directory", "settings.json"],
      ["/app/cart: Permission denied", "/app/cart"],
      ["cart.db: permission denied", "cart.db"],
      ["tar: /var/cart: No space left on device", "/var/cart"],
    ],
    ["settings.json: not found", "'settings.json': No such file", "No such file: settings.json"],
  ],
];

describe("a place in the format of a tool", () => {
  it.each(FRAMES)("is read from the stack frame %j", (line, place) =>
    expect(said(formats.FRAMES, line)).toBe(place),
  );

  it.each(NO_FRAMES)("is not read as a stack frame from %j", (line) => {
    expect(said(formats.FRAMES, line)).toBeUndefined();
  });

  it.each(FORMATS)("is read from %s, but not from similar lines", (_, format, lines, others) => {
    expect(lines.map(([line]) => [line, said(format, line)])).toEqual(lines);
    expect(others.filter((line) => said(format, line) !== undefined)).toEqual([]);
  });

  it("is not in a class of the platform, a test runner or a build tool", () => {
    const foreign =
      "java.util.List javax.x.Y jdk.internal.Z sun.misc.A kotlin.Unit scala.Option groovy.lang.B org.junit.C org.testng.D org.mockito.E org.gradle.F org.apache.maven.G com.sun.H hudson.I jenkins.J";
    expect(foreign.split(" ").filter((name) => !FOREIGN_CLASS.test(name))).toEqual([]);
    const own = "shop.Cart javac.Cart org.apache.cart.X my.java.Cart com.sunny.Cart org.shop.junit.X";
    expect(own.split(" ").filter((name) => FOREIGN_CLASS.test(name))).toEqual([]);
  });
});
