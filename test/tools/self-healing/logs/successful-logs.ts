/** A log of a successful build, full of words that resemble failures. */
export interface SuccessfulLog {
  name: string;
  log: string;
}

const of = (name: string, ...lines: string[]): SuccessfulLog => ({ name, log: `${lines.join("\n")}\n` });

/** Noise that any build may print before the tool's last lines. */
const NOISE: readonly (readonly [name: string, lines: readonly string[]])[] = [
  [
    "deprecations",
    [
      "npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory",
      "warning: unused variable: `error`",
    ],
  ],
  [
    "a logged exception",
    [
      "2026-03-04 10:20:30 WARN shop.Cart - retrying after connection failure",
      "java.net.ConnectException: Connection refused",
      "\tat java.base/sun.nio.ch.Net.connect0(Native Method)",
    ],
  ],
  [
    "names of files",
    ["compiling src/errors/fatal-error.ts", "copying build/404-not-found.html", "adding error_handler.rb"],
  ],
  [
    "tests of failures",
    [
      "✓ throws an error when the disk is full (3 ms)",
      "✓ fails with ENOENT for a missing file",
      "ok 3 - rejects: permission denied",
    ],
  ],
  [
    "a caught exception",
    [
      "Traceback (most recent call last):",
      '  File "/app/shop/cache.py", line 3, in read',
      "    raise KeyError(key)",
      "KeyError: 'cart'",
      "cache is cold, reading from the database",
    ],
  ],
];

const ENDINGS: readonly (readonly [name: string, lines: readonly string[]])[] = [
  [
    "jest",
    [
      "Test Suites: 4 passed, 4 total",
      "Tests:       31 passed, 31 total",
      "Snapshots:   0 total",
      "Ran all test suites.",
    ],
  ],
  ["vitest", [" Test Files  4 passed (4)", "      Tests  31 passed (31)", "   Duration  1.21s"]],
  [
    "pytest",
    ["============================== 31 passed, 2 warnings in 1.21s =============================="],
  ],
  [
    "cargo",
    ["test result: ok. 31 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s"],
  ],
  [
    "Maven",
    [
      "[INFO] Tests run: 31, Failures: 0, Errors: 0, Skipped: 0",
      "[INFO] BUILD SUCCESS",
      "[INFO] Total time:  3.2 s",
    ],
  ],
  ["Gradle", ["BUILD SUCCESSFUL in 12s", "7 actionable tasks: 7 executed"]],
  ["Jenkins", ["Archiving artifacts", "Finished: SUCCESS"]],
  ["GitLab", ["Cleaning up project directory and file based variables", "Job succeeded"]],
];

const combined = NOISE.flatMap(([noise, before]) =>
  ENDINGS.map(([tool, after]) => of(`${tool} after ${noise}`, ...before, ...after)),
);

