import { describe, expect, it } from "vitest";
import { type Ecosystem, ecosystemCalled } from "../../../../src/tools/self-healing/categories.ts";
import { cleanLine } from "../../../../src/tools/self-healing/diagnosing/clean-line.ts";
import { categoryOfGoal, namesGoal } from "../../../../src/tools/self-healing/diagnosing/maven-goal.ts";
import {
  isAside,
  isBoilerplate,
  isCommand,
  isFrame,
  isProperty,
  isQuoted,
  tellsOfNoFailure,
} from "../../../../src/tools/self-healing/diagnosing/negation.ts";
import {
  BUILD_SUCCEEDED,
  endsFailedStep,
  PART_SUCCEEDED,
} from "../../../../src/tools/self-healing/diagnosing/outcome.ts";
import { isForeign } from "../../../../src/tools/self-healing/diagnosing/own-file.ts";

/** Asserts a result for all lines, with a message that names the lines that are misread. */
const expectAll = (lines: readonly string[], holds: (line: string) => boolean, expected: boolean) => {
  expect(lines.filter((line) => holds(line) !== expected)).toEqual([]);
};

describe("cleanLine()", () => {
  it.each([
    ["2026-01-15T12:00:00.1234567Z npm error", "npm error"],
    ["[2026-01-15 12:00:00,123] npm error", "npm error"],
    ["2026-01-15T12:00:00+0100 npm error", "npm error"],
    ["[task 2026-01-15T12:00:00.123Z] npm error", "npm error"],
    ["12:00:00 npm error", "npm error"],
    ["[12:00:00.123] npm error", "npm error"],
    ["#12 1.234 npm error", "npm error"],
    ["#12 npm error", "npm error"],
    ["web-1  | npm error", "npm error"],
    ["web  | npm error", "npm error"],
    ["@acme/web:build: npm error", "npm error"],
    ["web:test: npm error", "npm error"],
    ["web:test:unit: npm error", "npm error"],
    ["packages/web lint: npm error", "npm error"],
    [". lint: npm error", "npm error"],
    ["2026-01-15T12:00:00.1234567Z 2026/01/15 12:00:00 npm error", "npm error"],
    ["#12 1.234 12:00:00 npm error", "npm error"],
    ["test\tRun npm test\t2026-01-15T12:00:00Z npm error", "npm error"],
    ["\u001b[31mnpm \u001b[1merror\u001b[0m", "npm error"],
    ["\u001b]8;;https://a\u0007npm\u001b]8;;\u0007 error\ufeff", "npm error"],
    ["[ acme/shop ] npm error", "npm error"],
    ["[ OK ] npm error", "[ OK ] npm error"],
    ["Semantic Analysis [12/340] a.zig:1:2: error: x", "a.zig:1:2: error: x"],
    ["# Error: no package", "Error: no package"],
    ["# npm error", "# npm error"],
    ["       > npm error", "npm error"],
    ["a | b", "b"],
    ["A | b", "A | b"],
    ["web:serve: npm error", "web:serve: npm error"],
    ["cart lint: npm error", "cart lint: npm error"],
    ["a\tb\tc", "a\tb\tc"],
    ["see 12:00:00", "see 12:00:00"],
  ])("turns %j into %j", (raw, text) => expect(cleanLine(raw).text).toBe(text));

  it.each([
    ["[ERROR] it broke", "it broke", "error"],
    ["##[error]it broke", "it broke", "error"],
    ["[fatal]: it broke", "it broke", "error"],
    ["[SEVERE] it broke", "it broke", "error"],
    ["::error file=a.ts,line=1::it broke", "it broke", "error"],
    ["ERROR - it broke", "it broke", "error"],
    ["  CRITICAL  - it broke", "it broke", "error"],
    ["[WARNING] it may", "it may", "warning"],
    ["[warn] it may", "it may", "warning"],
    ["::warning::it may", "it may", "warning"],
    ["warning: it may", "warning: it may", "warning"],
    ["npm warn it may", "npm warn it may", "warning"],
    ["WARN  [x] it may", "WARN  [x] it may", "warning"],
    ["[notice] it is", "it is", "info"],
    ["INFO: it is", "INFO: it is", "info"],
    ["INFO:root:it is", "INFO:root:it is", "info"],
    ["npm notice it is", "npm notice it is", "info"],
    ["pnpm http fetch", "pnpm http fetch", "info"],
    ["##[group]it is", "it is", "debug"],
    ["##[endgroup]", "", "debug"],
    ["##[section]it is", "it is", "debug"],
    ["[command]it is", "it is", "debug"],
    ["::debug::it is", "it is", "debug"],
    ["[trace] it is", "it is", "debug"],
    ["Error: it broke", "Error: it broke", undefined],
    ["INFORM: it is", "INFORM: it is", undefined],
    ["[ERRONEOUS] it is", "[ERRONEOUS] it is", undefined],
    ["warned", "warned", undefined],
  ])("reads from %j the text %j with level %s", (raw, text, level) => {
    expect(cleanLine(raw)).toEqual(level === undefined ? { text } : { text, level });
  });
});

