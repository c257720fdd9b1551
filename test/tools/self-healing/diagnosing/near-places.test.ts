import { describe, expect, it } from "vitest";
import type { Category } from "../../../../src/tools/self-healing/categories.ts";
import { placeOf } from "../../../../src/tools/self-healing/diagnosing/location.ts";
import { pathIn } from "../../../../src/tools/self-healing/diagnostics/missing-path.ts";
import { candidate, reading, type Told } from "./readings.ts";

type Place = ReturnType<typeof placeOf>;

/** Returns the place that the line with the mark `»` refers to, given the lines around it. */
function place(log: readonly string[], told: Partial<Told> = {}, others: Told[] = []): string {
  const index = log.findIndex((line) => line.startsWith("»"));
  const lines = log.map((line) => line.replace("»", ""));
  const best = candidate({ index, text: lines[index] as string, ...told });
  return shown(placeOf({ ...reading({ lines }), candidates: [...others.map(candidate), best] }, best));
}

const shown = (found: Place) =>
  found ? [found.file, found.line, found.column].filter((part) => part !== undefined).join(":") : "nowhere";

const FRAME = "    at load (/app/a.js:1:2)";
const FOREIGN = "    at x (/app/node_modules/pg/index.js:5:6)";
const many = (count: number, line: string) => Array.from({ length: count }, () => line);

describe("the place of a failure with a stack below it", () => {
  it("is the project's first own frame within forty lines", () => {
    expect(place(["»it broke", FOREIGN, FRAME, "    at b (/app/b.js:3:4)"])).toBe("/app/a.js:1:2");
    expect(place(["»it broke", ...many(39, FOREIGN), FRAME])).toBe("/app/a.js:1:2");
    expect(place(["»it broke", ...many(40, FOREIGN), FRAME])).toBe("nowhere");
  });

  it("is not found behind 25 lines without a frame", () => {
    expect(place(["»it broke", ...many(24, "so it went on"), FRAME])).toBe("/app/a.js:1:2");
    expect(place(["»it broke", ...many(25, "so it went on"), FRAME])).toBe("nowhere");
  });

  it("is never in a class of Java or its tools", () => {
    const frame = (name: string) => `\tat ${name}.run(A.java:5)`;
    expect(place(["»it broke", frame("org.junit.A"), frame("com.acme.B")])).toBe("A.java:5");
    expect(place(["»it broke", frame("java.util.A")])).toBe("nowhere");
    expect(place(["»it broke", frame("javas.util.A")])).toBe("A.java:5");
  });

  it("is read from both forms of PHP frames", () => {
    expect(place(["»it broke", "#0 /app/a.php(7): run()"])).toBe("/app/a.php:7");
    expect(place(["»it broke", "/app/a.php:8"])).toBe("/app/a.php:8");
  });
});

describe("the place of a failure with a traceback above it", () => {
  const file = (name: string, line: number) => `  File "${name}", line ${line}, in x`;

  it("is the project's nearest own frame", () => {
    const traceback = ["Traceback (most recent call last):", file("/app/a.py", 1), file("/app/b.py", 2)];
    expect(place([...traceback, file("/usr/lib/python3.11/x.py", 3), "»KeyError: x"])).toBe("/app/b.py:2");
    for (const between of ["so it went on", "see Traceback", "a file x", "E", "x a.py:9", "EE x"])
      expect([between, place([...traceback, between, "»KeyError: x"])]).toEqual([between, "nowhere"]);
    expect(place([...traceback, "Traceback (most recent call last):", "»KeyError: x"])).toBe("/app/b.py:2");
    for (const between of ["", "  x = 1", "E   x", "> x", "a.py:9: x", "file x"])
      expect([between, place([...traceback, between, "»KeyError: x"])]).toEqual([between, "/app/b.py:2"]);
    expect(place([file("/app/a.py", 1), ...many(39, "  x"), "»KeyError: x"])).toBe("/app/a.py:1");
    expect(place([file("/app/a.py", 1), ...many(40, "  x"), "»KeyError: x"])).toBe("nowhere");
  });

  it("is the file and line that pytest names", () => {
    expect(place(["test_a.py:4: in total", "    x", "»E   KeyError: x"])).toBe("test_a.py:4");
    expect(place(["file /app/test_a.py, line 5", "»E   fixture 'x' not found"])).toBe("/app/test_a.py:5");
  });
});

