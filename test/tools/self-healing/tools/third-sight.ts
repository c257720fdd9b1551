import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures that were held back until the versions before were measured on them. Shortened from runs, with other names. */
export const THIRD_SIGHT: readonly ToolFailure[] = [
  {
    name: "a server that a step of a Dockerfile starts, for which its line is no setting to correct",
    run: "docker build .",
    log: `#8 [5/5] RUN python3 app.py
#8 0.400  * Serving Flask app 'app'
#8 0.543 Address already in use
#8 ERROR: process "/bin/sh -c python3 app.py" did not complete successfully: exit code: 1
------
Dockerfile:9
--------------------
   7 |     COPY . .
   8 |     
   9 | >>> RUN python3 app.py
--------------------
ERROR: failed to solve: process "/bin/sh -c python3 app.py" did not complete successfully: exit code: 1
`,
    cause: "Address already in use",
    category: "configuration",
    place: "Dockerfile:9",
    advice: /Find what already listens/,
    never: /Correct Dockerfile/,
  },
  {
    name: "gzip on a full disk, whose stream is no file",
    run: "bash pack.sh",
    log: `Packing assets

gzip: stdout: No space left on device
tar: out/assets.tar.gz: Cannot write: Broken pipe
tar: Child returned status 1
tar: Error is not recoverable: exiting now
`,
    cause: "No space left on device",
    category: "disk_full",
    advice: /df -h/,
  },
  {
    name: "Perl's prove, whose first failed test counts",
    run: "prove -l t",
    log: `t/00-load.t ... ok

#   Failed test 'the width'
#   at t/10-cart.t line 4.
#          got: '40'
#     expected: '42'

#   Failed test 'the lines'
#   at t/10-cart.t line 5.
#     Structures begin differing at:
# Looks like you failed 2 tests of 3.
t/10-cart.t .. 
Dubious, test returned 2 (wstat 512, 0x200)
Failed 2/3 subtests 
Result: FAIL
`,
    cause: "Failed test 'the width'",
    category: "test_failure",
    place: "t/10-cart.t:4",
    advice: /t\/10-cart\.t:4/,
  },
  {
    name: "go test -v, where a later test that passes logs something",
    run: "go test -v ./...",
    log: `=== RUN   TestHalf
=== RUN   TestHalf/even
=== RUN   TestHalf/odd
    cart_test.go:12: Half(11) = 5, want 6
--- FAIL: TestHalf (0.00s)
    --- PASS: TestHalf/even (0.00s)
    --- FAIL: TestHalf/odd (0.00s)
=== RUN   TestOther
    cart_test.go:17: the other way
--- PASS: TestOther (0.00s)
FAIL
FAIL\tacme.test/money/cart\t0.004s
FAIL
`,
    cause: "--- FAIL: TestHalf",
    category: "test_failure",
    ecosystem: "go",
    place: "cart_test.go:12",
    advice: /Half\(11\) = 5, want 6/,
  },
  {
    name: "Karma, a plugin that is not installed, behind its own time",
    run: "make test",
    log: `karma start --single-run

30 11 2026 09:22:01.951:ERROR [plugin]: Cannot find plugin "karma-acme-launcher".
  Did you forget to install it?
  npm install karma-acme-launcher --save-dev
30 11 2026 09:22:02.148:WARN [filelist]: Pattern "/home/dev/shop/src/*.js" does not match any file.
30 11 2026 09:22:02.269:ERROR [karma-server]: Error: Found 1 load error
    at Server.<anonymous> (/home/dev/shop/node_modules/karma/lib/server.js:243:26)
`,
    cause: 'Cannot find plugin "karma-acme-launcher"',
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^npm install karma-acme-launcher(?: --save-dev)?$/m,
  },
  {
    name: "oxlint, with plain marks and frames",
    run: "oxlint --deny-warnings",
    log: `
  ! eslint(no-unused-vars): Variable 'unused' is declared but never used.
   ,-[src/cart.js:3:9]
 2 |   debugger;
 3 |   const unused = 3;
   :         ^^^|^^
   :            \`-- 'unused' is declared here
 4 |   return a == null;
   \`----
  help: Consider removing this declaration.

  ! eslint(no-debugger): \`debugger\` statement is not allowed
   ,-[src/cart.js:2:3]
 1 | export function f(a) {
 2 |   debugger;
   :   ^^^^^^^^^
   \`----
  help: Remove the debugger statement

Found 2 warnings and 0 errors.
`,
    cause: "no-unused-vars",
    category: "lint",
    ecosystem: "node",
    place: "src/cart.js:3",
    advice: /Consider removing this declaration/,
  },
  {
    name: "pytest, whose failed test comes before its coverage",
    run: "pytest --cov-fail-under=100",
    log: `=================================== FAILURES ===================================
___________________________________ test_put ___________________________________
tests/test_cart.py:11: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 
/usr/lib/python3.11/asyncio/tasks.py:492: TimeoutError

---------- coverage: platform linux, python 3.11.2-final-0 -----------
TOTAL                12      2    83%

FAIL Required test coverage of 100% not reached. Total coverage: 83.33%
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_put - TimeoutError
========================= 1 failed, 1 passed in 0.56s ==========================
`,
    cause: "FAILED tests/test_cart.py::test_put",
    category: "test_failure",
    ecosystem: "python",
    place: "tests/test_cart.py:11",
    advice: /test_put/,
  },
  {
    name: "Rake, a file of JSON with a comma too many",
    run: "rake",
    log: `rake aborted!
JSON::ParserError: 859: unexpected token at '{
  "title": "Cart",
}
'
/home/dev/shop/Rakefile:4:in \`block in <top (required)>'
Tasks: TOP => default => build => config
(See full trace by running task with --trace)
`,
    cause: "JSON::ParserError",
    category: "configuration",
    ecosystem: "ruby",
    place: "/home/dev/shop/Rakefile:4",
    advice: /unexpected token/,
  },
  {
    name: "the Serverless Framework, a variable that the environment does not have",
    run: "serverless package",
    log: `Error:
Cannot resolve serverless.yml: Variables resolution errored with:
  - Cannot resolve variable at "provider.environment.TABLE": Value not found at "env" source
`,
    cause: "provider.environment.TABLE",
    category: "configuration",
    advice: /Give provider\.environment\.TABLE a value in the source env/,
  },
  {
    name: "node-tap, whose stack has no word before its frames",
    run: "tap",
    log: `TAP version 14
# Subtest: test/uri.js
    # Subtest: query order
        not ok 1 - should be equivalent
          ---
          diff: |
            --- expected
            +++ actual
            @@ -1,3 +1,2 @@
             Object {
            -  "c": null,
             }
          at:
            fileName: test/uri.js
            lineNumber: 3
            columnNumber: 40
          stack: |
            Test.<anonymous> (test/uri.js:3:40)
          ...
        1..1
    not ok 2 - query order # time=41.584ms
not ok 1 - test/uri.js # time=96.927ms
# { total: 2, pass: 1, fail: 1 }
`,
    cause: "not ok 1 - should be equivalent",
    category: "test_failure",
    ecosystem: "node",
    place: "test/uri.js:3",
    advice: /test\/uri\.js:3/,
  },
  {
    name: "twine, what was not built",
    run: "twine upload dist/*",
    log: "ERROR    InvalidDistribution: Cannot find file (or expand pattern): 'dist/*'    \n",
    cause: "Cannot find file",
    category: "missing_file",
    advice: /dist/,
  },
  {
    name: "TypeORM, whose driver is not installed",
    run: "npm run migrate",
    log: `Error during migration run:
Error: Unable to open file: "/home/dev/shop/src/data-source.js". Postgres package has not been found installed. Please run "npm install pg".
    at CommandUtils.loadDataSource (/home/dev/shop/node_modules/typeorm/commands/CommandUtils.js:19:19)
`,
    cause: "Postgres package has not been found installed",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "/home/dev/shop/src/data-source.js",
    advice: /^npm install pg$/m,
    never: /find \. -iname/,
  },
  {
    name: "Knip, whose first section counts",
    run: "knip",
    log: `Unused files (1)
src/dead.js
Unused dependencies (1)
left-pad  package.json:11:6
Unused exports (1)
b  src/cart.js:1:34
`,
    cause: "Unused files (1)",
    category: "lint",
    ecosystem: "node",
    place: "src/dead.js",
    advice: /src\/dead\.js/,
  },
  {
    name: "Black, a file that it cannot parse among those that it would format",
    run: "black --check .",
    log: `error: cannot format /home/dev/shop/cart.py: Cannot parse: 1:6: def f(:
would reformat /home/dev/shop/tax.py

Oh no! 💥 💔 💥
1 file would be reformatted, 1 file would fail to reformat.
`,
    cause: "cannot format /home/dev/shop/cart.py",
    category: "compile_error",
    ecosystem: "python",
    place: "/home/dev/shop/cart.py:1",
    advice: /shop\/cart\.py:1/,
  },
  {
    name: "behave, a scenario that failed",
    run: "behave",
    log: `Feature: Login # features/login.feature:1

  Scenario: bad password          # features/login.feature:6
    Given a user "ada"            # features/steps/login.py:2
    Then she sees "Invalid"       # features/steps/login.py:6
      Assertion Failed: saw 'Denied'

Failing scenarios:
  features/login.feature:6  bad password

0 features passed, 1 failed, 0 skipped
`,
    cause: "features/login.feature:6  bad password",
    category: "test_failure",
    ecosystem: "python",
    place: "features/login.feature:6",
    advice: /Decide whether bad password or the code/,
  },
  {
    name: "rustup, without a toolchain",
    run: "cargo build",
    log: `error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.
help: run 'rustup default stable' to download the latest stable release of Rust and set it as your default toolchain.
`,
    cause: "rustup could not choose a version",
    category: "configuration",
    ecosystem: "rust",
    advice: /^rustup default stable$/m,
  },
  {
    name: "ESLint, settings that name the rule of a plugin that they do not load",
    run: "npm run lint",
    log: `
Oops! Something went wrong! :(

ESLint: 10.15.0

A configuration object specifies rule "react-hooks/exhaustive-deps", but could not find plugin "react-hooks".

Common causes of this problem include:

1. The "react-hooks" plugin is not defined in your configuration file.
`,
    cause: 'could not find plugin "react-hooks"',
    category: "configuration",
    ecosystem: "node",
    advice: /Define the plugin react-hooks in the object of the configuration that uses its rules/,
  },
  {
    name: "pip, to which its index offers nothing",
    run: "pip install -r requirements.txt",
    log: `WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/acme/
ERROR: Could not find a version that satisfies the requirement acme>=2 (from versions: none)
ERROR: No matching distribution found for acme>=2
`,
    cause: "No matching distribution found for acme>=2",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /See that the index can be reached/,
  },
  {
    name: "npm, a range that no version of a package is in",
    run: "npm install",
    log: `npm error code ETARGET
npm error notarget No matching version found for acme@^97.0.0.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
`,
    cause: "No matching version found for acme@^97.0.0",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^npm view acme versions$/m,
  },
  {
    name: "Go, a package of the standard library of a newer version",
    run: "go build .",
    log: "main.go:2:16: package slices is not in GOROOT (/usr/lib/go-1.19/src/slices)\n",
    cause: "package slices is not in GOROOT",
    category: "version_mismatch",
    ecosystem: "go",
    place: "main.go:2",
    advice: /Use a Go whose standard library has slices/,
    never: /go get/,
  },
  {
    name: "curl, whose web page is no remedy",
    run: "make fetch",
    log: `curl: (60) SSL certificate problem: self-signed certificate
More details here: https://curl.se/docs/sslcerts.html

curl failed to verify the legitimacy of the server and therefore could not
establish a secure connection to it. To learn more about this situation and
how to fix it, please visit the web page mentioned above.
`,
    cause: "self-signed certificate",
    category: "network",
    advice: /certificate authority/,
    never: /web page/,
  },
  {
    name: "SvelteKit, a variable that the build's environment does not have",
    run: "vite build",
    log: `✗ Build failed in 1.04s
error during build:
Build failed with 1 error:

[MISSING_EXPORT] "ACME_URL" is not exported by "\\0virtual:env/static/private".
   ╭─[ src/routes/+page.server.js:1:10 ]
   │
 1 │ import { ACME_URL } from '$env/static/private';
   │          ──────┬─────  
───╯
`,
    cause: '"ACME_URL" is not exported',
    category: "configuration",
    ecosystem: "node",
    place: "src/routes/+page.server.js:1",
    advice: /Set ACME_URL in the environment of the build or in \.env/,
    never: /Export the name/,
  },
];