describe("tellsOfNoFailure()", () => {
  it("returns true for lines with words of failure that report none", () => {
    expectAll(
      [
        "0 errors",
        "no failures",
        "zero problems",
        "without any errors",
        "found 0 new issues",
        "0 known vulnerabilities",
        "no files exceeded",
        "errors: 0",
        "failed=0",
        '"failed": false',
        "problems: none",
        "fail-fast: true",
        "continue-on-error",
        "if-no-files-found: error",
        "on_failure: retry",
        "error-level",
        "errorfile",
        "error handling of it",
        "exception messages",
        "failure report",
        "error codes table",
        "error pages",
        "recovered from it",
        "error ignored",
        "non-fatal",
        "will retry",
        "retrying it",
        "falling back to it",
        "test error ... ok",
        "checks errors: passed",
        "debconf: unable to initialise",
        "invoke-rc.d: failed",
        "✓ fails on it",
        "PASS src/error.test.ts",
        "ok 5 - fails on errors",
        "--- PASS: TestFails",
        "[       OK ] Errors.Fails",
      ],
      tellsOfNoFailure,
      true,
    );
  });

  it("returns false for lines that report a failure", () => {
    expectAll(
      [
        "1 error",
        "10 errors",
        "errors: 10",
        "failed=1",
        "error: it broke",
        "an exception was thrown",
        "timed out retrying",
        "FAIL src/a.test.ts",
        "not ok 5",
        "failure of it",
      ],
      tellsOfNoFailure,
      false,
    );
  });
});

describe("a line of a log", () => {
  it("is recognised as an echoed command", () => {
    expectAll(
      [
        "+ npm test",
        "++ git log",
        "$ npm test",
        "> git fetch",
        "> tsc --noEmit",
        "Run npm test",
        "shell: /bin/bash -e",
        "  node-version: 20",
        "Downloading a.jar",
        "Compiling a v1.0",
        "[12/40] Building CXX object",
        "  CC a.o",
        "inflating: error.txt",
        "/usr/bin/gcc -c -o a.o a.c -Wall -Wextra -Ierrors -Iinclude",
        "x -Werror -o a",
      ],
      isCommand,
      true,
    );
    expectAll(
      ["npm ERR! x", "Running tests", "gcc: error: a", "error: -Werror", "> Error: x"],
      isCommand,
      false,
    );
  });

  it("is recognised as quoted source or as a stack frame", () => {
    const frames = [
      "    at load (/app/a.js:1:2)",
      "    at async load (/app/a.js:1:2)",
      "    at file:///app/a.js:1:2",
      "    at node:internal/x:1:2",
      "\tat com.acme.A.b(A.java:5)",
      "    ... 12 more",
      '  File "/app/a.py", line 3, in x',
      "\t/app/a.go:5 +0x1d",
      "#1 0x4005f",
      "   3: 0x55d",
      "  3: core::panicking::panic",
      "from /app/a.rb:5:in `x'",
      "#0 /app/a.php(5): x()",
    ];
    expectAll(frames, isFrame, true);
    expectAll(
      [
        ...frames,
        "  12 | const a = 1;",
        "> 12 | b",
        "    ^^^^",
        "    throw new Error('x')",
        "    return a",
        "}",
        "});",
        "-   a",
        "    await x()",
        "  call(a);",
      ],
      isQuoted,
      true,
    );
    expectAll(
      ["Error: x", "at last it broke", "TypeError: x is not a function", "throw it", "12 errors"],
      isQuoted,
      false,
    );
    expectAll(["  12 | a", "at last it broke"], isFrame, false);
  });

  it("is recognised as a property of an error, an aside or boilerplate", () => {
    expectAll(
      ["  code: 'ENOENT'", "npm ERR! errno -2", "npm error path /a", "syscall: 'open',"],
      isProperty,
      true,
    );
    expectAll(["exit code: 1", "coder: x", "code"], isProperty, false);
    expectAll(
      ["uploading it", "sends metrics", "notify the team", "restoring cache", "publishing the reports"],
      isAside,
      true,
    );
    expectAll(["loading it", "notable", "cache it"], isAside, false);
    expectAll(
      [
        "Module not found: Error: Can't resolve '@acme/analytics' in '/w/src'",
        "ModuleNotFoundError: No module named 'metrics'",
        "src/email/send.ts: broke",
        "lib/notify.rb: broke",
        "no such crate: slack-client",
      ],
      isAside,
      false,
    );
    expectAll(
      [
        "[Help 1] http",
        "Re-run Maven with",
        "To see the full stack trace",
        "  mvn <goals> -rf :a",
        "Please refer to",
      ],
      isBoilerplate,
      true,
    );
    expectAll(["see [Help me]", "Helping", "I re-run Maven"], isBoilerplate, false);
  });
});

