import type { ToolFailure } from "../logs/tool-failures.ts";

/** What rarer tools printed when they were run on small faults; folders are renamed, and repetitions left out. */
export const RARER_TOOLS: readonly ToolFailure[] = [
  {
    name: "ESLint, whose advice speaks of what is ignored",
    run: "eslint src",
    log: `
/home/dev/app/src/cart.ts
  2:29  error  Promises must be awaited, end with a call to .catch or be explicitly marked as ignored with the \`void\` operator  @typescript-eslint/no-floating-promises

✖ 1 problem (1 error, 0 warnings)
`,
    cause: "Promises must be awaited",
    category: "lint",
    ecosystem: "node",
    place: "/home/dev/app/src/cart.ts:2",
    advice: /cart\.ts:2/,
  },
  {
    name: "Grunt, a task that nobody registered",
    run: "grunt",
    log: 'Warning: Task "biuld" not found.\u0007 Use --force to continue.\n\nAborted due to warnings.\n',
    cause: 'Task "biuld" not found',
    category: "configuration",
    advice: /biuld/,
  },
  {
    name: "Cucumber, a step without a definition",
    run: "cucumber-js",
    log: `.U

Failures:

1) Scenario: Add # features/cart.feature:2
   ✔ Given an empty cart # features/steps.js:2
   ? When I add an item
       Undefined. Implement with the following snippet:

         When('I add an item', function () {
           return 'pending';
         });


1 scenario (1 undefined)
2 steps (1 undefined, 1 passed)
`,
    cause: "? When I add an item",
    category: "test_failure",
    place: "features/cart.feature:2",
    advice: /Define the step "I add an item"/,
  },
  {
    name: "Bundler, a Gemfile that does not parse",
    run: "bundle install",
    log: `
[!] There was an error parsing \`Gemfile\`: syntax error, unexpected local variable or method, expecting end-of-input - . Bundler cannot continue.

 #  from /home/dev/app/Gemfile:3
 #  -------------------------------------------
 #  gem 'rails', '~> 7.0
 >  gem 'pg'
 #  -------------------------------------------
`,
    cause: "There was an error parsing `Gemfile`",
    category: "configuration",
    ecosystem: "ruby",
    place: "/home/dev/app/Gemfile:3",
    advice: /Gemfile:3/,
  },
  {
    name: "LaTeX, a package that is not installed, under latexmk",
    run: "latexmk -pdf paper.tex",
    log: `(./paper.tex
LaTeX2e <2022-11-01> patch level 1
(/usr/share/texlive/texmf-dist/tex/latex/base/article.cls
Document Class: article 2022/07/02 v1.4n Standard LaTeX document class
(/usr/share/texlive/texmf-dist/tex/latex/base/size10.clo))

! LaTeX Error: File \`acme.sty' not found.

Type X to quit or <RETURN> to proceed,
or enter new name. (Default extension: sty)

Enter file name:
! Emergency stop.
<read *>

l.3 \\begin
          {document}^^M
!  ==> Fatal error occurred, no output PDF file produced!
Latexmk: If appropriate, the -f option can be used to get latexmk
  to try to force complete processing.
Latexmk: Errors, so I did not complete making targets
`,
    cause: "File `acme.sty' not found",
    category: "missing_file",
    place: "./paper.tex:3",
    advice: /acme\.sty/,
  },
  {
    name: "Rollup, an import that it does not resolve",
    run: "rollup -c",
    log: `[!] Error: "acme-money" is imported by "src/cart.js", but could not be resolved – treating it as an external dependency.
https://rollupjs.org/troubleshooting/#warning-treating-module-as-external-dependency
src/cart.js
    at onwarn (file:///home/dev/app/rollup.config.mjs:1:128)
    at ModuleLoader.handleInvalidResolvedId (/home/dev/app/node_modules/rollup/dist/shared/rollup.js:24927:26)
`,
    cause: '"acme-money" is imported by',
    category: "dependency_resolution",
    ecosystem: "node",
    place: "src/cart.js",
    advice: /^npm install acme-money$/m,
  },
  {
    name: "Parcel, a name that is not exported",
    run: "parcel build src/index.html",
    log: `🚨 Build failed.

@parcel/core: src/cart.js does not export 'total'

  /home/dev/app/src/app.js:1:9
  > 1 | import {total} from './cart.js';
  >   |         ^^^^^
`,
    cause: "does not export 'total'",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/app/src/app.js:1",
    advice: /Export the name/,
    never: /Mend .*: 9$/m,
  },
  {
    name: "Taplo, a file that is no TOML",
    run: "taplo lint",
    log: `error: invalid TOML
  ┌─ /home/dev/app/cart.toml:2:8
  │
2 │ name = "shop
  │        ^ unexpected token

ERROR taplo:lint_files: invalid file error=syntax errors found path="/home/dev/app/cart.toml"
ERROR operation failed error=some files were not valid
`,
    cause: "invalid TOML",
    category: "lint",
    place: "/home/dev/app/cart.toml:2",
    advice: /cart\.toml:2/,
  },
  {
    name: "publint, a file that the exports name",
    run: "publint",
    log: `Errors:
1. pkg.exports["."].import is ./dist/cart.mjs but the file does not exist.
`,
    cause: "is ./dist/cart.mjs but",
    category: "missing_file",
    advice: /dist\/cart\.mjs/,
    never: /Make \.,/,
    place: "./dist/cart.mjs",
  },
  {
    name: "Solhint, which looks for a newer version of itself first",
    run: "solhint Cart.sol",
    log: `Error checking for updates: self-signed certificate in certificate chain

Cart.sol
  4:52  error    Avoid to use tx.origin    avoid-tx-origin

✖ 1 problem (1 error, 0 warnings)
`,
    cause: "Avoid to use tx.origin",
    category: "lint",
    place: "Cart.sol:4",
    advice: /Cart\.sol:4/,
  },
  {
    name: "uvu, which counts after a cross",
    run: "node cart.test.js",
    log: `✘   (0 / 1)

   FAIL  "adds"
    Expected values to be strictly equal:  (is)

    at assert (/home/dev/app/node_modules/uvu/assert/index.js:33:8)
    at Object.handler (/home/dev/app/cart.test.js:3:29)
`,
    cause: 'FAIL  "adds"',
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/app/cart.test.js:3",
    advice: /adds/,
    never: /\(0 \/ 1\)/,
  },
  {
    name: "Less",
    run: "lessc cart.less",
    log: "NameError: variable @price is undefined in /home/dev/app/cart.less on line 2, column 12:\n1 @c: red;\n2 a { color: @price; }\n",
    cause: "variable @price is undefined",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/app/cart.less:2",
    advice: /cart\.less:2/,
  },
  {
    name: "Composer, a manifest that is no JSON",
    run: "composer validate",
    log: `In JsonFile.php line 347:

  "./composer.json" does not contain valid JSON
  Parse error on line 4:
  ... "php": ">=8.1"    "monolog/monolog": "
  ---------------------^
`,
    cause: '"./composer.json" does not contain valid JSON',
    category: "configuration",
    ecosystem: "php",
    place: "./composer.json",
    advice: /composer\.json/,
  },
  {
    name: "Sphinx, whose warnings count by -W",
    run: "sphinx-build -W --keep-going docs out",
    log: `updating environment: [new config] 2 added, 0 changed, 0 removed
/home/dev/app/docs/index.rst:4: WARNING: toctree contains reference to nonexisting document 'missing'
looking for now-outdated files... none found
build finished with problems, 1 warning.
`,
    cause: "nonexisting document 'missing'",
    category: "lint",
    place: "/home/dev/app/docs/index.rst:4",
    advice: /index\.rst:4/,
  },
  {
    name: "Bun, which prints several commands at once",
    run: "bun test",
    log: `Error: Bun's postinstall script was not run.

To fix this, run the postinstall script manually:
  cd node_modules/bun && node install.js

Or reinstall bun without the --ignore-scripts flag.
`,
    cause: "postinstall script was not run",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /cd node_modules\/bun && node install\.js/,
  },
  {
    name: "Gradle, a method that nothing defines",
    run: "gradle build",
    log: `FAILURE: Build failed with an exception.

* Where:
Build file '/home/dev/app/build.gradle' line: 2

* What went wrong:
A problem occurred evaluating root project 'shop'.
> Could not find method dependncies() for arguments [build_68v9$_run_closure1@14e3d439] on root project 'shop' of type org.gradle.api.Project.

* Try:
Run with --stacktrace option to get the stack trace. Run with --info or --debug option to get more log output.

BUILD FAILED in 27s
`,
    cause: "Could not find method dependncies()",
    category: "configuration",
    ecosystem: "gradle",
    place: "/home/dev/app/build.gradle:2",
    advice: /Correct the name dependncies/,
  },
  {
    name: "Gradle 4, which leaves the line of its task open",
    run: "gradle build",
    log: `:compileJava/home/dev/app/src/main/java/Cart.java:2: error: incompatible types: String cannot be converted to int
  int total() { return "x"; }
                       ^
1 error
:compileJava FAILED

FAILURE: Build failed with an exception.
`,
    cause: "incompatible types",
    category: "compile_error",
    place: "/home/dev/app/src/main/java/Cart.java:2",
    advice: /Cart\.java:2/,
  },
  {
    name: "Verilator, whose warnings count",
    run: "verilator --lint-only -Wall cart.v",
    log: `%Warning-WIDTH: cart.v:2:16: Operator ADD expects 4 bits on the LHS, but LHS's VARREF 'a' generates 1 bits.
                           : ... In instance cart
    2 |   assign b = a + 2'b1;
      |                ^
%Error: Exiting due to 1 warning(s)
`,
    cause: "Operator ADD expects 4 bits",
    category: "lint",
    place: "cart.v:2",
    advice: /cart\.v:2/,
  },
  {
    name: "Clojure, a name that is not there",
    run: "clojure cart.clj",
    log: "Syntax error compiling at (cart.clj:1:21).\nUnable to resolve symbol: summ in this context\n\nFull report at:\n/tmp/clojure-1.edn\n",
    cause: "Unable to resolve symbol: summ",
    category: "compile_error",
    place: "cart.clj:1",
    advice: /cart\.clj:1|summ/,
  },
  {
    name: "promtool",
    run: "promtool check rules rules.yml",
    log: 'Checking rules.yml\n  FAILED:\nrules.yml: 5:11: group "shop", rule 1, "X": could not parse expression: 1:28: parse error: unclosed left parenthesis\n',
    cause: "could not parse expression",
    category: "compile_error",
    place: "rules.yml:5",
    advice: /rules\.yml:5/,
  },
  {
    name: "Jekyll, settings that are no YAML, which only Ruby's parser tells",
    run: "jekyll build",
    log: `/usr/lib/ruby/3.1.0/psych.rb:455:in \`parse': (<unknown>): did not find expected node content while parsing a flow node at line 3 column 1 (Psych::SyntaxError)
	from /usr/lib/ruby/3.1.0/psych.rb:455:in \`parse_stream'
	from /usr/share/rubygems-integration/all/gems/jekyll-4.3.1/lib/jekyll/utils.rb:321:in \`safe_load_yaml'
`,
    cause: "did not find expected node content",
    category: "configuration",
    ecosystem: "ruby",
    advice: /YAML/,
    never: /Correct the workflow file|Correct \S*psych\.rb/,
  },
  {
    name: "Django's checks",
    run: "python manage.py check",
    log: `SystemCheckError: System check identified some issues:

ERRORS:
shop.Cart.name: (fields.E120) CharFields must define a 'max_length' attribute.

System check identified 1 issue (0 silenced).
`,
    cause: "(fields.E120)",
    category: "configuration",
    ecosystem: "python",
    advice: /shop\.Cart\.name: CharFields must define/,
  },
  {
    name: "ReScript",
    run: "rescript build",
    log: `
  We've found a bug for you!
  /home/dev/app/src/Cart.res:1:44-62

  1 │ let total = (items: array<int>): string => items->Array.length
  2 │

  This has type: int
  But it's expected to have type: string
`,
    cause: "This has type: int",
    category: "type_error",
    place: "/home/dev/app/src/Cart.res:1",
    advice: /Cart\.res:1/,
  },
  {
    name: "Octave, whose last error says where it was called",
    run: "octave cart.m",
    log: "error: 'items' undefined near line 2, column 12\nerror: called from\n    cart at line 2 column 5\n",
    cause: "'items' undefined",
    category: "compile_error",
    advice: /items/,
  },
  {
    name: "a Debian package without what it is built with",
    run: "dpkg-buildpackage -b",
    log: "dpkg-checkbuilddeps: error: Unmet build dependencies: libacme-dev\ndpkg-buildpackage: warning: build dependencies/conflicts unsatisfied; aborting\n",
    cause: "Unmet build dependencies",
    category: "dependency_resolution",
    advice: /libacme-dev/,
  },
  {
    name: "Cargo, an example of the documentation",
    run: "cargo test",
    log: `running 1 test
test src/lib.rs - total (line 1) ... FAILED

failures:

---- src/lib.rs - total (line 1) stdout ----
Test executable failed (exit status: 101).

stderr:

thread 'main' (9924) panicked at src/lib.rs:5:1:
assertion \`left == right\` failed
  left: 2
 right: 3

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.26s

error: doctest failed, to rerun pass \`--doc\`
`,
    cause: "src/lib.rs - total (line 1)",
    category: "test_failure",
    ecosystem: "rust",
    place: "src/lib.rs:1",
    advice: /^cargo test --doc$/m,
  },
  {
    name: "Vite's settings, whose copy is not the user's file",
    run: "vitest run",
    log: `failed to load config from /home/dev/app/vitest.config.ts
Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@acme/plugin' imported from /home/dev/app/node_modules/.vite-temp/vitest.config.ts.timestamp-1795818711928-349847e42a845.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9)
`,
    cause: "Cannot find package '@acme/plugin' imported from /home/dev/app/vitest.config.ts",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "/home/dev/app/vitest.config.ts",
    advice: /^npm install @acme\/plugin$/m,
  },
  {
    name: "Mocha, a test that does not parse",
    run: "mocha",
    log: `
 Exception during run: /home/dev/app/test/cart.test.js:2
it('adds' () => {});
          ^

SyntaxError: Malformed arrow function parameter list
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
    at async formattedImport (/home/dev/app/node_modules/mocha/lib/nodejs/esm-utils.cjs:11:14)
`,
    cause: "SyntaxError: Malformed arrow function parameter list",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/app/test/cart.test.js:2",
    advice: /cart\.test\.js:2/,
  },
  {
    name: "EUnit under rebar3",
    run: "rebar3 eunit",
    log: `Failures:

  1) cart_tests:total_test/0: module 'cart_tests'
     Failure/Error: ?assertEqual(3, cart : total ( [ 1 , 2 ] ))
       expected: 3
            got: 4
     %% eunit_proc.erl:346:in \`eunit_proc:with_timeout/3\`

1 tests, 1 failures
===> Error running tests
`,
    cause: "cart_tests:total_test/0",
    category: "test_failure",
    ecosystem: "elixir",
    advice: /^rebar3 eunit --module=cart_tests$/m,
    never: /eunit_proc/,
  },
  {
    name: "protoc, an import that it does not find",
    run: "protoc --cpp_out=. shop.proto",
    log: 'acme/money.proto: File not found.\nshop.proto:2:1: Import "acme/money.proto" was not found or had errors.\nshop.proto:3:16: "acme.Money" is not defined.\n',
    cause: 'Import "acme/money.proto"',
    category: "missing_file",
    place: "shop.proto:2",
    advice: /--proto_path/,
  },
  {
    name: "Python, a variable of the environment",
    run: "python deploy.py",
    log: `Traceback (most recent call last):
  File "/home/dev/app/deploy.py", line 2, in <module>
    url = os.environ['DATABASE_URL']
KeyError: 'DATABASE_URL'
`,
    cause: "KeyError: 'DATABASE_URL'",
    category: "configuration",
    ecosystem: "python",
    place: "/home/dev/app/deploy.py:2",
    advice: /DATABASE_URL/,
  },
];
