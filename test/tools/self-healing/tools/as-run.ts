import type { ToolFailure } from "../logs/tool-failures.ts";

/** What tools printed when they were run on small faults; only the folders are renamed. */
export const AS_RUN: readonly ToolFailure[] = [
  {
    name: "RSpec, the first of two examples",
    run: "bundle exec rspec",
    log: `.F.F

Failures:

  1) Cart adds up prices
     Failure/Error: expect(cart.total).to eq(30)

       expected: 30
            got: 20

       (compared using ==)
     # ./spec/cart_spec.rb:12:in \`block (2 levels) in <top (required)>'

  2) Cart empties itself
     Failure/Error: cart.empty!

     NoMethodError:
       undefined method \`empty!' for an instance of Cart
     # ./lib/cart.rb:8:in \`clear'
     # ./spec/cart_spec.rb:21:in \`block (2 levels) in <top (required)>'

4 examples, 2 failures

Failed examples:

rspec ./spec/cart_spec.rb:10 # Cart adds up prices
rspec ./spec/cart_spec.rb:19 # Cart empties itself
`,
    cause: "cart_spec.rb:10",
    category: "test_failure",
    ecosystem: "ruby",
    place: "./spec/cart_spec.rb:10",
    advice: /^bundle exec rspec \.\/spec\/cart_spec\.rb:10$/m,
    never: /: rspec \./,
  },
  {
    name: "Perl's Test::More",
    run: "perl t/cart.t",
    log: `1..2
not ok 1 - adds
#   Failed test 'adds'
#   at t/cart.t line 3.
#          got: '2'
#     expected: '3'
ok 2 - fine
# Looks like you failed 1 test of 2.
`,
    cause: "Failed test 'adds'",
    category: "test_failure",
    ecosystem: "unknown",
    place: "t/cart.t:3",
    advice: /expected with what comes out at t\/cart\.t:3/,
    never: /go test/,
  },
  {
    name: "Perl, a module that is not installed",
    run: "perl report.pl",
    log: `Can't locate Moo/Nope.pm in @INC (you may need to install the Moo::Nope module) (@INC contains: /etc/perl /usr/share/perl5 .) at report.pl line 2.
BEGIN failed--compilation aborted at report.pl line 2.
`,
    cause: "Can't locate Moo/Nope.pm",
    category: "dependency_resolution",
    place: "report.pl:2",
    advice: /itself says: you may need to install the Moo::Nope module$/m,
    never: /INC contains/,
  },
  {
    name: "cfn-lint, the first of four findings",
    run: "cfn-lint template.yaml",
    log: `E3002 Additional properties are not allowed ('BucketNam' was unexpected. Did you mean 'BucketName'?)
template.yaml:6:7

E3003 'Code' is a required property
template.yaml:9:5

E3003 'Role' is a required property
template.yaml:9:5

E3030 'nodejs99.x' is not one of ['nodejs22.x', 'nodejs24.x']
template.yaml:10:7
`,
    cause: "'BucketNam' was unexpected",
    category: "lint",
    place: "template.yaml:6",
    advice: /Did you mean 'BucketName'\?/,
  },
  {
    name: "Cargo, a path that is not there",
    run: "cargo build",
    log: `error: failed to get \`money\` as a dependency of package \`shop v0.1.0 (/app/shop)\`

Caused by:
  failed to load source for dependency \`money\`

Caused by:
  unable to update /app/money

Caused by:
  failed to read \`/app/money/Cargo.toml\`

Caused by:
  No such file or directory (os error 2)
`,
    cause: "failed to read `/app/money/Cargo.toml`",
    category: "dependency_resolution",
    ecosystem: "rust",
    place: "/app/money/Cargo.toml",
    advice: /path of the dependency/,
  },
  {
    name: "the AWS command line, without credentials",
    run: "aws s3 ls",
    log: 'Unable to locate credentials. You can configure credentials by running "aws configure".\n',
    cause: "Unable to locate credentials",
    category: "permission",
    advice: /itself says: You can configure credentials by running "aws configure"/,
  },
  {
    name: "Flask, two views of one name",
    run: "flask run",
    log: `Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/flask/cli.py", line 245, in locate_app
    __import__(module_name)
  File "/app/app.py", line 5, in <module>
    @app.route("/b")
     ^^^^^^^^^^^^^^^
  File "/usr/lib/python3.11/site-packages/flask/sansio/app.py", line 657, in add_url_rule
    raise AssertionError(
AssertionError: View function mapping is overwriting an existing endpoint function: show
`,
    cause: "overwriting an existing endpoint function: show",
    category: "configuration",
    ecosystem: "python",
    place: "/app/app.py:5",
    advice: /view .*show|show.* view/i,
    never: /expectation|test/i,
  },
  {
    name: "Go, tests whose database does not listen",
    run: "go test ./...",
    log: `store: cannot reach test database: dial tcp 127.0.0.1:5432: connect: connection refused
--- FAIL: TestInsert (0.00s)
    store_test.go:28: no rows: store is nil
--- FAIL: TestUpdate (0.00s)
    store_test.go:29: no rows: store is nil
--- FAIL: TestDelete (0.00s)
    store_test.go:30: no rows: store is nil
--- FAIL: TestPaging (0.00s)
    store_test.go:33: no rows: store is nil
FAIL
FAIL	acme.test/shop/store	0.004s
FAIL
`,
    cause: "cannot reach test database",
    category: "network",
    ecosystem: "go",
    advice: /something listens on port 5432 of 127\.0\.0\.1/,
    never: /kubectl|cluster|-run TestInsert/,
  },
  {
    name: "Go, a failed test with -v, which prints the reason above its result",
    run: "go vet ./... && go test -v ./...",
    log: `=== RUN   TestTotal
    cart_test.go:12: Total() = 100, want 119
--- FAIL: TestTotal (0.00s)
FAIL
FAIL	acme.test/shop/cart	0.003s
FAIL
`,
    cause: "--- FAIL: TestTotal",
    category: "test_failure",
    ecosystem: "go",
    place: "cart_test.go:12",
    advice: /comes out at cart_test\.go:12: Total\(\) = 100, want 119$/m,
    never: /: --- FAIL/,
  },
  {
    name: "CTest, a test that AddressSanitizer stops",
    run: "ctest --output-on-failure",
    log: `    Start 1: push
1/2 Test #1: push .............................   Passed    0.02 sec
    Start 2: wrap
2/2 Test #2: wrap .............................***Failed    0.13 sec
=================================================================
==6314==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000020 at pc 0x565352a7c694
WRITE of size 4 at 0x602000000020 thread T0
    #0 0x565352a7c693 in push /app/ring.c:7
    #1 0x565352a7c268 in main /app/test_wrap.c:5

SUMMARY: AddressSanitizer: heap-buffer-overflow /app/ring.c:7 in push
==6314==ABORTING


50% tests passed, 1 tests failed out of 2

Total Test time (real) =   0.19 sec

The following tests FAILED:
	  2 - wrap (Failed)
Errors while running CTest
`,
    cause: "heap-buffer-overflow on address",
    category: "test_failure",
    ecosystem: "c",
    place: "/app/ring.c:7",
    advice: /Mend the access at \/app\/ring\.c:7/,
  },
  {
    name: "Valgrind, a leak",
    run: "make memcheck",
    log: `valgrind --leak-check=full --error-exitcode=9 ./shop
==8551== Memcheck, a memory error detector
==8551== Command: ./shop
==8551==
==8551== HEAP SUMMARY:
==8551==     in use at exit: 96 bytes in 2 blocks
==8551==   total heap usage: 3 allocs, 1 frees, 100 bytes allocated
==8551==
==8551== 96 (48 direct, 48 indirect) bytes in 1 blocks are definitely lost in loss record 2 of 2
==8551==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==8551==    by 0x10915E: add (shop.c:4)
==8551==    by 0x10918D: main (shop.c:5)
==8551==
==8551== LEAK SUMMARY:
==8551==    definitely lost: 48 bytes in 1 blocks
==8551==
==8551== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)
make: *** [Makefile:3: memcheck] Error 9
`,
    cause: "are definitely lost in loss record",
    category: "test_failure",
    ecosystem: "c",
    place: "shop.c:4",
    advice: /Free what is allocated at shop\.c:4/,
  },
  {
    name: "ExUnit, an exception in the code that is tested",
    run: "mix test",
    log: `  1) test adds up (ShopTest)
     test/shop_test.exs:6
     ** (FunctionClauseError) no function clause matching in Shop.rate/1

     code: assert Shop.total([:eu, :us]) == []
     stacktrace:
       (money 1.2.0) lib/money.ex:12: Money.add/2
       (shop 0.1.0) lib/shop.ex:2: Shop.rate/1
       (elixir 1.14.0) lib/enum.ex:1658: Enum."-map/2-lists^map/1-0-"/2
       test/shop_test.exs:7: (test)


Finished in 0.1 seconds (0.00s async, 0.1s sync)
4 tests, 1 failure
`,
    cause: "test adds up (ShopTest)",
    category: "test_failure",
    ecosystem: "elixir",
    place: "lib/shop.ex:2",
    advice: /lib\/shop\.ex:2: \*\* \(FunctionClauseError\) no function clause matching in Shop\.rate\/1$/m,
  },
  {
    name: "EUnit, as Erlang itself prints it",
    run: "erl -noshell -eval 'eunit:test(cart_tests, [verbose])'",
    log: `======================== EUnit ========================
module 'cart_tests'
  cart_tests: grows_test...ok
  cart_tests: total_test...*failed*
in function cart_tests:total_test/0 (test/cart_tests.erl, line 3)
in call from eunit_test:'-mf_wrapper/2-fun-0-'/2 (eunit_test.erl, line 273)
**error:{assertEqual,[{module,cart_tests},
              {line,3},
              {expected,2},
              {value,3}]}
  output:<<"">>

=======================================================
  Failed: 1.  Skipped: 0.  Passed: 1.
`,
    exitCode: 1,
    cause: "cart_tests: total_test...*failed*",
    category: "test_failure",
    place: "test/cart_tests.erl:3",
    advice: /comes out at test\/cart_tests\.erl:3/,
    never: /rebar3/,
  },
  {
    name: "tox, without the interpreter",
    run: "tox",
    log: `py39 create: /app/.tox/py39
ERROR: InterpreterNotFound: python3.9
___________________________________ summary ____________________________________
ERROR:  py39: InterpreterNotFound: python3.9
`,
    cause: "InterpreterNotFound: python3.9",
    category: "version_mismatch",
    ecosystem: "python",
    advice: /^Install python3\.9 on this machine/m,
  },
  {
    name: "env, a script with the line ends of Windows",
    run: "./build.sh",
    log: "/usr/bin/env: ‘bash\\r’: No such file or directory\n/usr/bin/env: use -[v]S to pass options in shebang lines\n",
    exitCode: 127,
    cause: "/usr/bin/env: ‘bash\\r’",
    category: "configuration",
    advice: /Unix line ends/,
    never: /Make bash/,
  },
  {
    name: "bash, a script with the line ends of Windows",
    run: "make",
    log: "bash: line 1: ./build.sh: cannot execute: required file not found\n",
    exitCode: 127,
    cause: "required file not found",
    category: "configuration",
    place: "./build.sh",
    advice: /^sed -i 's\/\\r\$\/\/' \.\/build\.sh$/m,
  },
  {
    name: "Hugo, a shortcode that is not there",
    run: "hugo --minify",
    log: `Start building sites …
hugo v0.111.3+extended linux/amd64
Error: Error building site: "/app/content/cart.md:4:1": failed to extract shortcode: template for shortcode "figur" not found
Total in 6 ms
`,
    cause: "Error building site",
    category: "compile_error",
    place: "/app/content/cart.md:4",
    advice: /^Mend \/app\/content\/cart\.md:4: /m,
  },
  {
    name: "Vitest, a test that takes too long",
    run: "npx vitest run",
    log: ` FAIL  src/poll.test.js > gives up after max attempts
Error: Test timed out in 1500ms.
If this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".

 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
`,
    cause: "Test timed out in 1500ms",
    category: "timeout",
    ecosystem: "node",
    place: "src/poll.test.js",
    advice: /await what the test waits for/,
  },
  {
    name: "configure, a library that is not there",
    run: "./configure && make",
    log: `checking for pcap_open_live in -lpcap... no
configure: error: libpcap >= 1.9 is required (install libpcap-dev or libpcap-devel)
`,
    cause: "libpcap >= 1.9 is required",
    category: "dependency_resolution",
    ecosystem: "c",
    advice: /itself says: install libpcap-dev or libpcap-devel$/m,
    never: /setting or argument/,
  },
  {
    name: "latexmk, a package that is not there",
    run: "latexmk -pdf paper.tex",
    log: `(./paper.tex
! LaTeX Error: File \`siunitxx.sty' not found.

l.3 \\begin
          {document}^^M
Latexmk: If appropriate, the -f option can be used to get latexmk
  to try to force complete processing.
`,
    cause: "File `siunitxx.sty' not found",
    category: "missing_file",
    place: "./paper.tex:3",
    advice: /Install the TeX package that has siunitxx\.sty/,
    never: /force/,
  },
  {
    name: "Node's own assertion, with the legend of its difference",
    run: "node --test",
    log: `AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
+ actual - expected

+ 'a-b-'
- 'a-b'

    at Object.<anonymous> (/app/test/slug.js:4:8)
`,
    cause: "Expected values to be strictly equal:",
    category: "test_failure",
    ecosystem: "node",
    place: "/app/test/slug.js:4",
    advice: /slug\.js:4: .*Expected values to be strictly equal/,
    never: /actual - expected/,
  },
  {
    name: "testthat, which ends a heading with a rule",
    run: "Rscript -e 'testthat::test_dir(\"tests\")'",
    log: `── 1. Failure ('test-cart.R:3'): ignores missing values ───────────────────────
mean_by(x) not equal to 1.
`,
    cause: "ignores missing values",
    category: "test_failure",
    place: "test-cart.R:3",
    advice: /^Decide whether ignores missing values or the code that it tests is wrong$/m,
  },
  {
    name: "Black, where nothing speaks of Ruff",
    run: "black --check src",
    log: "would reformat src/cart.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted.\n",
    cause: "would reformat src/cart.py",
    category: "lint",
    ecosystem: "python",
    place: "src/cart.py",
    advice: /^black \.$/m,
    never: /ruff/i,
  },
  {
    name: "pre-commit, a hook that nobody knows",
    run: "git commit -m x",
    log: `trim trailing whitespace.................................................Passed
check-headers............................................................Failed
- hook id: check-headers
- exit code: 1

bad header in docs/a.md
`,
    cause: "check-headers....",
    category: "lint",
    ecosystem: "git",
    advice: /^Mend what the hook check-headers says below its name$/m,
  },
  {
    name: "a test that needs what a failed build did not make",
    run: "npm run build; npm test",
    log: `> fmt@1.0.0 build
> tsc -p .

src/index.ts(3,25): error TS1005: ')' expected.

> fmt@1.0.0 test
> node test/a.js

Error: Cannot find module '../dist/index.js'
Require stack:
- /app/test/a.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
`,
    cause: "error TS1005",
    category: "compile_error",
    ecosystem: "node",
    place: "src/index.ts:3",
    advice: /^Mend src\/index\.ts:3: /m,
    never: /dist\/index/,
  },
];