describe("the outcome of a build", () => {
  const matches = (patterns: readonly RegExp[]) => (line: string) => patterns.some((each) => each.test(line));

  it("is recognised as success of the whole build", () => {
    expectAll(
      [
        "BUILD SUCCESS",
        "BUILD SUCCESSFUL in 5s",
        "** BUILD SUCCEEDED **",
        "Build succeeded.",
        "Build completed successfully",
        "Finished: SUCCESS",
        "Job succeeded",
        "Pipeline passed",
        "Overall status: success",
        "Process completed with exit code 0",
        "Return code: 0",
        'The command "x" exited with 0.',
        "Done. Your build exited with 0.",
      ],
      matches(BUILD_SUCCEEDED),
      true,
    );
    expectAll(
      ["BUILD FAILED", "Finished: FAILURE", "Return code: 01", "exit code 0", "the job succeeded"],
      matches(BUILD_SUCCEEDED),
      false,
    );
  });

  it("is recognised as success of a part of the build", () => {
    expectAll(
      [
        "test result: ok. 5 passed",
        "    Finished `dev` profile in 1.2s",
        "ok  \tacme/a\t0.5s",
        "ok  \tacme/a\t(cached)",
        "0 errors",
        "no problems",
        "# fail 0",
        "OK (5 tests, 7 assertions)",
        "100% tests passed",
        "All checks passed!",
        "all tests pass",
        "All done!",
        "✨ Done",
        "Executed 5 of 5 SUCCESS",
        "TOTAL: 5 SUCCESS",
        "ok=1 unreachable=0    failed=0",
        "#12 naming to docker.io/a",
        "Tests: 5 passed, 5 total",
        "Test Suites: 1 passed",
        "=== 5 passed in 1s",
        "  5 passing",
        "5 examples, 0 failures",
        "12 tests, 20 assertions, 0 failures",
        "Passed!  - Failed:     0",
        "it was successfully built",
        "Successfully installed a",
        "Done in 1.2s",
        "built in 3s",
        "added 12 packages",
        "up to date in 1s",
        "Apply complete",
        "audited 12 packages",
      ],
      matches(PART_SUCCEEDED),
      true,
    );
    expectAll(
      [
        "0 errors, 3 failures",
        "Tests: 1 failed, 5 passed",
        "5 passed, 1 failed",
        "Executed 4 of 5 SUCCESS",
        "unreachable=1 failed=0",
        "5 examples, 1 failures",
        "0 examples, 0 failures, 1 error occurred outside of examples",
        "12 runs, 20 assertions, 0 failures, 2 errors, 0 skips",
        "test result: FAILED",
        "successfully failed",
        "10 errors",
        "not all done",
      ],
      matches(PART_SUCCEEDED),
      false,
    );
  });

  it("is recognised as the end of a failed step", () => {
    expectAll(
      [
        "Error: Process completed with exit code 1.",
        "Job failed: exit status 1",
        "Error: The process '/usr/bin/git' failed with exit code 128",
        "Bash exited with code '1'.",
        "Exited with code exit status 2",
        'The command "make" exited with 2.',
        "Build step 'Execute shell' marked build as failure",
        "script returned exit code 1",
      ],
      endsFailedStep,
      true,
    );
    expectAll(
      ["Process completed with exit code 0", "exit code 1", 'The command "make" exited with 0.'],
      endsFailedStep,
      false,
    );
  });
});

