import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";
import { codePoint } from "../../../support/code-point.ts";
import { runs } from "../../../support/runs.ts";
import { FAILED_LOGS, type FailedLog } from "../logs/failed-logs.ts";
import { NOISY_SUCCESSES } from "../logs/noisy-successes.ts";
import { SUCCESSFUL_LOGS } from "../logs/successful-logs.ts";

/** Returns a log without its marks, and the numbers of the marked lines. */
function unmarked({ log }: FailedLog) {
  const lines = log.split("\n");
  return {
    log: lines.map((line) => line.replace(/^»/, "")).join("\n"),
    causes: lines.flatMap((line, index) => (line.startsWith("»") ? [index + 1] : [])),
  };
}

const E = String.fromCharCode(27);

describe("the diagnosis of a failed build", () => {
  it.each(FAILED_LOGS.map((failed) => [failed.name, failed] as const))("finds the cause: %s", (_, failed) => {
    const { log, causes } = unmarked(failed);
    const { category, ecosystem, cause, confidence, suggestions } = diagnose({ log });
    expect({ category, message: cause?.message }).toMatchObject({ category: failed.category });
    expect(causes, cause?.message).toContain(cause?.logLine);
    if (failed.ecosystem) expect(ecosystem).toBe(failed.ecosystem);
    if (failed.file) expect(cause).toMatchObject({ file: failed.file, line: failed.line });
    expect(confidence).toBeGreaterThan(0.3);
    expect(suggestions.length).toBeGreaterThan(0);
  });

  it.each([
    ["GitHub's time stamps", (line: string) => `2026-03-04T10:20:30.1234567Z ${line}`],
    ["GitHub's command line", (line: string) => `build\tRun tests\t2026-03-04T10:20:30.1234567Z ${line}`],
    ["Jenkins' time stamps", (line: string) => `[2026-03-04T10:20:30.123Z] ${line}`],
    ["times of the day", (line: string) => `10:20:30 ${line}`],
    ["GitLab's streams", (line: string) => `2026-03-04T10:20:30.123456Z 01E ${line}`],
    ["a container's name", (line: string) => `shop-web-1  | ${line || "."}`],
    ["colours", (line: string) => `${E}[31m${line}${E}[0m`],
    ["a carriage return", (line: string) => `${line}\r`],
  ])("is the same for lines with %s", (_, dress) => {
    for (const failed of FAILED_LOGS.filter(({ log }) => !/^»?(?:\d{4}-|#9|##)/.test(log))) {
      const { log } = unmarked(failed);
      const plain = diagnose({ log });
      const dressed = diagnose({ log: log.split("\n").map(dress).join("\n") });
      const essence = ({ category, fingerprint, cause }: typeof plain) => ({
        name: failed.name,
        category,
        fingerprint,
        logLine: cause?.logLine,
        message: cause?.message,
      });
      expect(essence(dressed)).toEqual(essence(plain));
    }
  });

  it("reads UTF-16 that was decoded as UTF-8, in the whole log or in some lines", () => {
    const failed = "ModuleNotFoundError: No module named 'flask'\r\n";
    const misread = Buffer.from(`\ufeffBuilding ✖\r\n${failed}`, "utf16le").toString("utf8");
    expect(diagnose({ log: misread }).cause).toMatchObject({ logLine: 2, message: failed.trim() });
    const appended = Buffer.from(failed, "utf16le").toString("utf8");
    expect(diagnose({ log: `Building\n${appended}` }).cause).toMatchObject({ logLine: 2 });
    const alone = Buffer.from(`\ufeff${failed}`, "utf16le").toString("utf8");
    expect(diagnose({ log: alone }).cause?.message).toBe(failed.trim());
  });

  it("counts CR, LF and CRLF as one end of line each", () => {
    const progress = "10 %\r50 %\r100 %\r\n";
    const { cause } = diagnose({ log: `${progress}ModuleNotFoundError: No module named 'flask'\n` });
    expect(cause?.logLine).toBe(4);
    expect(cause?.excerpt).toEqual([{ number: 4, text: "ModuleNotFoundError: No module named 'flask'" }]);
  });

  it("quotes the cause with its traceback, and no unrelated lines", () => {
    const log = [
      "starting",
      "Traceback (most recent call last):",
      '  File "/app/shop.py", line 3, in <module>',
      "    import flask",
      "ModuleNotFoundError: No module named 'flask'",
      "",
      "cleaning up",
    ].join("\n");
    expect(diagnose({ log }).cause?.excerpt.map(({ number }) => number)).toEqual([2, 3, 4, 5]);
  });

  it("takes the reason of many failed tests for the cause, not the heading of one", () => {
    const failed = Array.from({ length: 40 }, (_, at) => [
      `________________________ test_total_${at} ________________________`,
      "",
      `    def test_total_${at}():`,
      ">       total()",
      "",
      `tests/test_cart.py:${10 + at}: `,
      "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _",
      "",
      ">       return price(1)",
      "E       TypeError: price() missing 1 required positional argument: 'currency'",
      "",
      "shop/cart.py:7: TypeError",
    ]);
    const log = [
      "=================================== FAILURES ===================================",
      ...failed.flat(),
      "40 failed in 2.41s",
    ].join("\n");
    expect(diagnose({ log }).cause).toMatchObject({ logLine: 11 });
  });

  it("does not install a module by a dotted name: its package was found, or is called otherwise", () => {
    const log = "E   ModuleNotFoundError: No module named 'shop.carts'";
    const { cause, suggestions } = diagnose({ log });
    expect(cause?.message).toBe("E   ModuleNotFoundError: No module named 'shop.carts'");
    expect(suggestions.map(({ id }) => id)).toContain("python-correct-submodule");
    expect(suggestions.filter(({ command }) => command?.includes("install"))).toEqual([]);
  });

  it("lists other findings as alsoSeen, each with its place", () => {
    const log = [
      "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.",
      "src/b.ts(3,4): error TS2304: Cannot find name 'tax'.",
    ].join("\n");
    const { cause, alsoSeen } = diagnose({ log });
    expect([cause?.file, cause?.code]).toEqual(["src/a.ts", "TS2322"]);
    expect(alsoSeen).toEqual([
      {
        category: "type_error",
        rule: "tsc-missing-name",
        message: "src/b.ts(3,4): error TS2304: Cannot find name 'tax'.",
        logLine: 2,
        file: "src/b.ts",
        line: 3,
        column: 4,
        severity: "error",
        code: "TS2304",
      },
    ]);
  });

  it("gives the exit code precedence over the log", () => {
    const passed = "31 passed in 1.2s\n";
    expect(diagnose({ log: passed, exitCode: 0 }).cause).toBeNull();
    expect(diagnose({ log: "Error: Cannot find module 'x'\n", exitCode: 0 }).cause).toBeNull();
    const logged = `Error: connect ECONNREFUSED 127.0.0.1:5432\n${passed}`;
    expect(diagnose({ log: logged }).cause).toBeNull();
    expect(diagnose({ log: logged, exitCode: 1 }).cause?.logLine).toBe(1);
  });

  it("falls back to the last line, and to the category of some exit codes", () => {
    const silent = diagnose({ log: "one\ntwo\n\n", exitCode: 3 });
    expect(silent.cause).toMatchObject({ message: "two", logLine: 2 });
    expect([silent.category, silent.confidence < 0.2]).toEqual(["unknown", true]);
    expect(diagnose({ log: "one\n", exitCode: 137 }).category).toBe("out_of_memory");
    expect(diagnose({ log: "one\n", exitCode: 124 }).category).toBe("timeout");
    expect(diagnose({ log: "", exitCode: 1 }).cause).toBeNull();
  });

  it("knows without an exit code that a build failed if Make says so, and shows what came before", () => {
    const log = [...Array(20).keys()].map((number) => `step ${number}`);
    const make =
      "make[1]: *** [Makefile:3: check] Error 9\nmake[1]: Leaving directory '/app'\nmake: *** [Makefile:9: all] Error 2";
    expect(diagnose({ log: [...log, make].join("\n") }).cause).toMatchObject({ message: "step 19" });
    const ignored = "make: [Makefile:3: check] Error 9 (ignored)";
    expect(diagnose({ log: [...log, ignored].join("\n") }).cause).toBeNull();
  });

  it("reads the last 20,000 of many failures, and lists 500 of them", () => {
    const finding = (index: number) =>
      `src/part${index}.ts(1,2): error TS2304: Cannot find name 'n${index}'.`;
    const lines = Array.from({ length: 30_000 }, (_, index) => finding(index));
    const { cause, alsoSeen } = diagnose({ log: ["BUILD SUCCESSFUL in 2s", ...lines].join("\n") });
    expect(cause).toMatchObject({ logLine: 10_002, file: "src/part10000.ts" });
    expect(alsoSeen).toHaveLength(500);
    expect(diagnose({ log: [...lines, "BUILD SUCCESSFUL in 2s"].join("\n") }).cause).toBeNull();
  });

  it("takes the given ecosystem by any of its names, or that of the command", () => {
    const log = "AssertionError: 1 is not 2\n";
    expect(diagnose({ log, exitCode: 1, ecosystem: "npm" }).ecosystem).toBe("node");
    expect(diagnose({ log, exitCode: 1, ecosystem: "PyTest?" }).ecosystem).toBe("unknown");
    expect(diagnose({ log, exitCode: 1, command: "npx vitest run" }).ecosystem).toBe("node");
  });

  it("masks secrets in its answer", () => {
    const secret = `gh${"p_"}${"a1B2".repeat(9)}`;
    const url = `https://bot:${"hunter2hunter2"}@git.acme.test/shop.git`;
    const log = `fatal: unable to access '${url}': Authentication failed with token ${secret}\n`;
    const answer = JSON.stringify(diagnose({ log, exitCode: 128 }));
    expect(answer).not.toContain(secret);
    expect(answer).not.toContain("hunter2");
  });
});

describe("the diagnosis of a successful build", () => {
  const logs = [...SUCCESSFUL_LOGS, ...NOISY_SUCCESSES].map(({ name, log }) => [name, log]);

  it.each(logs)("finds nothing: %s", (_, log = "") => {
    const { category, cause, suggestions } = diagnose({ log });
    expect({ category, cause, suggestions }).toEqual({ category: "unknown", cause: null, suggestions: [] });
  });

  it("is tested with at least 150 logs", () => {
    expect(logs.length).toBeGreaterThanOrEqual(150);
  });
});

describe("the diagnosis of an arbitrary log", () => {
  const line = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 60 }),
    fc.constantFrom(...FAILED_LOGS.flatMap(({ log }) => log.split("\n"))),
  );
  const log = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")))
    .map((lines) => lines.flat().join(""));

  it("quotes lines of the log in order, the cause among them, and is repeatable", () => {
    fc.assert(
      fc.property(log, fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }), (text, exitCode) => {
        const input = { log: text, ...(exitCode !== undefined && { exitCode }) };
        const { cause, alsoSeen, confidence } = diagnose(input);
        const lines = text.split(/\r\n|\r|\n/);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        for (const { logLine } of alsoSeen) expect(logLine).toBeLessThanOrEqual(lines.length);
        if (cause) {
          const numbers = cause.excerpt.map(({ number }) => number);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          expect(numbers).toContain(cause.logLine);
          expect(numbers.every((number) => number >= 1 && number <= lines.length)).toBe(true);
        }
        expect(diagnose(input)).toEqual(diagnose(input));
      }),
      { numRuns: runs(20) },
    );
  });

  it.each([
    [
      "vitest",
      " FAIL  a.test.ts > adds\nAssertionError: expected 1 to be 2\n FAIL  a.test.ts > divides\nAssertionError: expected 3 to be 4\n",
      2,
    ],
    [
      "pytest",
      "FAILED test_a.py::test_adds - assert 1 == 2\nFAILED test_a.py::test_divides - assert 3 == 4\n",
      1,
    ],
    [
      "cargo",
      "thread 'tests::adds' panicked at src/lib.rs:5:25:\nthread 'tests::divides' panicked at src/lib.rs:6:27:\n",
      1,
    ],
  ])("takes the first of several failing tests under %s as the cause", (_, log, line) => {
    expect(diagnose({ log, exitCode: 1 }).cause?.logLine).toBe(line);
  });

  it("does not take the panic of a program for a failing test", () => {
    const log = "thread 'main' panicked at src/main.rs:4:22:\nindex out of bounds\n";
    const { category, suggestions } = diagnose({ log, command: "cargo run", exitCode: 101 });
    expect(category).toBe("unknown");
    expect(suggestions.map(({ command }) => command ?? "").filter((each) => / test /.test(each))).toEqual([]);
  });
});