describe("the place of a failure on a separate line", () => {
  it.each([
    ["CMake Error at src/a.cmake:3 (message):", "src/a.cmake:3"],
    ["ERROR in ./src/a.js 4:5-9", "./src/a.js:4:5"],
    ["npm error path /app/package.json", "/app/package.json"],
    ["/app/a.mjs:6", "/app/a.mjs:6"],
    ['File "a.ml", line 7, characters 1-2:', "a.ml:7"],
    ["a.ts:8:9 lint/x ━━━━━━", "a.ts:8:9"],
  ])("is read up to six lines above: %s", (line, expected) => {
    expect(place([line, ...many(5, "so it went on"), "»it broke"])).toBe(expected);
    expect(place([line, ...many(6, "so it went on"), "»it broke"])).toBe("nowhere");
    expect(place([`   ${line}  `, "»it broke"])).toBe(expected);
  });

  it("is a file name alone up to two lines above", () => {
    expect(place(["src/a.ts", "so it went on", "»it broke"])).toBe("src/a.ts");
    expect(place(["src/a.ts", "so it went on", "and on", "»it broke"])).toBe("nowhere");
    expect(place(["/usr/lib/a.ts", "»it broke"])).toBe("nowhere");
  });

  it("is BuildKit's Dockerfile line up to 25 lines above, for Docker only", () => {
    const docker = { ecosystem: "docker" } as const;
    expect(place(["Dockerfile:6", ...many(24, "> x"), "»it broke"], docker)).toBe("Dockerfile:6");
    expect(place(["Dockerfile:6", ...many(25, "> x"), "»it broke"], docker)).toBe("nowhere");
    expect(place(["build/Dockerfile.web:6", ...many(9, "> x"), "»it broke"], docker)).toBe(
      "build/Dockerfile.web:6",
    );
    expect(place(["Dockerfile:6", ...many(9, "> x"), "»it broke"])).toBe("nowhere");
  });

  it("is the caller of a CMake module within twelve lines below", () => {
    const caller = "  lib/CMakeLists.txt:4 (find_package)";
    expect(place(["»it broke", ...many(11, "x"), caller])).toBe("lib/CMakeLists.txt:4");
    expect(place(["»it broke", ...many(12, "x"), caller])).toBe("nowhere");
    expect(place(["»it broke", "  CMakeLists.txt:9 (include)"])).toBe("CMakeLists.txt:9");
    expect(place(["»it broke", "  cmake/own.cmake:9 (include)"])).toBe("cmake/own.cmake:9");
    expect(place(["»it broke", "  .cmake:9 (include)"])).toBe("nowhere");
  });
});

describe("the place of a failed test", () => {
  const test = { category: "test_failure" } as const;

  it("is the frame directly above the result of Bun", () => {
    expect(place([FRAME, "»(fail) cart"], test)).toBe("/app/a.js:1:2");
    expect(place([FRAME, "", "»(fail) cart"], test)).toBe("nowhere");
    expect(place([FRAME, "»it broke"])).toBe("nowhere");
  });

  it("is the project's own finding within twelve lines below", () => {
    const finding = "src/cart.rb:12:5: wrong";
    expect(place(["»it broke", ...many(11, "x"), finding], test)).toBe("src/cart.rb:12:5");
    expect(place(["»it broke", ...many(12, "x"), finding], test)).toBe("nowhere");
    expect(place(["»it broke", finding])).toBe("nowhere");
    expect(place(["»it broke", "/usr/lib/x.rb:1:2: wrong", finding], test)).toBe("src/cart.rb:12:5");
  });

  it("is the test file if no line is known and no stack names a place", () => {
    const caught = { file: "src/cart.test.ts" };
    expect(place(["»FAIL src/cart.test.ts"], { ...test, caught })).toBe("src/cart.test.ts");
    expect(place(["»FAIL src/cart.test.ts", FRAME], { ...test, caught })).toBe("/app/a.js:1:2");
    expect(place(["»FAIL src/cart.test.ts", FRAME], { ...test, caught: { ...caught, line: "9" } })).toBe(
      "src/cart.test.ts:9",
    );
  });

  it("is the project's innermost own frame in pytest's report of the test", () => {
    const heading = (index: number, test: string): Told => ({
      index,
      id: "pytest-heading",
      caught: { test },
    });
    const report = (lines: readonly string[], headings: Told[], name = "test_a") =>
      place(
        [...lines, "»FAILED test_cart.py::test_a"],
        { ...test, caught: { file: "test_cart.py", test: name } },
        headings,
      );
    const frames = ["heading", "cart.py:2: in total", "shop.py:3: KeyError", "/usr/lib/x.py:4: in y"];
    expect(report(frames, [heading(0, "test_a")])).toBe("shop.py:3");
    expect(report(frames, [heading(0, "test_b")])).toBe("test_cart.py");
    expect(report(frames, [heading(0, "Cart.test_a")], "Cart::test_a")).toBe("shop.py:3");
    expect(report(frames, [{ ...heading(0, "test_a"), id: "other" }])).toBe("test_cart.py");
    for (const rule of ["___ test_b ___", "=== summary ==="]) {
      const cut = [...frames.slice(0, 2), rule, ...frames.slice(2)];
      expect(report(cut, [heading(0, "test_a")])).toBe("cart.py:2");
      expect(report(cut, [heading(2, "test_a"), heading(0, "test_a")])).toBe("cart.py:2");
      expect(report(cut, [heading(0, "test_a"), heading(2, "test_a")])).toBe("shop.py:3");
    }
    const far = (count: number) => ["heading", ...many(count, "x"), "cart.py:2: in total"];
    expect(report(far(398), [heading(0, "test_a")])).toBe("cart.py:2");
    expect(report(far(399), [heading(0, "test_a")])).toBe("test_cart.py");
  });
});

