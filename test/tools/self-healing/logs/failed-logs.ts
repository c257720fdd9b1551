import type { Category, Ecosystem } from "../../../../src/tools/self-healing/categories.ts";

/** A log as its tools write it. `»` marks each line that states the cause. */
export interface FailedLog {
  name: string;
  category: Category;
  ecosystem?: Ecosystem;
  file?: string;
  line?: number;
  log: string;
}

const gha = (log: string) =>
  log
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const mark = line.startsWith("»") ? "»" : "";
      return `${mark}2026-03-04T10:${String(20 + Math.floor(index / 60)).padStart(2, "0")}:${String(index % 60).padStart(2, "0")}.1234567Z ${line.slice(mark.length)}`;
    })
    .join("\n");

export const FAILED_LOGS: readonly FailedLog[] = [
  {
    name: "Jest under npm on GitHub Actions",
    category: "test_failure",
    ecosystem: "node",
    file: "test/cart.test.ts",
    line: 12,
    log: gha(`##[group]Run npm test
npm test
shell: /usr/bin/bash -e {0}
##[endgroup]

> shop@2.1.0 test
> jest

PASS test/tax.test.ts
FAIL test/cart.test.ts
  cart
    ✓ is empty at first (2 ms)
    ✕ adds the tax (5 ms)

»  ● cart › adds the tax

»    expect(received).toBe(expected) // Object.is equality

    Expected: 119
    Received: 100

      10 |   const cart = newCart();
      11 |   cart.add({ price: 100 });
    > 12 |   expect(cart.total()).toBe(119);
         |                        ^
      13 | });

      at Object.<anonymous> (test/cart.test.ts:12:24)

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 4 passed, 5 total
Snapshots:   0 total
Time:        1.203 s
Ran all test suites.
##[error]Process completed with exit code 1.
Post job cleanup.
[command]/usr/bin/git version
Cleaning up orphan processes
`),
  },
  {
    name: "pytest",
    category: "test_failure",
    ecosystem: "python",
    file: "tests/test_cart.py",
    line: 14,
    log: `============================= test session starts ==============================
platform linux -- Python 3.11.4, pytest-7.4.0, pluggy-1.2.0
rootdir: /home/runner/work/shop/shop
collected 12 items

tests/test_cart.py .F..                                                  [ 33%]
tests/test_tax.py ........                                               [100%]

=================================== FAILURES ===================================
_________________________________ test_total ___________________________________

    def test_total():
        cart = Cart()
        cart.add(100)
>       assert cart.total() == 119
»E       assert 100 == 119
E        +  where 100 = <bound method Cart.total of <shop.Cart object at 0x7f1>>()

tests/test_cart.py:14: AssertionError
=========================== short test summary info ============================
»FAILED tests/test_cart.py::test_total - assert 100 == 119
========================= 1 failed, 11 passed in 0.34s =========================
`,
  },
  {
    name: "go test",
    category: "test_failure",
    ecosystem: "go",
    log: `=== RUN   TestTotal
»    cart_test.go:14: total = 100, want 119
»--- FAIL: TestTotal (0.00s)
=== RUN   TestEmpty
--- PASS: TestEmpty (0.00s)
FAIL
FAIL	example.org/shop	0.012s
ok  	example.org/shop/tax	0.004s
FAIL
make: *** [Makefile:8: test] Error 1
`,
  },
  {
    name: "go build",
    category: "type_error",
    ecosystem: "go",
    file: "./cart.go",
    line: 12,
    log: `go: downloading golang.org/x/text v0.14.0
# example.org/shop
»./cart.go:12:9: cannot use "a" (untyped string constant) as int value in return statement
./cart.go:20:2: undefined: taxOf
`,
  },
  {
    name: "cargo build",
    category: "compile_error",
    ecosystem: "rust",
    file: "src/cart.rs",
    line: 12,
    log: `   Compiling shop v0.1.0 (/home/runner/work/shop/shop)
warning: unused variable: \`tax\`
 --> src/tax.rs:3:9
  |
3 |     let tax = 19;
  |         ^^^ help: if this is intentional, prefix it with an underscore: \`_tax\`
  |
  = note: \`#[warn(unused_variables)]\` on by default

»error[E0382]: borrow of moved value: \`cart\`
  --> src/cart.rs:12:20
   |
10 |     let cart = Cart::new();
   |         ---- move occurs because \`cart\` has type \`Cart\`
11 |     drop(cart);
   |          ---- value moved here
12 |     println!("{}", cart.total());
   |                    ^^^^ value borrowed here after move

For more information about this error, try \`rustc --explain E0382\`.
warning: \`shop\` (bin "shop") generated 1 warning
error: could not compile \`shop\` (bin "shop") due to 1 previous error; 1 warning emitted
`,
  },
  {
    name: "cargo test",
    category: "test_failure",
    ecosystem: "rust",
    log: `running 3 tests
test cart::tests::empty ... ok
»test cart::tests::total ... FAILED
test tax::tests::rate ... ok

failures:

---- cart::tests::total stdout ----
»thread 'cart::tests::total' panicked at src/cart.rs:31:9:
»assertion \`left == right\` failed
  left: 100
 right: 119
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    cart::tests::total

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass \`--lib\`
`,
  },
  {
    name: "Gradle, a dependency that does not exist",
    category: "dependency_resolution",
    ecosystem: "gradle",
    log: `> Task :app:compileJava FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileJava'.
»> Could not resolve all files for configuration ':app:compileClasspath'.
»   > Could not find com.acme:tax:9.9.9.
     Searched in the following locations:
       - https://repo.example.org/maven2/com/acme/tax/9.9.9/tax-9.9.9.pom
     Required by:
         project :app

* Try:
> Run with --stacktrace option to get the stack trace.
> Run with --info or --debug option to get more log output.

BUILD FAILED in 3s
1 actionable task: 1 executed
`,
  },
  {
    name: "Gradle, Kotlin",
    category: "compile_error",
    ecosystem: "gradle",
    log: `> Task :app:compileKotlin FAILED
»e: file:///home/runner/work/shop/app/src/main/kotlin/Cart.kt:12:17 Unresolved reference: taxOf

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:compileKotlin'.
> A failure occurred while executing org.jetbrains.kotlin.compilerRunner.GradleCompilerRunnerWithWorkers$GradleKotlinCompilerWorkAction
   > Compilation error. See log for more details

BUILD FAILED in 12s
`,
  },
  {
    name: "Maven, a failed test",
    category: "test_failure",
    ecosystem: "maven",
    log: `[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running com.acme.CartTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! - in com.acme.CartTest
»[ERROR] total(com.acme.CartTest)  Time elapsed: 0.011 s  <<< FAILURE!
»org.opentest4j.AssertionFailedError: expected: <119> but was: <100>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at com.acme.CartTest.total(CartTest.java:14)

[INFO] 
[INFO] Results:
[INFO] 
[ERROR] Failures: 
»[ERROR]   CartTest.total:14 expected: <119> but was: <100>
[INFO] 
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO] 
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.0.0:test (default-test) on project shop: There are test failures.
[ERROR] 
[ERROR] Please refer to /build/shop/target/surefire-reports for the individual test results.
[ERROR] -> [Help 1]
`,
  },
  {
    name: "GCC under CMake and Make",
    category: "compile_error",
    ecosystem: "c",
    file: "/src/shop/cart.cpp",
    line: 12,
    log: `-- The CXX compiler identification is GNU 12.2.0
-- Check for working CXX compiler: /usr/bin/c++ - skipped
-- Configuring done
[ 33%] Building CXX object CMakeFiles/shop.dir/tax.cpp.o
[ 66%] Building CXX object CMakeFiles/shop.dir/cart.cpp.o
/src/shop/cart.cpp: In function 'int total()':
»/src/shop/cart.cpp:12:10: error: 'taxOf' was not declared in this scope
   12 |   return taxOf(100);
      |          ^~~~~
make[2]: *** [CMakeFiles/shop.dir/build.make:90: CMakeFiles/shop.dir/cart.cpp.o] Error 1
make[1]: *** [CMakeFiles/Makefile2:83: CMakeFiles/shop.dir/all] Error 2
make: *** [Makefile:136: all] Error 2
`,
  },
  {
    name: "the linker",
    category: "compile_error",
    ecosystem: "c",
    log: `[100%] Linking CXX executable shop
»/usr/bin/ld: CMakeFiles/shop.dir/cart.cpp.o: in function \`main':
»cart.cpp:(.text+0x1d): undefined reference to \`taxOf(int)'
collect2: error: ld returned 1 exit status
make[2]: *** [CMakeFiles/shop.dir/build.make:97: shop] Error 1
`,
  },
  {
    name: "the kernel ends a compiler for memory",
    category: "out_of_memory",
    ecosystem: "c",
    log: `[ 41%] Building CXX object src/CMakeFiles/shop.dir/huge.cpp.o
»c++: fatal error: Killed signal terminated program cc1plus
compilation terminated.
make[2]: *** [src/CMakeFiles/shop.dir/build.make:104: src/CMakeFiles/shop.dir/huge.cpp.o] Error 1
make: *** [Makefile:149: all] Error 2
`,
  },
  {
    name: "dotnet build",
    category: "type_error",
    ecosystem: "dotnet",
    file: "/src/Shop/Cart.cs",
    line: 12,
    log: `  Determining projects to restore...
  All projects are up-to-date for restore.
»/src/Shop/Cart.cs(12,16): error CS0029: Cannot implicitly convert type 'string' to 'int' [/src/Shop/Shop.csproj]

Build FAILED.

»/src/Shop/Cart.cs(12,16): error CS0029: Cannot implicitly convert type 'string' to 'int' [/src/Shop/Shop.csproj]
    0 Warning(s)
    1 Error(s)

Time Elapsed 00:00:02.31
`,
  },
  {
    name: "RSpec",
    category: "test_failure",
    ecosystem: "ruby",
    log: `..F.

Failures:

  1) Cart adds the tax
»     Failure/Error: expect(cart.total).to eq(119)

       expected: 119
            got: 100

       (compared using ==)
     # ./spec/cart_spec.rb:12:in \`block (2 levels) in <top (required)>'

Finished in 0.0123 seconds (files took 0.1 seconds to load)
4 examples, 1 failure

Failed examples:

»rspec ./spec/cart_spec.rb:12 # Cart adds the tax
`,
  },
  {
    name: "PHPUnit",
    category: "test_failure",
    ecosystem: "php",
    log: `PHPUnit 10.5.2 by Sebastian Bergmann and contributors.

..F.                                                                4 / 4 (100%)

Time: 00:00.012, Memory: 8.00 MB

There was 1 failure:

»1) Tests\\CartTest::testTotal
»Failed asserting that 100 matches expected 119.

/app/tests/CartTest.php:14

FAILURES!
Tests: 4, Assertions: 4, Failures: 1.
`,
  },
  {
    name: "Docker build",
    category: "dependency_resolution",
    log: `#9 [5/7] RUN pip install -r requirements.txt
#9 1.412 Collecting flask==99.1 (from -r requirements.txt (line 1))
»#9 2.120 ERROR: Could not find a version that satisfies the requirement flask==99.1 (from versions: 0.1, 3.0.0)
»#9 2.121 ERROR: No matching distribution found for flask==99.1
#9 ERROR: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1
------
 > [5/7] RUN pip install -r requirements.txt:
»2.120 ERROR: Could not find a version that satisfies the requirement flask==99.1 (from versions: 0.1, 3.0.0)
»2.121 ERROR: No matching distribution found for flask==99.1
------
Dockerfile:9
--------------------
   9 | >>> RUN pip install -r requirements.txt
--------------------
ERROR: failed to solve: process "/bin/sh -c pip install -r requirements.txt" did not complete successfully: exit code: 1
`,
  },
  {
    name: "a full disk in Docker",
    category: "disk_full",
    log: `#12 [stage-1 4/6] COPY --from=build /app /app
»#12 ERROR: failed to copy: write /var/lib/docker/overlay2/abc/diff/app/data.bin: no space left on device
------
 > [stage-1 4/6] COPY --from=build /app /app:
------
»ERROR: failed to solve: failed to copy: write /var/lib/docker/overlay2/abc/diff/app/data.bin: no space left on device
`,
  },
  {
    name: "a host that does not resolve",
    category: "network",
    log: `Get:1 http://deb.example.test/debian bookworm InRelease [151 kB]
»curl: (6) Could not resolve host: downloads.acme.test
Error: Process completed with exit code 6.
`,
  },
  {
    name: "npm, a registry that resets the connection",
    category: "network",
    ecosystem: "node",
    log: `npm warn deprecated inflight@1.0.6: This module is not supported
»npm error code ECONNRESET
npm error syscall read
npm error errno ECONNRESET
»npm error network read ECONNRESET
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.
npm error A complete log of this run can be found in: /home/runner/.npm/_logs/2026-03-04T10_20_30_123Z-debug-0.log
`,
  },
  {
    name: "npm, peers that conflict",
    category: "dependency_resolution",
    ecosystem: "node",
    log: `npm error code ERESOLVE
»npm error ERESOLVE unable to resolve dependency tree
npm error
npm error While resolving: shop@2.1.0
npm error Found: react@18.2.0
npm error node_modules/react
npm error   react@"^18.2.0" from the root project
npm error
»npm error Could not resolve dependency:
»npm error peer react@"^17.0.0" from old-widget@1.0.0
npm error node_modules/old-widget
npm error   old-widget@"^1.0.0" from the root project
npm error
npm error Fix the upstream dependency conflict, or retry
npm error this command with --force or --legacy-peer-deps
`,
  },
  {
    name: "a missing command in GitLab",
    category: "missing_file",
    log: `Running with gitlab-runner 16.6.1 (f5da3c5a)
Preparing the "docker" executor
$ npm ci
added 120 packages in 4s
$ terraform plan
»/usr/bin/bash: line 142: terraform: command not found
Cleaning up project directory and file based variables
ERROR: Job failed: exit code 127
`,
  },
  {
    name: "a refused push",
    category: "permission",
    ecosystem: "git",
    log: `To https://github.com/acme/shop.git
»remote: Permission to acme/shop.git denied to github-actions[bot].
»fatal: unable to access 'https://github.com/acme/shop.git/': The requested URL returned error: 403
##[error]Process completed with exit code 128.
`,
  },
  {
    name: "a job that ran too long",
    category: "timeout",
    log: `2026-03-04T10:00:00.0000000Z ##[group]Run npm run e2e
2026-03-04T10:00:01.0000000Z waiting for server
»2026-03-04T16:00:02.0000000Z ##[error]The job running on runner GitHub Actions 12 has exceeded the maximum execution time of 360 minutes.
»2026-03-04T16:00:02.1000000Z ##[error]The operation was canceled.
2026-03-04T16:00:03.0000000Z Post job cleanup.
`,
  },
  {
    name: "Playwright, an element that never came",
    category: "timeout",
    ecosystem: "node",
    log: `Running 3 tests using 1 worker

  ✓  1 [chromium] › cart.spec.ts:3:1 › is empty (512ms)
  ✘  2 [chromium] › cart.spec.ts:9:1 › adds the tax (30.0s)
  ✓  3 [chromium] › tax.spec.ts:3:1 › rate (401ms)


  1) [chromium] › cart.spec.ts:9:1 › adds the tax ──────────────────────

»    Test timeout of 30000ms exceeded.

    Error: locator.click: Target closed
      at cart.spec.ts:12:34

  1 failed
    [chromium] › cart.spec.ts:9:1 › adds the tax ─────────────────────────
  2 passed (33.1s)
`,
  },
  {
    name: "ESLint",
    category: "lint",
    ecosystem: "node",
    log: `> shop@2.1.0 lint
> eslint .


/home/runner/work/shop/shop/src/cart.js
»  12:7   error    'tax' is assigned a value but never used  no-unused-vars
  20:1   warning  Unexpected console statement              no-console

✖ 2 problems (1 error, 1 warning)

npm error Lifecycle script \`lint\` failed with error:
npm error code 1
npm error path /home/runner/work/shop/shop
`,
  },
  {
    name: "mypy",
    category: "type_error",
    ecosystem: "python",
    file: "shop/cart.py",
    line: 12,
    log: `»shop/cart.py:12: error: Incompatible return value type (got "str", expected "int")  [return-value]
Found 1 error in 1 file (checked 14 source files)
`,
  },
  {
    name: "tsc under yarn",
    category: "type_error",
    ecosystem: "node",
    file: "src/cart.ts",
    line: 12,
    log: `yarn run v1.22.19
$ tsc -p .
»src/cart.ts:12:3 - error TS2322: Type 'string' is not assignable to type 'number'.

12   return "a";
     ~~~~~~


Found 1 error in src/cart.ts:12

error Command failed with exit code 2.
info Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.
`,
  },
  {
    name: "a Java version that is too old",
    category: "version_mismatch",
    log: `Exception in thread "main" java.lang.UnsupportedClassVersionError: com/acme/Shop has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0
	at java.base/java.lang.ClassLoader.defineClass1(Native Method)
	at java.base/java.lang.ClassLoader.defineClass(ClassLoader.java:1012)
`.replace(/^/, "»"),
  },
  {
    name: "Terraform",
    category: "configuration",
    ecosystem: "terraform",
    log: `Initializing the backend...
Terraform has been successfully initialized!
╷
»│ Error: Unsupported argument
│ 
│   on main.tf line 12, in resource "aws_s3_bucket" "shop":
│   12:   colour = "red"
│ 
│ An argument named "colour" is not expected here.
╵
Error: Terraform exited with code 1.
`,
  },
  {
    name: "Helm",
    category: "timeout",
    log: `Release "shop" does not exist. Installing it now.
»Error: INSTALLATION FAILED: timed out waiting for the condition
Error: Process completed with exit code 1.
`,
  },
  {
    name: "the JVM's heap in a Gradle daemon",
    category: "out_of_memory",
    ecosystem: "gradle",
    log: `> Task :app:mergeDexRelease
»> Task :app:mergeDexRelease FAILED
»ERROR: D8: java.lang.OutOfMemoryError: Java heap space
The Daemon will expire immediately since the JVM garbage collector is thrashing.

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:mergeDexRelease'.
»> java.lang.OutOfMemoryError: Java heap space

BUILD FAILED in 2m 3s
`,
  },
  {
    name: "exit code 137",
    category: "out_of_memory",
    log: `Bundling production assets
transforming (1204) src/index.ts
»Killed
»error Command failed with exit code 137.
`,
  },
  {
    name: "a missing secret",
    category: "permission",
    log: `##[group]Run aws-actions/configure-aws-credentials@v4
with:
  aws-region: eu-central-1
##[endgroup]
»##[error]Credentials could not be loaded, please check your action inputs: Could not load credentials from any providers
`,
  },
  {
    name: "a workflow's input that is missing",
    category: "configuration",
    log: `##[group]Run actions/create-release@v1
##[endgroup]
»##[error]Input required and not supplied: tag_name
`,
  },
  {
    name: "bundler, a frozen lock file",
    category: "dependency_resolution",
    ecosystem: "ruby",
    log: `$ bundle install --deployment
»You are trying to install in deployment mode after changing
your Gemfile. Run \`bundle install\` elsewhere and add the
updated Gemfile.lock to version control.

You have added to the Gemfile:
* rake
The command "bundle install --deployment" failed and exited with 16 during .
`,
  },
  {
    name: "a Python import that fails",
    category: "dependency_resolution",
    ecosystem: "python",
    file: "/app/shop/cart.py",
    line: 3,
    log: `Traceback (most recent call last):
  File "/app/manage.py", line 22, in <module>
    main()
  File "/app/shop/cart.py", line 3, in <module>
    import flask
»ModuleNotFoundError: No module named 'flask'
`,
  },
  {
    name: "Xcode",
    category: "compile_error",
    ecosystem: "swift",
    file: "/Users/runner/work/shop/Cart.swift",
    line: 12,
    log: `CompileSwift normal arm64 /Users/runner/work/shop/Cart.swift (in target 'Shop' from project 'Shop')
»/Users/runner/work/shop/Cart.swift:12:16: error: cannot find 'taxOf' in scope
        return taxOf(100)
               ^~~~~
** BUILD FAILED **


The following build commands failed:
	CompileSwift normal arm64 /Users/runner/work/shop/Cart.swift (in target 'Shop' from project 'Shop')
(1 failure)
##[error]Process completed with exit code 65.
`,
  },
  {
    name: "mix test",
    category: "test_failure",
    ecosystem: "elixir",
    log: `..

»  1) test adds the tax (Shop.CartTest)
     test/cart_test.exs:8
»     Assertion with == failed
     code:  assert Cart.total(cart) == 119
     left:  100
     right: 119
     stacktrace:
       test/cart_test.exs:10: (test)

Finished in 0.03 seconds (0.00s async, 0.03s sync)
3 tests, 1 failure
`,
  },
  {
    name: "Webpack, a module that does not resolve",
    category: "dependency_resolution",
    ecosystem: "node",
    log: `asset main.js 1.2 MiB [emitted] (name: main)
»ERROR in ./src/index.js 3:0-30
»Module not found: Error: Can't resolve 'left-pad' in '/app/src'
resolve 'left-pad' in '/app/src'
  Parsed request is a module
  using description file: /app/package.json (relative path: ./src)

webpack 5.90.0 compiled with 1 error in 1204 ms
`,
  },
  {
    name: "Next.js",
    category: "type_error",
    ecosystem: "node",
    file: "./app/page.tsx",
    line: 12,
    log: `   ▲ Next.js 14.1.0

   Creating an optimized production build ...
 ✓ Compiled successfully
   Linting and checking validity of types ...
Failed to compile.

»./app/page.tsx:12:9
»Type error: Type 'string' is not assignable to type 'number'.

  10 | export default function Page() {
  11 |   const total: number =
> 12 |         "a";
     |         ^
error Command failed with exit code 1.
`,
  },
  {
    name: "Ansible",
    category: "permission",
    log: `PLAY [shop] ********************************************************************

TASK [Gathering Facts] *********************************************************
»fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: deploy@web1: Permission denied (publickey).", "unreachable": true}

PLAY RECAP *********************************************************************
web1                       : ok=0    changed=0    unreachable=1    failed=0
`,
  },
  {
    name: "a lost agent in Jenkins",
    category: "infrastructure",
    ecosystem: "ci",
    log: `[Pipeline] sh
+ make test
»Cannot contact agent-7: java.lang.InterruptedException
»wrapper script does not seem to be touching the log file in /home/jenkins/workspace/shop@tmp/durable-1
[Pipeline] }
ERROR: script returned exit code -1
Finished: FAILURE
`,
  },
  {
    name: "a test that passes on the second try",
    category: "flaky",
    log: `Running 3 tests using 1 worker
  ✓  1 [chromium] › cart.spec.ts:3:1 › is empty (512ms)
»  1 flaky
    [chromium] › cart.spec.ts:9:1 › adds the tax ─────────────────────────
  2 passed (33.1s)
Error: Process completed with exit code 1.
`,
  },
  {
    name: "merge conflict",
    category: "configuration",
    ecosystem: "git",
    log: `$ git merge origin/main
Auto-merging src/cart.ts
»CONFLICT (content): Merge conflict in src/cart.ts
»Automatic merge failed; fix conflicts and then commit the result.
ERROR: Job failed: exit code 1
`,
  },
  {
    name: "clippy",
    category: "lint",
    ecosystem: "rust",
    log: `    Checking shop v0.1.0 (/app)
»error: this loop could be written as a \`for\` loop
  --> src/cart.rs:12:5
   |
12 |     while let Some(x) = it.next() {
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ help: try: \`for x in it\`
   |
   = help: for further information visit https://rust-lang.github.io/rust-clippy/master/index.html#while_let_on_iterator
   = note: \`-D clippy::while-let-on-iterator\` implied by \`-D warnings\`

error: could not compile \`shop\` (lib) due to 1 previous error
`,
  },
  {
    name: "black --check",
    category: "lint",
    ecosystem: "python",
    log: `»would reformat shop/cart.py

Oh no! 💥 💔 💥
1 file would be reformatted, 14 files would be left unchanged.
Error: Process completed with exit code 1.
`,
  },
  {
    name: "composer",
    category: "version_mismatch",
    ecosystem: "php",
    log: `Loading composer repositories with package information
Updating dependencies
»Your requirements could not be resolved to an installable set of packages.

  Problem 1
»    - Root composer.json requires php ^8.3 but your php version (8.1.2) does not satisfy that requirement.
`,
  },
  {
    name: "a node engine",
    category: "version_mismatch",
    ecosystem: "node",
    log: `yarn install v1.22.19
[1/4] Resolving packages...
[2/4] Fetching packages...
»error next@15.0.0: The engine "node" is incompatible with this module. Expected version ">=18.18.0". Got "16.20.2"
error Found incompatible module.
info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.
`,
  },
  {
    name: "a program that crashes",
    category: "unknown",
    ecosystem: "go",
    log: `2026/03/04 10:20:30 listening on :8080
»panic: runtime error: invalid memory address or nil pointer dereference
»[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a1b2c]

goroutine 1 [running]:
main.main()
	/app/main.go:14 +0x1c
exit status 2
`,
  },
];
