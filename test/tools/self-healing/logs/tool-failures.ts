import type { Category, Ecosystem } from "../../../../src/tools/self-healing/categories.ts";

/** The log of a tool's failure, and the expected diagnosis. */
export interface ToolFailure {
  name: string;
  run: string;
  /** By default 1. */
  exitCode?: number;
  log: string;
  /** Part of the line that states the cause. */
  cause: string;
  category: Category;
  /** Absent if the tool belongs to no ecosystem. */
  ecosystem?: Ecosystem;
  /** `file:line` or `file`. Absent if there is no file to open. */
  place?: string;
  /** Matches at least one of the suggestions. */
  advice: RegExp;
  /** Matches none of the suggestions. */
  never?: RegExp;
}

/** Failures of tools that not every machine has. The benchmark `current-tools` runs those that it finds. */
export const TOOL_FAILURES: readonly ToolFailure[] = [
  {
    name: "Next.js, a module that is not there",
    run: "npx next build",
    log: `▲ Next.js 16.0.1 (Turbopack)

   Creating an optimized production build ...

> Build error occurred
Error: Turbopack build failed with 1 errors:
./app/page.tsx:3:1
Module not found: Can't resolve '../lib/kart'
  1 | import Link from 'next/link';
> 3 | import { total } from '../lib/kart';
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    at <unknown> (./app/page.tsx:3:1)
`,
    cause: "Can't resolve '../lib/kart'",
    category: "missing_file",
    ecosystem: "node",
    place: "./app/page.tsx:3",
    advice: /\.\.\/lib\/kart/,
  },
  {
    name: "Cypress, a failing test",
    run: "npx cypress run",
    log: `  Running:  cart.cy.js                                                (1 of 1)

  cart
    1) adds the tax

  0 passing (4s)
  1 failing

  1) cart
       adds the tax:
     AssertionError: Timed out retrying after 4000ms: expected '<span>' to have text '119', but the text was '100'
      at Context.eval (webpack://shop/./cypress/e2e/cart.cy.js:5:24)
`,
    cause: "AssertionError",
    category: "test_failure",
    ecosystem: "node",
    place: "./cypress/e2e/cart.cy.js:5",
    advice: /expected '<span>'|adds the tax/,
  },
  {
    name: "Yarn, a stale lock file",
    run: "yarn install --immutable",
    log: `➤ YN0000: · Yarn 4.5.0
➤ YN0000: ┌ Resolution step
➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.
➤ YN0000: └ Completed in 0s 212ms
➤ YN0000: · Failed with errors in 0s 220ms
`,
    cause: "YN0028",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^yarn install$/m,
  },
  {
    name: "Bun, a failing test",
    run: "bun test",
    log: `bun test v1.3.0

cart.test.ts:
1 | import { expect, test } from "bun:test";
2 | test("adds the tax", () => { expect(100).toBe(119); });
                                             ^
error: expect(received).toBe(expected)

Expected: 119
Received: 100

      at <anonymous> (/app/cart.test.ts:2:42)
(fail) adds the tax [0.50ms]

 0 pass
 1 fail
`,
    cause: "(fail)",
    category: "test_failure",
    ecosystem: "node",
    place: "/app/cart.test.ts:2",
    advice: /cart\.test\.ts:2|adds the tax/,
  },
  {
    name: "Poetry, a version that is not there",
    run: "poetry install",
    log: `Updating dependencies
Resolving dependencies...

Because shop depends on acme-money (9.9) which doesn't match any versions, version solving failed.
`,
    cause: "version solving failed",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /acme-money/,
  },
  {
    name: "Poetry, a stale lock file",
    run: "poetry install --no-interaction",
    log: `Installing dependencies from lock file

pyproject.toml changed significantly since poetry.lock was last generated. Run \`poetry lock\` to fix the lock file.
`,
    cause: "changed significantly",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /^poetry lock$/m,
  },
  {
    name: "uv, a version that is not there",
    run: "uv sync",
    log: `  × No solution found when resolving dependencies:
  ╰─▶ Because there is no version of acme-money==9.9 and your project depends on acme-money==9.9, we can conclude that your project's requirements are unsatisfiable.
`,
    cause: "no version of acme-money",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /acme-money/,
  },
  {
    name: "Django without a migration",
    run: "python manage.py test",
    log: `Creating test database for alias 'default'...
Traceback (most recent call last):
  File "/app/manage.py", line 22, in <module>
    main()
  File "/app/shop/views.py", line 14, in cart
    return Cart.objects.get(pk=1)
  File "/venv/lib/python3.12/site-packages/django/db/backends/sqlite3/base.py", line 360, in execute
    return super().execute(query, params)
django.db.utils.OperationalError: no such table: shop_cart
`,
    cause: "no such table: shop_cart",
    category: "configuration",
    ecosystem: "python",
    place: "/app/shop/views.py:14",
    advice: /migrat/,
  },
  {
    name: "Alembic, two heads",
    run: "alembic upgrade head",
    log: `INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.
ERROR [alembic.util.messaging] Multiple head revisions are present for given argument 'head'; please specify a specific target revision, '<branchname>@head' to narrow to a specific head, or 'heads' for all heads
FAILED: Multiple head revisions are present for given argument 'head'; please specify a specific target revision, '<branchname>@head' to narrow to a specific head, or 'heads' for all heads
`,
    cause: "Multiple head revisions",
    category: "configuration",
    ecosystem: "python",
    advice: /alembic merge|heads/,
  },
  {
    name: "go test",
    run: "go test ./...",
    log: `--- FAIL: TestTotal (0.00s)
    cart_test.go:9: got 100, want 119
FAIL
FAIL	acme.test/shop	0.003s
ok  	acme.test/shop/tax	0.002s
FAIL
`,
    cause: "TestTotal",
    category: "test_failure",
    ecosystem: "go",
    place: "cart_test.go:9",
    advice: /go test \.\/\.\.\. -run TestTotal/,
  },
  {
    name: "go, a panic",
    run: "go run .",
    log: `panic: runtime error: index out of range [3] with length 2

goroutine 1 [running]:
main.total(...)
	/app/cart.go:8
main.main()
	/app/main.go:5 +0x1d
exit status 2
`,
    cause: "index out of range",
    category: "unknown",
    ecosystem: "go",
    place: "/app/cart.go:8",
    advice: /cart\.go:8/,
  },
  {
    name: "Gradle and Kotlin",
    run: "./gradlew build",
    log: `> Task :compileKotlin FAILED
e: file:///app/src/main/kotlin/Cart.kt:3:23 Type mismatch: inferred type is String but Int was expected
e: file:///app/src/main/kotlin/Cart.kt:9:5 Unresolved reference: totl

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileKotlin'.
> Compilation error. See log for more details

* Try:
> Run with --stacktrace option to get the stack trace.

BUILD FAILED in 4s
`,
    cause: "Type mismatch",
    category: "compile_error",
    ecosystem: "gradle",
    place: "/app/src/main/kotlin/Cart.kt:3",
    advice: /String.*Int/,
  },
  {
    name: "sbt",
    run: "sbt compile",
    log: `[info] compiling 2 Scala sources to /app/target/classes ...
[error] /app/src/main/scala/Cart.scala:3:21: type mismatch;
[error]  found   : String("a")
[error]  required: Int
[error]   def total: Int = "a"
[error]                    ^
[error] one error found
[error] (Compile / compileIncremental) Compilation failed
`,
    cause: "type mismatch",
    category: "compile_error",
    ecosystem: "sbt",
    place: "/app/src/main/scala/Cart.scala:3",
    advice: /Cart\.scala:3/,
  },
  {
    name: "dotnet build",
    run: "dotnet build",
    log: `  Determining projects to restore...
  All projects are up-to-date for restore.
/app/Cart.cs(5,20): error CS0103: The name 'totl' does not exist in the current context [/app/Shop.csproj]
/app/Cart.cs(9,13): error CS0029: Cannot implicitly convert type 'string' to 'int' [/app/Shop.csproj]

Build FAILED.
    0 Warning(s)
    2 Error(s)
`,
    cause: "'totl' does not exist",
    category: "type_error",
    ecosystem: "dotnet",
    place: "/app/Cart.cs:5",
    advice: /totl/,
  },
  {
    name: "NuGet, a source that does not answer",
    run: "dotnet restore",
    log: `/app/Shop.csproj : error NU1301: Unable to load the service index for source https://nuget.acme.test/v3/index.json.
`,
    cause: "NU1301",
    category: "network",
    ecosystem: "dotnet",
    place: "/app/Shop.csproj",
    advice: /nuget\.acme\.test/,
  },
  {
    name: "XCTest",
    run: "swift test",
    log: `Test Case 'CartTests.testTotal' started at 2026-03-04 10:20:30.000
/app/Tests/CartTests.swift:12: error: CartTests.testTotal : XCTAssertEqual failed: ("100") is not equal to ("119")
Test Case 'CartTests.testTotal' failed (0.1 seconds)
Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds
`,
    cause: "testTotal",
    category: "test_failure",
    ecosystem: "swift",
    place: "/app/Tests/CartTests.swift:12",
    advice: /testTotal/,
  },
  {
    name: "PHPUnit",
    run: "vendor/bin/phpunit",
    log: `PHPUnit 11.4.0 by Sebastian Bergmann and contributors.

F                                                                   1 / 1 (100%)

There was 1 failure:

1) Acme\\Tests\\CartTest::testTotal
Failed asserting that 100 matches expected 119.

/app/tests/CartTest.php:12

FAILURES!
Tests: 1, Assertions: 1, Failures: 1.
`,
    cause: "testTotal",
    category: "test_failure",
    ecosystem: "php",
    place: "/app/tests/CartTest.php:12",
    advice: /--filter testTotal/,
  },
  {
    name: "Composer",
    run: "composer install",
    log: `Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - Root composer.json requires acme/money ^9.0, found acme/money[1.0.0] but it does not match the constraint.
`,
    cause: "acme/money",
    category: "dependency_resolution",
    ecosystem: "php",
    advice: /acme\/money/,
  },
  {
    name: "RSpec",
    run: "bundle exec rspec",
    log: `F

Failures:

  1) Cart adds the tax
     Failure/Error: expect(cart.total).to eq(119)

       expected: 119
            got: 100

     # ./spec/cart_spec.rb:7:in 'block (2 levels) in <top (required)>'

1 example, 1 failure

Failed examples:

rspec ./spec/cart_spec.rb:5 # Cart adds the tax
`,
    cause: "cart_spec.rb",
    category: "test_failure",
    ecosystem: "ruby",
    place: "./spec/cart_spec.rb:5",
    advice:
      /bundle exec rspec \.\/spec\/cart_spec\.rb:5[\s\S]* at \.\/spec\/cart_spec\.rb:5: Cart adds the tax/,
  },
  {
    name: "Bundler",
    run: "bundle install",
    log: `Fetching gem metadata from https://rubygems.org/....
Could not find gem 'acme-money' in rubygems repository https://rubygems.org/ or installed locally.
`,
    cause: "acme-money",
    category: "dependency_resolution",
    ecosystem: "ruby",
    advice: /acme-money/,
  },
  {
    name: "Mix",
    run: "mix compile",
    log: `Compiling 2 files (.ex)
    error: undefined variable "totl"
    │
  5 │     totl + 1
    │     ^^^^
    │
    └─ lib/cart.ex:5:5: Shop.Cart.total/0


== Compilation error in file lib/cart.ex ==
** (CompileError) lib/cart.ex: cannot compile module Shop.Cart (errors have been logged)
`,
    cause: "undefined variable",
    category: "compile_error",
    ecosystem: "elixir",
    place: "lib/cart.ex:5",
    advice: /lib\/cart\.ex/,
  },
  {
    name: "Helm",
    run: "helm upgrade shop ./chart",
    log: `Error: UPGRADE FAILED: template: shop/templates/deployment.yaml:7:20: executing "shop/templates/deployment.yaml" at <.Values.image.tag>: nil pointer evaluating interface {}.tag
`,
    cause: "nil pointer",
    category: "configuration",
    ecosystem: "kubernetes",
    place: "shop/templates/deployment.yaml:7",
    advice: /deployment\.yaml:7/,
  },
  {
    name: "Terraform, in a frame",
    run: "terraform plan",
    log: `╷
│ Error: Unsupported argument
│ 
│   on main.tf line 4, in resource "acme_shop" "main":
│    4:   totl = 1
│ 
│ An argument named "totl" is not expected here. Did you mean "total"?
╵
`,
    cause: "Unsupported argument",
    category: "configuration",
    ecosystem: "terraform",
    place: "main.tf:4",
    advice: /Did you mean "total"/,
  },
  {
    name: "Ansible",
    run: "ansible-playbook site.yml",
    log: `TASK [Copy prices] *************************************************************
fatal: [shop1]: FAILED! => {"changed": false, "msg": "Could not find or access 'prices.json' on the Ansible Controller."}

PLAY RECAP *********************************************************************
shop1 : ok=1 changed=0 unreachable=0 failed=1 skipped=0 rescued=0 ignored=0
`,
    cause: "prices.json",
    category: "missing_file",
    ecosystem: "unknown",
    place: "prices.json",
    advice: /shop1|prices\.json/,
  },
  {
    name: "Docker, a step",
    run: "docker build .",
    log: `#8 [4/5] RUN npm ci
#8 1.932 npm error code EUSAGE
#8 1.932 npm error
#8 1.932 npm error The \`npm ci\` command can only install with an existing package-lock.json
#8 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
------
Dockerfile:6
--------------------
ERROR: failed to build: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
`,
    cause: "can only install with an existing",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "Dockerfile:6",
    advice: /npm install/,
  },
  {
    name: "the kernel's OOM killer",
    run: "make -j8",
    log: `g++ -c cart.cpp
g++: fatal error: Killed signal terminated program cc1plus
compilation terminated.
make: *** [Makefile:3: cart.o] Error 1
`,
    cause: "Killed signal",
    category: "out_of_memory",
    ecosystem: "c",
    advice: /make -j2|at once/,
  },
];