describe("the place that a signature captured", () => {
  it("is the captured file, with the line of a finding in the same file", () => {
    const caught = { file: "src/a.ts" };
    expect(place(["»src/a.ts broke"], { caught })).toBe("src/a.ts");
    expect(place(["»src/a.ts broke"], { caught: { ...caught, line: "7" } })).toBe("src/a.ts:7");
    expect(place(["»broke"], { caught: { file2: "src/a.ts", line2: "8" } })).toBe("src/a.ts:8");
    const others: Told[] = [
      { index: 1, file: "src/a.ts", line: 3 },
      { index: 2, file: "src/a.ts", line: 4 },
      { index: 3, file: "src/b.ts", line: 5 },
    ];
    expect(place(["»src/a.ts broke"], { caught }, others)).toBe("src/a.ts:4");
    expect(place(["»src/a.ts broke"], { caught: { ...caught, line: "7" } }, others)).toBe("src/a.ts:7");
  });

  it("is the caller that asks for a missing file, not the missing file", () => {
    const missing = { category: "missing_file", caught: { file: "src/gone.ts" } } as const;
    expect(place(["»src/gone.ts is missing", FRAME], missing)).toBe("/app/a.js:1:2");
    expect(
      place(["»src/gone.ts is missing", FRAME], { ...missing, caught: { ...missing.caught, line: "2" } }),
    ).toBe("src/gone.ts:2");
    expect(place(["»src/gone.ts is missing", FRAME], { ...missing, category: "lint" })).toBe("src/gone.ts");
  });

  it("is in a library only if there is no other place", () => {
    expect(place(["»broke"], { caught: { file: "/usr/lib/a.cmake" } })).toBe("/usr/lib/a.cmake");
    expect(place(["»broke", "  CMakeLists.txt:9 (include)"], { caught: { file: "/usr/lib/a.cmake" } })).toBe(
      "CMakeLists.txt:9",
    );
  });
});

describe("the place of a finding in a library", () => {
  const found = { file: "/usr/include/a.h", line: 45 };

  it("is the file that includes or requires the library, within 40 lines above or 12 below", () => {
    const included = "In file included from src/cart.c:1:";
    expect(place([included, ...many(38, "x"), "»broke"], found)).toBe("src/cart.c:1");
    expect(place([included, ...many(39, "x"), "»broke"], found)).toBe("/usr/include/a.h:45");
    expect(place([included, "", "»broke"], found)).toBe("/usr/include/a.h:45");
    const required = "src/cart.c:7:2: note: required from here";
    expect(place(["»broke", ...many(10, "x"), required], found)).toBe("src/cart.c:7:2");
    expect(place(["»broke", ...many(11, "x"), required], found)).toBe("/usr/include/a.h:45");
    expect(place(["»broke", "", required], found)).toBe("/usr/include/a.h:45");
    expect(place([included, "»broke"], { file: "src/own.c", line: 3 })).toBe("src/own.c:3");
  });
});

describe("pathIn()", () => {
  const path = (text: string, category: Category = "missing_file", caught = {}) =>
    pathIn(candidate({ index: 0, text, category, caught }));

  it.each([
    ["cat: settings.json: No such file or directory", "settings.json"],
    ["rm: a: Permission denied", "a"],
    ["cp: b: No space left on device", "b"],
    ["cannot open 'src/a.txt' there", "src/a.txt"],
    ["cannot open `a.txt`", "a.txt"],
    ["cannot open ./src/a there", "./src/a"],
    ["cannot open /src/a there", "/src/a"],
    ["cannot open 'a' there", undefined],
    ["cannot open 'java.io.IOException'", undefined],
    ["cannot open 'https://a.test/b'", undefined],
    ["cannot open 'ENOENT.'", "ENOENT."],
  ])("returns for %s the path %s", (text, expected) => expect(path(text)).toBe(expected));

  it("returns a path only for missing_file, permission and disk_full, a captured one first", () => {
    for (const category of ["permission", "disk_full"] as const)
      expect(path("open './a'", category)).toBe("./a");
    expect(path("open './a'", "lint")).toBeUndefined();
    expect(pathIn(candidate({ index: 0, text: "open './a'" }))).toBeUndefined();
    expect(path("open './a'", "missing_file", { file: "b" })).toBe("b");
    expect(path("open './a'", "missing_file", { file2: "c" })).toBe("c");
  });
});