const single = [
  of("tsc", "Found 0 errors."),
  of("tsc without a word", ""),
  of(
    "ESLint with warnings",
    "/app/src/cart.js",
    "  20:1  warning  Unexpected console statement  no-console",
    "",
    "✖ 1 problem (0 errors, 1 warning)",
  ),
  of("esbuild", "  dist/shop.js  35.3kb", "", "⚡ Done in 7ms"),
  of(
    "webpack with a warning",
    "WARNING in asset size limit: The following asset(s) exceed the recommended size limit (244 KiB).",
    "webpack 5.90.0 compiled with 1 warning in 1204 ms",
  ),
  of(
    "Vite",
    "vite v5.1.0 building for production...",
    "✓ 34 modules transformed.",
    "dist/index.html  0.46 kB │ gzip: 0.30 kB",
    "✓ built in 1.02s",
  ),
  of(
    "Next.js",
    " ✓ Compiled successfully",
    "   Linting and checking validity of types ...",
    " ✓ Generating static pages (12/12)",
    "○ /404    181 B    84.3 kB",
    "○ /500    181 B    84.3 kB",
  ),
  of(
    "npm install",
    "npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported",
    "",
    "added 120 packages, and audited 121 packages in 4s",
    "found 0 vulnerabilities",
  ),
  of(
    "npm audit",
    "added 120 packages, and audited 121 packages in 4s",
    "",
    "3 moderate severity vulnerabilities",
    "",
    "To address all issues, run:",
    "  npm audit fix",
  ),
  of(
    "yarn",
    "[1/4] Resolving packages...",
    'warning " > old-widget@1.0.0" has unmet peer dependency "react@^17".',
    "[4/4] Building fresh packages...",
    "✨  Done in 3.21s.",
  ),
  of(
    "pip",
    "Collecting flask",
    "  Downloading flask-3.0.0-py3-none-any.whl (99 kB)",
    "Successfully installed flask-3.0.0 werkzeug-3.0.1",
    "[notice] A new release of pip is available: 23.0.1 -> 24.0",
  ),
  of("mypy", "Success: no issues found in 14 source files"),
  of("Ruff", "All checks passed!"),
  of("black", "All done! ✨ 🍰 ✨", "15 files would be left unchanged."),
  of(
    "unittest",
    "....",
    "----------------------------------------------------------------------",
    "Ran 4 tests in 0.001s",
    "",
    "OK",
  ),
  of(
    "go test",
    "ok  \texample.org/shop\t0.012s",
    "ok  \texample.org/shop/errors\t(cached)",
    "?   \texample.org/shop/cmd\t[no test files]",
  ),
  of(
    "cargo build with a warning",
    "warning: unused variable: `error`",
    " --> src/error.rs:3:9",
    "  |",
    "3 |     let error = 19;",
    "  |         ^^^^^ help: if this is intentional, prefix it with an underscore",
    "",
    'warning: `shop` (bin "shop") generated 1 warning',
    "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.52s",
  ),
  of(
    "GCC with a warning",
    "cart.c: In function 'total':",
    "cart.c:12:7: warning: unused variable 'error' [-Wunused-variable]",
    "   12 |   int error;",
    "      |       ^~~~~",
  ),
  of(
    "CMake",
    "-- Looking for pthread_create in pthreads - not found",
    "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)",
    "-- Configuring done",
    "-- Generating done",
    "-- Build files have been written to: /app/build",
  ),
  of("make", "cc -Wall -Werror -c error.c -o error.o", "cc -o shop main.o error.o"),
  of("ctest", "100% tests passed, 0 tests failed out of 12", "", "Total Test time (real) =   0.31 sec"),
  of(
    "configure",
    "checking for strerror_r... yes",
    "checking whether strerror_r fails... no",
    "config.status: creating Makefile",
  ),
  of(
    "dotnet build",
    "Build succeeded.",
    "    0 Warning(s)",
    "    0 Error(s)",
    "",
    "Time Elapsed 00:00:02.31",
  ),
  of(
    "dotnet test",
    "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 40 ms - Shop.Tests.dll (net8.0)",
  ),
  of(
    "RSpec",
    "....",
    "",
    "Finished in 0.0123 seconds (files took 0.1 seconds to load)",
    "4 examples, 0 failures",
  ),
  of(
    "RuboCop",
    "Inspecting 55 files",
    ".......................................................",
    "",
    "55 files inspected, no offenses detected",
  ),
  of("PHPUnit", "OK (4 tests, 4 assertions)"),
  of(
    "Composer",
    "Nothing to install, update or remove",
    "Generating optimized autoload files",
    "No security vulnerability advisories found.",
  ),
  of(
    "Docker build",
    "#9 [5/7] RUN npm ci",
    "#9 DONE 4.1s",
    "#12 exporting to image",
    "#12 naming to docker.io/library/shop:latest done",
    "#12 DONE 0.3s",
  ),
  of(
    "an older Docker",
    'Step 7/7 : CMD ["node", "error.js"]',
    "Successfully built 1a2b3c4d5e6f",
    "Successfully tagged shop:latest",
  ),
  of("terraform apply", "Apply complete! Resources: 3 added, 0 changed, 0 destroyed."),
  of("kubectl", 'deployment "shop" successfully rolled out'),
  of("helm", 'Release "shop" has been upgraded. Happy Helming!', "STATUS: deployed"),
  of(
    "Ansible",
    "PLAY RECAP *****",
    "web1                       : ok=4    changed=1    unreachable=0    failed=0    skipped=0    rescued=0    ignored=0",
  ),
  of("xcodebuild", "warning: 'UIWebView' was deprecated in iOS 12.0", "** BUILD SUCCEEDED **"),
  of("flutter test", "00:03 +12: All tests passed!"),
  of("mix test", "............", "Finished in 0.1 seconds (0.05s async, 0.05s sync)", "12 tests, 0 failures"),
  of("Playwright", "  12 passed (33.1s)"),
  of("mocha", "  31 passing (204ms)", "  2 pending"),
  of("node --test", "# tests 31", "# pass 31", "# fail 0", "# cancelled 0"),
  of("TAP", "ok 1 - rejects an error", "ok 2 - not ok is not a failure # TODO", "# ok"),
  of(
    "git",
    "Cloning into 'shop'...",
    "remote: Enumerating objects: 120, done.",
    "Receiving objects: 100% (120/120), done.",
  ),
  of(
    "GitHub Actions",
    "2026-03-04T10:20:30.1234567Z ##[group]Run actions/checkout@v4",
    "2026-03-04T10:20:30.2234567Z with:",
    "2026-03-04T10:20:30.3234567Z   if-no-files-found: error",
    "2026-03-04T10:20:30.4234567Z   continue-on-error: false",
    "2026-03-04T10:20:30.5234567Z ##[endgroup]",
    "2026-03-04T10:20:31.1234567Z ##[warning]Node.js 16 actions are deprecated.",
    "2026-03-04T10:20:32.1234567Z Post job cleanup.",
    "2026-03-04T10:20:33.1234567Z Cleaning up orphan processes",
  ),
  of(
    "a retry that helped",
    "curl: (6) Could not resolve host: downloads.acme.test, retrying in 1 s",
    "warning: retrying after ECONNRESET (attempt 1)",
    "downloaded shop.tar.gz",
    "Successfully installed shop",
  ),
  of(
    "words alone",
    "0 errors, 0 failures",
    "recovered; ERROR_LEVEL=0; tests: error handling ... ok",
    "no errors found",
  ),
  of("an error page", "GET /error 200 12ms", "GET /errors/list 200 3ms", "rendered error.html"),
  of("a progress bar", "\rfetching   0%\rfetching  50%\rfetching 100%\rfetching 100%, 0 failed\n", "done"),
  of(
    "colours",
    "\u001b[32m✓\u001b[39m handles errors",
    "\u001b[32m1 passed\u001b[39m \u001b[2m(2ms)\u001b[22m",
    "\u001b[1mFailed:\u001b[22m 0",
  ),
  of(
    "Bazel",
    "INFO: Build completed successfully, 12 total actions",
    "//cart:test PASSED in 0.3s",
    "Executed 1 out of 1 test: 1 test passes.",
  ),
  of(
    "sbt",
    "[info] compiling 3 Scala sources to /app/target ...",
    "[success] Total time: 3 s, completed Mar 4, 2026",
  ),
  of(
    "pre-commit",
    "trim trailing whitespace.................................................Passed",
    "check for merge conflicts................................................Passed",
    "flake8...................................................................Passed",
  ),
  of("golangci-lint", "0 issues."),
  of("Prettier", "Checking formatting...", "All matched files use Prettier code style!"),
  of("Biome", "Checked 214 files in 212ms. No fixes applied."),
  of("Lighthouse", "error-on-warning: false", "Done running Lighthouse!"),
  of("empty", ""),
  of("blank lines", "", "", ""),
];

export const SUCCESSFUL_LOGS: readonly SuccessfulLog[] = [...single, ...combined];
