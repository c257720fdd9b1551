import type { ToolFailure } from "../logs/tool-failures.ts";

export const PLATFORMS: readonly ToolFailure[] = [
  {
    name: "dbt, a model that does not hold",
    run: "dbt run",
    log: `10:20:01  Running with dbt=1.9.1
10:20:03  1 of 1 START sql table model main.orders ....................... [RUN]
10:20:03  1 of 1 ERROR creating sql table model main.orders .............. [ERROR in 0.05s]
10:20:03  
10:20:03  Completed with 1 error, 0 partial successes, and 0 warnings:
10:20:03  
10:20:03    Database Error in model orders (models/marts/orders.sql)
  column "totl" does not exist
  LINE 4:     totl
  compiled code at target/run/shop/models/marts/orders.sql
10:20:03  
10:20:03  Done. PASS=0 WARN=0 ERROR=1 SKIP=0 TOTAL=1
`,
    cause: "",
    category: "compile_error",
    ecosystem: "python",
    place: "models/marts/orders.sql",
    advice: /models\/marts\/orders\.sql/,
  },
  {
    name: "dbt, a model that nothing defines",
    run: "dbt compile",
    log: `10:20:01  Running with dbt=1.9.1
10:20:02  Encountered an error:
Compilation Error
  Model 'model.shop.orders' (models/marts/orders.sql) depends on a node named 'stg_ordrs' which was not found
`,
    cause: "stg_ordrs",
    category: "compile_error",
    ecosystem: "python",
    place: "models/marts/orders.sql",
    advice: /stg_ordrs|models\/marts\/orders\.sql/,
  },
  {
    name: "Flyway",
    run: "flyway migrate",
    log: `Flyway Community Edition 11.1.0 by Redgate
Database: jdbc:postgresql://localhost:5432/shop (PostgreSQL 16.2)
Migrating schema "public" to version "3 - add total"
ERROR: Migration of schema "public" to version "3 - add total" failed! Changes successfully rolled back.
ERROR: Script V3__add_total.sql failed
----------------------------------
SQL State  : 42703
Error Code : 0
Message    : ERROR: column "totl" does not exist
Location   : sql/V3__add_total.sql (/flyway/sql/V3__add_total.sql)
Line       : 4
Statement  : UPDATE orders SET total = totl
`,
    cause: 'column "totl" does not exist',
    category: "compile_error",
    place: "sql/V3__add_total.sql",
    advice: /V3__add_total\.sql/,
  },
  {
    name: "psql",
    run: "psql -v ON_ERROR_STOP=1 -f sql/schema.sql",
    log: `CREATE TABLE
psql:sql/schema.sql:9: ERROR:  syntax error at or near "TABEL"
LINE 1: CREATE TABEL orders (
               ^
`,
    cause: "syntax error",
    category: "compile_error",
    place: "sql/schema.sql:9",
    advice: /sql\/schema\.sql:9/,
  },
  {
    name: "Rails, a migration that is pending",
    run: "bin/rails test",
    log: `Migrations are pending. To resolve this issue, run:

        bin/rails db:migrate

You have 1 pending migration:

db/migrate/20260304102000_add_total.rb
`,
    cause: "Migrations are pending",
    category: "configuration",
    ecosystem: "ruby",
    advice: /bin\/rails db:migrate/,
  },
  {
    name: "Laravel",
    run: "php artisan migrate",
    log: `
   Illuminate\\Database\\QueryException 

  SQLSTATE[HY000] [2002] Connection refused (Connection: mysql, SQL: select * from information_schema.tables)

  at vendor/laravel/framework/src/Illuminate/Database/Connection.php:829
    825▕                     $this->getName(), $query, $this->prepareBindings($bindings), $e
`,
    cause: "Connection refused",
    category: "network",
    ecosystem: "php",
    advice: /listens|start|again|host/i,
  },
  {
    name: "kubectl, a manifest with a field it does not know",
    run: "kubectl apply -f deploy/app.yaml",
    log: `Error from server (BadRequest): error when creating "deploy/app.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica"
`,
    cause: 'unknown field "spec.replica"',
    category: "configuration",
    ecosystem: "kubernetes",
    place: "deploy/app.yaml",
    advice: /deploy\/app\.yaml|spec\.replica/,
  },
  {
    name: "kubectl, YAML that does not parse",
    run: "kubectl apply -f deploy/app.yaml",
    log: `error: error parsing deploy/app.yaml: error converting YAML to JSON: yaml: line 9: mapping values are not allowed in this context
`,
    cause: "mapping values are not allowed",
    category: "configuration",
    ecosystem: "kubernetes",
    place: "deploy/app.yaml:9",
    advice: /deploy\/app\.yaml:9/,
  },
  {
    name: "kubeconform",
    run: "kubeconform deploy/",
    log: "deploy/app.yaml - Deployment shop is invalid: problem validating schema. Check JSON formatting: jsonschema validation failed: at '/spec/replicas': got string, want null or integer\n",
    cause: "got string, want null or integer",
    category: "configuration",
    ecosystem: "kubernetes",
    place: "deploy/app.yaml",
    advice: /deploy\/app\.yaml/,
  },
  {
    name: "Helm, a template",
    run: "helm template .",
    log: `Error: parse error at (shop/templates/deployment.yaml:14): unclosed action

Use --debug flag to render out invalid YAML
`,
    cause: "unclosed action",
    category: "configuration",
    ecosystem: "kubernetes",
    place: "shop/templates/deployment.yaml:14",
    advice: /deployment\.yaml:14/,
  },
  {
    name: "Docker Compose",
    run: "docker compose up",
    log: "yaml: line 7: did not find expected key\n",
    cause: "did not find expected key",
    category: "configuration",
    ecosystem: "docker",
    advice: /line 7|did not find expected key/,
  },
  {
    name: "Docker Compose, a key that it does not know",
    run: "docker compose config",
    log: "validating /home/dev/shop/compose.yaml: services.web additional properties 'prots' not allowed\n",
    cause: "prots",
    category: "configuration",
    ecosystem: "docker",
    place: "/home/dev/shop/compose.yaml",
    advice: /compose\.yaml/,
  },
  {
    name: "Pulumi",
    run: "pulumi up --yes",
    log: `Updating (dev)

 +  pulumi:pulumi:Stack shop-dev creating
    pulumi:pulumi:Stack (shop-dev):
    error: Running program '/home/dev/shop/index.ts' failed with an unhandled exception:
    TSError: ⨯ Unable to compile TypeScript:
    index.ts(6,7): error TS2322: Type 'string' is not assignable to type 'number'.
`,
    cause: "TS2322",
    category: "type_error",
    ecosystem: "node",
    place: "index.ts:6",
    advice: /index\.ts:6/,
  },
  {
    name: "CloudFormation's linter",
    run: "cfn-lint template.yaml",
    log: `E3012 Property Resources/Queue/Properties/DelaySeconds should be of type Integer
template.yaml:9:7

`,
    cause: "E3012",
    category: "lint",
    place: "template.yaml:9",
    advice: /template\.yaml:9/,
  },
  {
    name: "nginx",
    run: "nginx -t -c conf/nginx.conf",
    log: `nginx: [emerg] unknown directive "lisen" in /srv/shop/conf/nginx.conf:12
nginx: configuration file /srv/shop/conf/nginx.conf test failed
`,
    cause: 'unknown directive "lisen"',
    category: "configuration",
    place: "/srv/shop/conf/nginx.conf:12",
    advice: /nginx\.conf:12/,
  },
  {
    name: "pre-commit",
    run: "pre-commit run --all-files",
    log: `trim trailing whitespace.................................................Passed
check yaml...............................................................Failed
- hook id: check-yaml
- exit code: 1

while parsing a block mapping
  in "deploy/app.yaml", line 4, column 3
did not find expected key
  in "deploy/app.yaml", line 6, column 5

`,
    cause: "did not find expected key",
    category: "configuration",
    place: "deploy/app.yaml:6",
    advice: /deploy\/app\.yaml/,
  },
  {
    name: "tox",
    run: "tox -e py312",
    log: `py312: commands[0]> python -c 'import shop'
Traceback (most recent call last):
  File "<string>", line 1, in <module>
  File "/home/dev/shop/shop/__init__.py", line 3, in <module>
    import yamll
ModuleNotFoundError: No module named 'yamll'
py312: exit 1 (0.04 seconds) /home/dev/shop> python -c 'import shop' pid=4711
  py312: FAIL code 1 (0.09=setup[0.05]+cmd[0.04] seconds)
  evaluation failed :( (0.14 seconds)
`,
    cause: "No module named 'yamll'",
    category: "dependency_resolution",
    ecosystem: "python",
    place: "/home/dev/shop/shop/__init__.py:3",
    advice: /yamll/,
  },
  {
    name: "Behave and Cucumber",
    run: "npx cucumber-js",
    log: `.F-

Failures:

1) Scenario: the tax is added # features/cart.feature:3
   ✔ Given an order of 100 # features/steps/cart.js:4
   ✖ Then the total is 119 # features/steps/cart.js:8
       AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

       100 !== 119

           at World.<anonymous> (/home/dev/shop/features/steps/cart.js:9:10)

1 scenario (1 failed)
2 steps (1 failed, 1 passed)
`,
    cause: "AssertionError",
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/shop/features/steps/cart.js:9",
    advice: /cart\.js:9/,
  },
  {
    name: "Catch2",
    run: "./build/tests",
    log: `
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
tests is a Catch2 v3.5.2 host application.
Run with -? for options

-------------------------------------------------------------------------------
the tax is added
-------------------------------------------------------------------------------
/home/dev/shop/test/cart.cpp:4
...............................................................................

/home/dev/shop/test/cart.cpp:5: FAILED:
  REQUIRE( total(100) == 119 )
with expansion:
  100 == 119

===============================================================================
test cases: 1 | 1 failed
assertions: 1 | 1 failed
`,
    cause: "cart.cpp:5: FAILED",
    category: "test_failure",
    ecosystem: "c",
    place: "/home/dev/shop/test/cart.cpp:5",
    advice: /cart\.cpp:5/,
  },
  {
    name: "GoogleTest",
    run: "./build/tests",
    log: `[==========] Running 1 test from 1 test suite.
[ RUN      ] Cart.AddsTax
test/cart.cc:9: Failure
Expected equality of these values:
  total(100)
    Which is: 100
  119

[  FAILED  ] Cart.AddsTax (0 ms)
[==========] 1 test from 1 test suite ran. (0 ms total)
[  PASSED  ] 0 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Cart.AddsTax

 1 FAILED TEST
`,
    cause: "",
    category: "test_failure",
    ecosystem: "c",
    place: "test/cart.cc:9",
    advice: /cart\.cc:9|Cart\.AddsTax/,
  },
  {
    name: "Bats",
    run: "bats test/cart.bats",
    log: `1..1
not ok 1 adds the tax
# (in test file test/cart.bats, line 5)
#   \`[ "$output" = "119" ]' failed
`,
    cause: "adds the tax",
    category: "test_failure",
    place: "test/cart.bats:5",
    advice: /cart\.bats:5|adds the tax/,
  },
  {
    name: "Minitest",
    run: "bundle exec rake test",
    log: `Run options: --seed 4711

# Running:

F

Failure:
TestCart#test_adds_tax [test/cart_test.rb:8]:
Expected: 119
  Actual: 100

1 runs, 1 assertions, 1 failures, 0 errors, 0 skips
rake aborted!
`,
    cause: "TestCart#test_adds_tax",
    category: "test_failure",
    ecosystem: "ruby",
    place: "test/cart_test.rb:8",
    advice: /cart_test\.rb:8|test_adds_tax/,
  },
  {
    name: "unittest",
    run: "python -m unittest",
    log: `F
======================================================================
FAIL: test_tax (test_cart.CartTest.test_tax)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/shop/test_cart.py", line 7, in test_tax
    self.assertEqual(total(100), 119)
AssertionError: 100 != 119

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)
`,
    cause: "",
    category: "test_failure",
    ecosystem: "python",
    place: "/home/dev/shop/test_cart.py:7",
    advice: /test_cart\.py:7|test_tax/,
  },
  {
    name: "testthat",
    run: "Rscript -e 'testthat::test_dir(\"tests\")'",
    log: `✔ | F W  S  OK | Context
✖ | 1        0 | cart
────────────────────────────────────────────────────────────────────────────────
Failure ('test-cart.R:4:3'): the tax is added
total(100) (\`actual\`) not equal to 119 (\`expected\`).
────────────────────────────────────────────────────────────────────────────────
[ FAIL 1 | WARN 0 | SKIP 0 | PASS 0 ]
Error: Test failures
Execution halted
`,
    cause: "the tax is added",
    category: "test_failure",
    place: "test-cart.R:4",
    advice: /test-cart\.R:4/,
  },
];
