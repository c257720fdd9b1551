import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures of languages and generators whose tools each have their own notation of places. */
export const INTERPRETERS: readonly ToolFailure[] = [
  {
    name: "pytest, a fixture that is missing, told in a few lines",
    run: "python3 -m pytest -q",
    log: `E                                                                        [100%]
==================================== ERRORS ====================================
___________________________ ERROR at setup of test_f ___________________________
file /srv/shop/tests/test_cart.py, line 2
  def test_f(db, tmp_path): pass
E       fixture 'db' not found
>       available fixtures: cache, capfd, tmp_path
>       use 'pytest --fixtures [testpath]' for help on them.

/srv/shop/tests/test_cart.py:2
=========================== short test summary info ============================
ERROR tests/test_cart.py::test_f
1 error in 1.35s
`,
    cause: "fixture 'db' not found",
    category: "test_failure",
    place: "/srv/shop/tests/test_cart.py:2",
    advice: /Define the fixture db/,
  },
  {
    name: "pytest, an option of a plugin that is not there",
    run: "python3 -m pytest -q",
    log: `ERROR: usage: __main__.py [options] [file_or_dir] [file_or_dir] [...]
__main__.py: error: unrecognized arguments: --cov=shop
  inifile: /srv/shop/pyproject.toml
  rootdir: /srv/shop
`,
    cause: "unrecognized arguments",
    category: "configuration",
    advice: /plugin of pytest that brings --cov/,
  },
  {
    name: "Python, a file of a package that is run by its path",
    run: "python3 src/shop/cart.py",
    log: `Traceback (most recent call last):
  File "/srv/src/shop/cart.py", line 1, in <module>
    from . import tax
ImportError: attempted relative import with no known parent package
`,
    cause: "attempted relative import",
    category: "configuration",
    place: "/srv/src/shop/cart.py:1",
    advice: /Run it as a module/,
  },
  {
    name: "go test, what takes too long",
    run: "go test -timeout 1s ./...",
    log: `panic: test timed out after 1s

goroutine 17 [running]:
testing.(*M).startAlarm.func1()
	/usr/lib/go-1.19/src/testing/testing.go:2036 +0x8e
created by time.goFunc
	/usr/lib/go-1.19/src/time/sleep.go:176 +0x32

goroutine 1 [chan receive]:
testing.(*T).Run(0xc0000076c0, {0x521a7c?, 0x4d0c65?}, 0x52b8a0)
	/usr/lib/go-1.19/src/testing/testing.go:1494 +0x37a
main.main()
	_testmain.go:47 +0x1aa

goroutine 18 [sleep]:
time.Sleep(0xb2d05e00)
	/usr/lib/go-1.19/src/runtime/time.go:195 +0x135
shop.TestTotal(0x0?)
	/srv/shop/total_test.go:3 +0x25
FAIL	shop	1.006s
FAIL
`,
    cause: "test timed out",
    category: "timeout",
    place: "/srv/shop/total_test.go:3",
    advice: /-timeout/,
  },
  {
    name: "Lua, what it cannot read",
    run: "lua shop.lua",
    log: "lua: shop.lua:14: 'end' expected (to close 'function' at line 9) near <eof>\n",
    cause: "'end' expected",
    category: "compile_error",
    place: "shop.lua:14",
    advice: /shop\.lua:14/,
  },
  {
    name: "Lua, what breaks off",
    run: "lua5.4 shop.lua",
    log: "lua5.4: shop.lua:8: attempt to index a nil value (local 'cart')\nstack traceback:\n\tshop.lua:8: in function 'total'\n\t[C]: in ?\n",
    cause: "attempt to index a nil value",
    category: "unknown",
    place: "shop.lua:8",
    advice: /attempt to index/,
  },
  {
    name: "AWK",
    run: "awk -f sum.awk prices.txt",
    log: "awk: sum.awk: line 7: syntax error at or near }\n",
    cause: "syntax error",
    category: "compile_error",
    place: "sum.awk:7",
    advice: /sum\.awk:7/,
  },
  {
    name: "Perl's tests",
    run: "prove -l t",
    log: `
#   Failed test 'the tax is added'
#   at t/cart.t line 12.
#          got: '90'
#     expected: '91'
# Looks like you failed 1 test of 3.
t/cart.t ..
Dubious, test returned 1 (wstat 256, 0x100)
Failed 1/3 subtests

Test Summary Report
-------------------
t/cart.t (Wstat: 256 (exited 1) Tests: 3 Failed: 1)
Result: FAIL
`,
    cause: "Failed test 'the tax is added'",
    category: "test_failure",
    place: "t/cart.t:12",
    advice: /the tax is added/,
  },
  {
    name: "Bison",
    run: "bison -d cart.y",
    log: "cart.y:21.9-13: error: symbol 'price' is used, but is not defined as a token and has no rules\n   21 |   items price\n      |         ^~~~~\n",
    cause: "symbol 'price' is used",
    category: "compile_error",
    place: "cart.y:21",
    advice: /cart\.y:21/,
  },
  {
    name: "Free Pascal",
    run: "fpc shop.pas",
    log: `Compiling shop.pas
shop.pas(7,12) Error: Incompatible types: got "Text" expected "LongInt"
shop.pas(11) Fatal: There were 1 errors compiling module, stopping
Fatal: Compilation aborted
Error: /usr/bin/ppcx64 returned an error exitcode
`,
    cause: "Incompatible types",
    category: "type_error",
    place: "shop.pas:7",
    advice: /shop\.pas:7/,
  },
  {
    name: "Nim, a module that is not there",
    run: "nim c shop.nim",
    log: "/home/dev/shop/shop.nim(2, 8) Error: cannot open file: money\n",
    cause: "cannot open file: money",
    category: "dependency_resolution",
    place: "/home/dev/shop/shop.nim:2",
    advice: /money/,
  },
  {
    name: "dune, a language that it does not know yet",
    run: "dune build",
    log: `File "dune-project", line 1, characters 11-14:
1 | (lang dune 3.9)
               ^^^
Error: Version 3.9 of the dune language is not supported.
`,
    cause: "Version 3.9",
    category: "version_mismatch",
    place: "dune-project:1",
    advice: /3\.9/,
  },
  {
    name: "Erlang's compiler",
    run: "erlc src/cart.erl",
    log: "src/cart.erl:9:12: function totl/1 undefined\n%    9| total(Net) -> totl(Net).\n%     |               ^\n",
    cause: "function totl/1 undefined",
    category: "compile_error",
    place: "src/cart.erl:9",
    advice: /src\/cart\.erl:9/,
  },
  {
    name: "Solidity's compiler for JavaScript",
    run: "solcjs --bin contracts/Cart.sol",
    log: `TypeError: Type literal_string "a" is not implicitly convertible to expected type uint256.
 --> contracts/Cart.sol:5:26:
  |
5 |   uint256 public total = "a";
  |                          ^^^
`,
    cause: "not implicitly convertible",
    category: "type_error",
    place: "contracts/Cart.sol:5",
    advice: /contracts\/Cart\.sol:5/,
  },
  {
    name: "Rake, a file that is not there",
    run: "rake prices",
    log: `rake aborted!
Errno::ENOENT: No such file or directory @ rb_sysopen - data/prices.csv
/home/dev/shop/Rakefile:4:in \`read'
/home/dev/shop/Rakefile:4:in \`block in <top (required)>'
Tasks: TOP => prices
`,
    cause: "rb_sysopen - data/prices.csv",
    category: "missing_file",
    ecosystem: "ruby",
    place: "/home/dev/shop/Rakefile:4",
    advice: /data\/prices\.csv/,
  },
  {
    name: "Go, packages that import each other",
    run: "go build ./...",
    log: "package shop/cart\n\timports shop/tax\n\timports shop/cart: import cycle not allowed\n",
    cause: "import cycle not allowed",
    category: "compile_error",
    ecosystem: "go",
    advice: /shop\/cart/,
  },
  {
    name: "Java without its main class",
    run: "java -cp out shop.Cart",
    log: "Error: Could not find or load main class shop.Cart\nCaused by: java.lang.ClassNotFoundException: shop.Cart\n",
    cause: "main class shop.Cart",
    category: "configuration",
    advice: /class path/,
  },
  {
    name: "cargo, a feature that is not declared",
    run: "cargo build --features fast",
    log: "error: the package 'shop' does not contain this feature: fast\n",
    cause: "does not contain this feature",
    category: "configuration",
    ecosystem: "rust",
    advice: /feature fast/,
  },
  {
    name: "Make, a program that is not installed",
    run: "make lint",
    log: "shop-lint src\nmake: shop-lint: No such file or directory\nmake: *** [Makefile:9: lint] Error 127\n",
    cause: "make: shop-lint",
    category: "missing_file",
    place: "Makefile:9",
    advice: /Install the command/,
    never: /Make shop-lint/,
  },
  {
    name: "Cppcheck",
    run: "cppcheck --error-exitcode=1 src",
    log: "src/cart.c:3:4: error: Array 'a[2]' accessed at index 5, which is out of bounds. [arrayIndexOutOfBounds]\n  a[5] = 1;\n   ^\n",
    cause: "accessed at index 5",
    category: "lint",
    place: "src/cart.c:3",
    advice: /src\/cart\.c:3/,
  },
  {
    name: "Ant, a compile error",
    run: "ant build",
    log: `build:
    [javac] Compiling 1 source file to /home/dev/shop/out
    [javac] /home/dev/shop/src/Cart.java:2: error: cannot find symbol
    [javac]   int total = totl;
    [javac]               ^
    [javac]   symbol:   variable totl
    [javac] 1 error

BUILD FAILED
/home/dev/shop/build.xml:1: Compile failed; see the compiler error output for details.
`,
    cause: "cannot find symbol",
    category: "compile_error",
    place: "/home/dev/shop/src/Cart.java:2",
    advice: /Cart\.java:2/,
  },
  {
    name: "SCons, a source that is not there",
    run: "scons",
    log: "scons: Building targets ...\nscons: *** [src/kart.o] Source `src/kart.c' not found, needed by target `src/kart.o'.\nscons: building terminated because of errors.\n",
    cause: "src/kart.c' not found",
    category: "missing_file",
    advice: /src\/kart\.c/,
  },
  {
    name: "HAProxy",
    run: "haproxy -c -f haproxy.cfg",
    log: "[NOTICE]   (41) : haproxy version is 2.6.12\n[ALERT]    (41) : config : parsing [haproxy.cfg:4] : unknown keyword 'blance' in 'backend' section; did you mean 'balance' maybe ?\n[ALERT]    (41) : config : Fatal errors found in configuration.\n",
    cause: "'blance'",
    category: "configuration",
    place: "haproxy.cfg:4",
    advice: /balance/,
  },
];