describe("categoryOfGoal()", () => {
  const failed = (plugin: string, goal = "run") =>
    categoryOfGoal(`Failed to execute goal org.acme:${plugin}:1.2:${goal} (default) on project a`);

  it.each([
    ["maven-surefire-plugin", "test_failure"],
    ["jacoco-maven-plugin", "test_failure"],
    ["maven-enforcer-plugin", "version_mismatch"],
    ["maven-checkstyle-plugin", "lint"],
    ["spotless-maven-plugin", "lint"],
    ["flatten-maven-plugin", "dependency_resolution"],
    ["maven-compiler-plugin", "compile_error"],
    ["kotlin-maven-plugin", "compile_error"],
    ["unheard-plugin", undefined],
  ])("maps the plugin %s to %s", (plugin, category) => expect(failed(plugin)).toBe(category));

  it("returns dependency_resolution without a plugin, and undefined for other lines", () => {
    expect(categoryOfGoal("Failed to execute goal on project a: x")).toBe("dependency_resolution");
    expect(categoryOfGoal("Could not resolve dependencies for a")).toBe("dependency_resolution");
    expect(categoryOfGoal("maven-surefire-plugin")).toBeUndefined();
    expect([namesGoal("x Failed to execute goal y"), namesGoal("Failed to execute")]).toEqual([true, false]);
  });
});

describe("ecosystemCalled()", () => {
  it.each<[Ecosystem, string]>([
    ["node", "node JavaScript typescript js ts nodejs npm yarn pnpm bun deno"],
    ["python", "python pip poetry uv conda py"],
    ["maven", "java mvn"],
    ["gradle", "kotlin android"],
    ["sbt", "scala"],
    ["go", "golang"],
    ["rust", "cargo"],
    ["dotnet", "csharp C# .NET nuget msbuild"],
    ["ruby", "bundler rails"],
    ["php", "composer laravel"],
    ["c", "c++ cpp cmake make bazel"],
    ["swift", "xcode ios"],
    ["dart", "flutter"],
    ["elixir", "erlang"],
    ["haskell", "stack cabal"],
    ["docker", "container"],
    ["kubernetes", "helm kubectl"],
    ["terraform", "tofu"],
    ["shell", "bash sh"],
  ])("returns %s for the names %s", (ecosystem, names) => {
    for (const name of names.split(" "))
      expect([name, ecosystemCalled(` ${name} `)]).toEqual([name, ecosystem]);
  });

  it("returns undefined for unknown names", () => {
    expect([ecosystemCalled("cobol"), ecosystemCalled("constructor"), ecosystemCalled("")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it("isForeign() recognises files that are not the user's own", () => {
  expectAll(
    [
      "node:fs",
      "internal/modules/cjs/loader.js",
      "/app/node_modules/pg/index.js",
      "/usr/lib/python3.11/json.py",
      "/app/.venv/lib/python3/site-packages/a.py",
      "<frozen importlib>",
      "[eval]",
      "/home/me/.cargo/registry/a.rs",
      "deps/phoenix/lib/a.ex",
      "/home/me/go/pkg/mod/a.go",
      ".next/server/a.js",
      "manage.py",
      "webpack:///a",
      "https://a/b.js",
      "/usr/include/a.h",
      "/opt/hostedtoolcache/a",
      "/tmp/a.js",
      "/private/var/folders/a",
      "C:\\Program Files\\a",
      "C:\\Users\\ada\\AppData\\Local\\Temp\\a.targets",
      "/home/builduser/buildslave/unity/build/a.h",
      "vendor/a.php",
    ],
    isForeign,
    true,
  );
  expectAll(
    [
      "src/a.js",
      "/usr/src/app/a.js",
      "/home/me/app/a.js",
      "lib/a.rb",
      "src/vendored/a.js",
      "internal/a.go",
      "C:\\code\\a.cs",
      "C:\\Users\\ada\\code\\a.cs",
    ],
    isForeign,
    false,
  );
});
