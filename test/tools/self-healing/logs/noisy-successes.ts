/** Longer logs of successful builds, each with text that resembles a failure in its ecosystem. */
const LOGS: Record<string, string> = {
  "Maven with a test that logs stack traces": `
[INFO] --- surefire:3.2.5:test (default-test) @ shop ---
[INFO] Running org.acme.CartErrorTest
10:20:30.123 [main] ERROR org.acme.Cart - could not reach the warehouse
java.io.IOException: Connection reset by peer
	at org.acme.Warehouse.ask(Warehouse.java:31)
	at org.acme.CartErrorTest.failsSoftly(CartErrorTest.java:12)
[INFO] Tests run: 8, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.2 s -- in org.acme.CartErrorTest
[INFO]
[INFO] Results:
[INFO]
[INFO] Tests run: 8, Failures: 0, Errors: 0, Skipped: 0
[INFO] ------------------------------------------------------------------------
[INFO] BUILD SUCCESS
[INFO] ------------------------------------------------------------------------`,
  "Gradle with deprecations": `
> Task :compileJava
Note: /app/src/ErrorPage.java uses unchecked or unsafe operations.
> Task :test
ErrorPageTest > shows an error() PASSED
ErrorPageTest > throwsOnFailure() PASSED

Deprecated Gradle features were used in this build, making it incompatible with Gradle 9.0.

BUILD SUCCESSFUL in 14s`,
  "Cargo with tests that are to panic": `
test tests::error_1 - should panic ... error: cannot open file

thread 'tests::error_1' (412) panicked at src/lib.rs:2:61:
fatal: disk full
stack backtrace:
   0: shop::tests::error_1
             at ./src/lib.rs:2:61
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
ok

thread 'tests::error_2' (413) panicked at src/lib.rs:3:61:
error: cannot open file
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616/library/std/src/panicking.rs:689:5
   1: shop::tests::error_2
             at ./src/lib.rs:3:61
ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s`,
  "Doxygen without Graphviz": `
Generating file index...
Generating hierarchy...sh: 1: dot: not found
/home/dev/shop/html/graph_legend.dot:1: error: Problems running dot: exit code=127, command='dot', arguments='"graph_legend.dot"'
finalizing index lists...
finished...`,
  "a build that asks Git for a version that it does not have": `
fatal: No names found, cannot describe anything.
using version 0.0.0-dev
test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s`,
  "Jest with console.error": `
PASS src/errors.test.js
  ● Console

    console.error
      Error: the server is down
          at Object.<anonymous> (src/errors.test.js:4:11)

      at log (src/log.js:2:11)

Test Suites: 1 passed, 1 total
Tests:       4 passed, 4 total
Snapshots:   0 total
Time:        0.812 s`,
  "Vitest with stderr": `
stderr | test/queue.test.ts > queue > gives up after three failures
Error: ECONNREFUSED
    at connect (/app/src/queue.ts:12:9)

 ✓ test/queue.test.ts (3 tests) 12ms
 ✓ test/error.test.ts (9 tests) 30ms

 Test Files  2 passed (2)
      Tests  12 passed (12)
   Start at  10:20:30
   Duration  402ms`,
  "pytest, verbose": `
============================= test session starts ==============================
collected 4 items

tests/test_errors.py::test_raises_value_error PASSED                     [ 25%]
tests/test_errors.py::test_failed_login PASSED                           [ 50%]
tests/test_errors.py::test_timeout_error PASSED                          [ 75%]
tests/test_errors.py::test_known_bug XFAIL (upstream error)              [100%]

=============================== warnings summary ===============================
tests/test_errors.py::test_failed_login
  /app/shop.py:3: DeprecationWarning: invalid escape sequence '\\d'
    re.compile("\\d")

-- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html
=================== 3 passed, 1 xfailed, 1 warning in 0.08s ====================`,
  "cargo test": `
   Compiling thiserror v1.0.57
   Compiling anyhow v1.0.80
   Compiling failure v0.1.8
    Finished test [unoptimized + debuginfo] target(s) in 4.31s
     Running unittests src/lib.rs (target/debug/deps/shop-0a1b2c3d)

running 3 tests
test error::tests::panics_on_overflow - should panic ... ok
test error::tests::fails_to_parse ... ok
test io::permission_denied ... ok

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`,
  "cargo with an audit": `
    Fetching advisory database from https://github.com/RustSec/advisory-db.git
      Loaded 612 security advisories (from /home/runner/.cargo/advisory-db)
    Scanning Cargo.lock for vulnerabilities (120 crate dependencies)
warning: 1 allowed warning found`,
  "go, verbose": `
=== RUN   TestErrorIsWrapped
    errors_test.go:12: got error: open missing.txt: no such file or directory
--- PASS: TestErrorIsWrapped (0.00s)
=== RUN   TestPanicIsCaught
2026/03/04 10:20:30 panic recovered: runtime error: index out of range
--- PASS: TestPanicIsCaught (0.00s)
PASS
ok  	example.org/shop	0.004s`,
  "go build and vet": `
go: downloading github.com/pkg/errors v0.9.1
go: downloading github.com/hashicorp/go-multierror v1.1.1
go vet ./...
go build ./...`,
  "golangci-lint with a deprecated linter": `
level=warning msg="The linter 'deadcode' is deprecated (since v1.49.0) due to: The owner seems to have abandoned the linter."
level=info msg="[runner] linters took 1.2s with stages: goanalysis_metalinter: 1.1s"
0 issues.`,
  "npm ci with optional packages": `
npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'old@1.0.0',
npm warn EBADENGINE   required: { node: '<18' },
npm warn EBADENGINE   current: { node: 'v20.11.0', npm: '10.2.4' }
npm warn EBADENGINE }
npm warn optional SKIPPING OPTIONAL DEPENDENCY: Unsupported platform for fsevents@2.3.3

added 812 packages, and audited 813 packages in 12s

121 packages are looking for funding
  run \`npm fund\` for details

2 vulnerabilities (1 moderate, 1 high)

To address all issues, run:
  npm audit fix --force

Run \`npm audit\` for details.`,
  pnpm: `
Lockfile is up to date, resolution step is skipped
Progress: resolved 412, reused 412, downloaded 0, added 412, done
 WARN  Issues with peer dependencies found
.
└─┬ eslint-plugin-old 1.0.0
  └── ✕ unmet peer eslint@^7: found 8.57.0
Done in 3.2s`,
  "yarn berry": `
➤ YN0000: ┌ Resolution step
➤ YN0002: │ shop@workspace:. doesn't provide typescript (p1a2b3), requested by ts-node
➤ YN0000: └ Completed
➤ YN0000: · Done with warnings in 2s 104ms`,
  "webpack's list of modules": `
asset errors.js 12.1 KiB [emitted] (name: errors)
asset 500.html 1.1 KiB [emitted]
./src/error-boundary.js 1.2 KiB [built] [code generated]
./node_modules/fatal-error/index.js 812 bytes [built]
webpack 5.90.3 compiled successfully in 812 ms`,
  Angular: `
✔ Browser application bundle generation complete.
Initial chunk files | Names         |  Raw size
main.js             | main          | 312.10 kB
error-page.js       | error-page    |   2.10 kB

Warning: bundle initial exceeded maximum budget. Budget 300.00 kB was not met by 12.10 kB with a total of 312.10 kB.

Build at: 2026-03-04T10:20:30.123Z - Hash: 1a2b3c4d - Time: 8123ms`,
  "Rollup with warnings": `
src/index.js → dist/index.js...
(!) Circular dependency
src/errors.js -> src/fail.js -> src/errors.js
(!) Missing exports
created dist/index.js in 312ms`,
  "Storybook and a broken source map": `
info => Starting manager..
WARN Failed to load ./node_modules/old/index.js.map: no source map, continuing
info => Output directory: /app/storybook-static
info => Preview built (12 s)`,
  Cypress: `
  errors
    ✓ shows "Something went wrong" (812ms)
    ✓ returns 500 (120ms)


  2 passing (1s)

  (Results)
  │ Tests:        2                                                                    │
  │ Passing:      2                                                                    │
  │ Failing:      0                                                                    │

  ✔  All specs passed!                        00:01        2        2        -        -        -`,
  "Playwright with a retry": `
Running 12 tests using 2 workers
  1 flaky
    [chromium] › cart.spec.ts:12:5 › shows an error ────────────────
  11 passed (31.2s)`,
  "Playwright's report of a test that passed when it was tried again": `
Running 2 tests using 1 worker

  ✘  1 cart.spec.js:2:1 › pays (37ms)
  ✓  2 cart.spec.js:2:1 › pays (retry #1) (9ms)
  ✓  3 cart.spec.js:3:1 › ships (35ms)

  1) cart.spec.js:2:1 › pays ─────────────────────

    Error: expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 0

        at /home/dev/app/cart.spec.js:2:55

  1 flaky
    cart.spec.js:2:1 › pays ──────────────────────
  1 passed (4.7s)`,
  "gfortran's warning, whose place stands above it": `
cart.f90:2:13:

    2 |  integer :: n
      |             1
Warning: Unused variable 'n' declared at (1) [-Wunused-variable]`,
  "cmocka, a test that prints an error": `
[==========] Running 1 test(s).
[ RUN      ] fails
error: expected
[       OK ] fails
[==========] 1 test(s) run.
[  PASSED  ] 1 test(s).`,
  "go test -v, a test that logs an error and says what it saw": `
=== RUN   TestErrorIsReturned
2026/11/30 18:45:30 ERROR: dial tcp 127.0.0.1:5432: connection refused
    cart_test.go:3: failed as it should
--- PASS: TestErrorIsReturned (0.00s)
PASS
ok  	acme.test/cart	0.002s`,
  "gulp, a task that writes an error": `
[18:45:33] Starting 'check'...
Error: warning only
[18:45:33] Finished 'check' after 1.2 ms`,
  "Node's tests, of which one is still to do": `
✔ not found error (0.9ms)
✖ later (0.335628ms) # TODO
  Error: later
ℹ tests 2
ℹ pass 1
ℹ fail 0
ℹ todo 1`,
  "shUnit2, a test that prints an error": `
testError
Error: Permission denied

Ran 1 test.

OK`,
  "TAP, whose comment names an error": `
TAP version 13
# error is thrown
ok 1 should throw

1..1
# tests 1
# pass  1

# ok`,
  "mocha's list": `
  failure handling
    ✔ throws TypeError: x is not a function
    ✔ rejects with "Connection refused"
    - is skipped because it failed before

  2 passing (12ms)
  1 pending`,
  ava: `
  ✔ errors › throws an error
  ✔ errors › exits with code 1
  ─

  2 tests passed`,
  karma: `
04 03 2026 10:20:30.123:INFO [launcher]: Starting browser ChromeHeadless
ERROR: 'Unhandled in test, as meant to be'
Chrome Headless 120.0 (Linux): Executed 42 of 42 SUCCESS (0.31 secs / 0.29 secs)
TOTAL: 42 SUCCESS`,
  "GCC with warnings of errors": `
[ 25%] Building C object CMakeFiles/shop.dir/error.c.o
/app/error.c: In function 'fail':
/app/error.c:8:3: warning: implicit declaration of function 'exit_failure' [-Wimplicit-function-declaration]
[ 50%] Building C object CMakeFiles/shop.dir/main.c.o
[100%] Linking C executable shop
[100%] Built target shop`,
  configure: `
checking for gcc... gcc
checking whether the C compiler works... yes
checking for library containing dlerror... none required
checking for error_at_line... no
checking for strerror... yes
configure: WARNING: libfoo not found, building without it
configure: creating ./config.status
config.status: creating config.h`,
  "meson and ninja": `
Run-time dependency libsystemd found: NO (tried pkgconfig and cmake)
Program doxygen found: NO
Build targets in project: 12
[1/2] Compiling C object libshop.a.p/error.c.o
[2/2] Linking static target libshop.a
1/2 shop:errors OK              0.02s
2/2 shop:expected-fail EXPECTEDFAIL    0.02s   exit status 1

Ok:                 1
Expected Fail:      1
Fail:               0
Unexpected Pass:    0
Skipped:            0
Timeout:            0`,
  GoogleTest: `
[==========] Running 2 tests from 1 test suite.
[ RUN      ] ErrorTest.FailsWithoutCrash
[       OK ] ErrorTest.FailsWithoutCrash (0 ms)
[ RUN      ] ErrorTest.DeathTest
[       OK ] ErrorTest.DeathTest (12 ms)
[==========] 2 tests from 1 test suite ran. (12 ms total)
[  PASSED  ] 2 tests.`,
  ctest: `
      Start  1: test_error
 1/2 Test  #1: test_error .......................   Passed    0.01 sec
      Start  2: test_failure_modes
 2/2 Test  #2: test_failure_modes ...............   Passed    0.02 sec

100% tests passed, 0 tests failed out of 2`,
  MSBuild: `
  Shop.Errors -> /app/bin/Release/net8.0/Shop.Errors.dll
/app/Cart.cs(12,9): warning CS0168: The variable 'error' is declared but never used [/app/Shop.csproj]

Build succeeded.

/app/Cart.cs(12,9): warning CS0168: The variable 'error' is declared but never used [/app/Shop.csproj]
    1 Warning(s)
    0 Error(s)

Time Elapsed 00:00:04.12`,
  "dotnet test, verbose": `
Starting test execution, please wait...
  Passed Throws_InvalidOperationException_When_Failed [12 ms]
  Passed Returns_Error_500 [1 ms]

Test Run Successful.
Total tests: 2
     Passed: 2
 Total time: 0.8 Seconds`,
  "Bundler and RSpec": `
Fetching errbase 0.2.2
Installing errbase 0.2.2
Bundle complete! 12 Gemfile dependencies, 61 gems now installed.

Errors
  raises ArgumentError
  reports a failure to Sentry

Finished in 0.02 seconds (files took 0.8 seconds to load)
2 examples, 0 failures`,
  minitest: `
Run options: --seed 1234

# Running:

E2E::ErrorTest#test_error_page = 0.01 s = .

Finished in 0.01s, 100.0 runs/s, 100.0 assertions/s.
1 runs, 1 assertions, 0 failures, 0 errors, 0 skips`,
  "PHPUnit, testdox": `
Error Handler (Shop\\Tests\\ErrorHandler)
 ✔ Throws exception on fatal error
 ✔ Fails when permission is denied

Time: 00:00.012, Memory: 8.00 MB

OK (2 tests, 4 assertions)`,
  PHPStan: `
 12/12 [▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓] 100%


 [OK] No errors`,
  Psalm: `
Scanning files...
Analyzing files...

------------------------------

       No errors found!

------------------------------
2 other issues found.
You can display them with --show-info=true
------------------------------`,
  mix: `
Compiling 3 files (.ex)
warning: variable "error" is unused (if the variable is not meant to be used, prefix it with an underscore)
  lib/shop.ex:3: Shop.total/1

Generated shop app
10:20:30.123 [error] GenServer Shop.Cart terminating
** (stop) :normal
...
Finished in 0.03 seconds (0.00s async, 0.03s sync)
3 tests, 0 failures`,
  "stack (Haskell)": `
shop> configure (lib)
shop> build (lib)
src/Shop/Error.hs:12:1: warning: [-Wunused-imports]
    The import of 'Control.Exception' is redundant
shop> copy/register
Completed 2 action(s).`,
  "sbt test": `
[info] ErrorSpec:
[info] - should fail with an error when the disk is full
[info] - throws java.lang.IllegalStateException: broken
[info] Run completed in 312 milliseconds.
[info] Tests: succeeded 2, failed 0, canceled 0, ignored 0, pending 0
[info] All tests passed.
[success] Total time: 3 s`,
  flutter: `
Running "flutter pub get" in shop...
Resolving dependencies...
! error_widget 1.0.0 (overridden)
Got dependencies!
00:01 +0: loading /app/test/error_test.dart
00:02 +1: error page shows the exception
00:02 +2: All tests passed!`,
  "xcodebuild with XCTest": `
Test Suite 'ErrorTests' started at 2026-03-04 10:20:30.123
Test Case '-[ShopTests.ErrorTests testFailure]' passed (0.001 seconds).
Test Suite 'ErrorTests' passed at 2026-03-04 10:20:30.130.
	 Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.002) seconds
** TEST SUCCEEDED **`,
  Android: `
> Task :app:lintDebug
Wrote HTML report to file:///app/build/reports/lint-results-debug.html
Lint found 0 errors, 12 warnings. First failure:
> Task :app:testDebugUnitTest

BUILD SUCCESSFUL in 1m 12s
31 actionable tasks: 12 executed, 19 up-to-date`,
  "apt in a container": `
Get:1 http://deb.example.test/debian bookworm/main amd64 liberror-perl all 0.17029-2 [29.0 kB]
debconf: delaying package configuration, since apt-utils is not installed
Setting up liberror-perl (0.17029-2) ...
invoke-rc.d: could not determine current runlevel
invoke-rc.d: policy-rc.d denied execution of start.
Processing triggers for libc-bin (2.36-9) ...`,
  BuildKit: `
#8 [4/6] RUN apt-get install -y libgpg-error0
#8 0.812 debconf: unable to initialize frontend: Dialog
#8 0.813 debconf: falling back to frontend: Readline
#8 DONE 8.1s
#11 exporting to image
#11 writing image sha256:0a1b2c done
#11 naming to docker.io/acme/shop done
#11 DONE 0.2s`,
  "docker compose": `
 Container shop-db-1  Healthy
 Container shop-web-1  Started
shop-db-1   | 2026-03-04 10:20:30.123 UTC [31] FATAL:  role "root" does not exist
shop-web-1  | listening on 8080
shop-test-1 | 12 passed in 3.1s
shop-test-1 exited with code 0`,
  "terraform plan": `
module.errors.aws_sns_topic.failure: Refreshing state... [id=arn:aws:sns:eu-west-1:1:failure]

No changes. Your infrastructure matches the configuration.

Terraform has compared your real infrastructure against your configuration and
found no differences, so no changes are needed.`,
  "ansible with a rescued task": `
TASK [stop the old service] ****************************************************
fatal: [web1]: FAILED! => {"changed": false, "msg": "Could not find the requested service shop: host"}
...ignoring

PLAY RECAP *********************************************************************
web1                       : ok=12   changed=3    unreachable=0    failed=0    skipped=1    rescued=0    ignored=1`,
  "helm lint": `
==> Linting ./shop
[INFO] Chart.yaml: icon is recommended

1 chart(s) linted, 0 chart(s) failed`,
  "GitHub Actions with a step that may fail": `
2026-03-04T10:20:30.1234567Z ##[group]Run npm run flaky || true
2026-03-04T10:20:30.1234567Z npm run flaky || true
2026-03-04T10:20:30.1234567Z shell: /usr/bin/bash -e {0}
2026-03-04T10:20:30.1234567Z ##[endgroup]
2026-03-04T10:20:31.1234567Z flaky: nothing to do
2026-03-04T10:20:32.1234567Z ##[group]Run npm test
2026-03-04T10:20:32.1234567Z ##[endgroup]
2026-03-04T10:20:33.1234567Z # tests 12
2026-03-04T10:20:33.1234567Z # pass 12
2026-03-04T10:20:33.1234567Z # fail 0
2026-03-04T10:20:34.1234567Z Cache not found for input keys: node-1a2b3c
2026-03-04T10:20:35.1234567Z Post job cleanup.`,
  "GitLab with a missing cache": `
Checking cache for default-protected...
WARNING: file does not exist
Failed to extract cache
Executing "step_script" stage of the job script
$ make test
all 12 tests passed
Saving cache for successful job
WARNING: node_modules: no matching files. Ensure that the artifact path is relative to the working directory
Cleaning up project directory and file based variables
Job succeeded`,
  Jenkins: `
[Pipeline] sh
+ ./gradlew check --continue
errors: 0
[Pipeline] junit
Recording test results
No known failures
[Pipeline] }
[Pipeline] End of Pipeline
Finished: SUCCESS`,
  CircleCI: `
Error computing cache key: template: cacheKey:1:18: executing "cacheKey"
Skipping cache - error checking storage: not found
No cache is found for key: v1-deps
CircleCI received exit code 0`,
  "Travis CI": `
$ npm test
> shop@1.0.0 test
# tests 3
# pass  3
# fail  0

The command "npm test" exited with 0.
Done. Your build exited with 0.`,
  "a benchmark without regression": `
cart/add     time: [1.20 µs 1.21 µs 1.22 µs]
             change: [-0.8% +0.1% +0.9%] (p = 0.82 > 0.05)
             No change in performance detected.
no regression found
no regression detected in 12 benchmarks`,
  "a size that stays within its budget": `
dist/shop.js: 201 kB of 250 kB, within the size limit
no file exceeds the size limit
0 files exceeded the budget
errors over budget: 0`,
  "sphinx and twine": `
reading sources... [100%] errors
build succeeded, 2 warnings.
Checking dist/shop-1.0.0.tar.gz: PASSED
Uploading shop-1.0.0.tar.gz
100% ━━━━━━━━━━━━━━━━━━━━ 12.1/12.1 kB • 00:00`,
  tox: `
py311: commands[0]> pytest tests/test_error.py
============================== 3 passed in 0.02s ===============================
py312: skipped because could not find python interpreter with spec(s): py312
  py311: OK (1.20=setup[0.81]+cmd[0.39] seconds)
  py312: SKIP (0.01 seconds)
  congratulations :) (1.31 seconds)`,
  "a database's migrations": `
== 20260304 CreateErrors: migrating ===========================================
-- create_table(:errors)
   -> 0.0031s
NOTICE:  table "failures" does not exist, skipping
== 20260304 CreateErrors: migrated (0.0032s) ==================================`,
  Nix: `
these 2 derivations will be built:
  /nix/store/0a1b2c-perl-Error-0.17029.drv
building '/nix/store/0a1b2c-perl-Error-0.17029.drv'...
patching sources
checking for references to /build/ in /nix/store/3d4e5f-error...
/nix/store/3d4e5f-perl-Error-0.17029`,
  LaTeX: `
LaTeX Warning: Reference \`fig:error' on page 3 undefined on input line 12.
Overfull \\hbox (12.0pt too wide) in paragraph at lines 12--14
Output written on errors.pdf (12 pages, 31234 bytes).
Transcript written on errors.log.`,
  "Perl's prove": `
t/01-error.t ... ok
t/02-die.t ..... ok
All tests successful.
Files=2, Tests=12,  0 wallclock secs ( 0.02 usr  0.00 sys +  0.11 cusr  0.02 csys =  0.15 CPU)
Result: PASS`,
  "R CMD check": `
* checking for missing documentation entries ... OK
* checking R code for possible problems ... OK
* checking tests ... OK
  Running 'test-errors.R'
* DONE

Status: OK`,
  shellcheck: `
Checking scripts/fail.sh
Checking scripts/error-trap.sh
All scripts clean.`,
  "kubectl, after what may be missing": `
$ kubectl delete job migrate || true
Error from server (NotFound): jobs.batch "migrate" not found
$ kubectl apply -f k8s
namespace/shop unchanged
configmap/shop-errors configured
job.batch/migrate created`,
  "Trivy without --exit-code, before a roll-out": `
app/package-lock.json (npm)
===========================
Total: 2 (UNKNOWN: 0, LOW: 1, MEDIUM: 1, HIGH: 0, CRITICAL: 0)

$ kubectl apply -f k8s
namespace/shop unchanged
deployment.apps/shop configured`,
};

export const NOISY_SUCCESSES = Object.entries(LOGS).map(([name, log]) => ({ name, log: log.slice(1) }));
