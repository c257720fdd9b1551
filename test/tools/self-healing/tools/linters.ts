import type { ToolFailure } from "../logs/tool-failures.ts";

export const LINTERS: readonly ToolFailure[] = [
  {
    name: "Stylelint",
    run: "npx stylelint 'src/**/*.css'",
    log: `
src/cart.css
   3:10  ✖  Unexpected invalid hex color "#ff"  color-no-invalid-hex
  12:1   ✖  Unexpected empty block              block-no-empty

✖ 2 problems (2 errors, 0 warnings)

`,
    cause: "Unexpected invalid hex color",
    category: "lint",
    ecosystem: "node",
    place: "src/cart.css:3",
    advice: /src\/cart\.css:3/,
    never: /eslint/i,
  },
  {
    name: "ShellCheck",
    run: "shellcheck scripts/deploy.sh",
    log: `
In scripts/deploy.sh line 4:
rm -rf $TARGET/*
       ^-----^ SC2086 (info): Double quote to prevent globbing and word splitting.
       ^-----^ SC2115 (warning): Use "\${var:?}" to ensure this never expands to /* .

Did you mean:
rm -rf "$TARGET"/*


In scripts/deploy.sh line 9:
if [ $1 == "x" ]
^-- SC1009 (info): The mentioned syntax error was in this if expression.

For more information:
  https://www.shellcheck.net/wiki/SC2086 -- Double quote to prevent globbing ...
`,
    cause: "SC2115",
    category: "lint",
    ecosystem: "shell",
    place: "scripts/deploy.sh:4",
    advice: /scripts\/deploy\.sh:4/,
  },
  {
    name: "ShellCheck, an error",
    run: "shellcheck build.sh",
    log: `
In build.sh line 7:
done
^--^ SC1061 (error): Couldn't find 'done' for this 'do'.

For more information:
  https://www.shellcheck.net/wiki/SC1061 -- Couldn't find 'done' for this 'do'.
`,
    cause: "SC1061",
    category: "lint",
    ecosystem: "shell",
    place: "build.sh:7",
    advice: /build\.sh:7/,
  },
  {
    name: "SQLFluff",
    run: "sqlfluff lint models/",
    log: `== [models/orders.sql] FAIL
L:   2 | P:   5 | LT01 | Expected only single space before naked identifier. Found '  '.
                       | [layout.spacing]
L:   4 | P:   1 | CP01 | Keywords must be consistently upper case.
                       | [capitalisation.keywords]
All Finished 📜 🎉!
`,
    cause: "LT01",
    category: "lint",
    ecosystem: "python",
    place: "models/orders.sql:2",
    advice: /sqlfluff fix|models\/orders\.sql:2/,
  },
  {
    name: "RuboCop",
    run: "bundle exec rubocop",
    log: `Inspecting 12 files
.....C......

Offenses:

app/models/cart.rb:14:5: C: [Correctable] Layout/IndentationWidth: Use 2 (not 4) spaces for indentation.
    total = 0
^^^^

12 files inspected, 1 offense detected, 1 offense autocorrectable
`,
    cause: "Layout/IndentationWidth",
    category: "lint",
    ecosystem: "ruby",
    place: "app/models/cart.rb:14",
    advice: /rubocop -a|cart\.rb:14/,
  },
  {
    name: "Pylint",
    run: "pylint shop",
    log: `************* Module shop.cart
shop/cart.py:3:0: E0401: Unable to import 'yamll' (import-error)
shop/cart.py:9:11: E1101: Module 'os' has no 'pathh' member (no-member)

-----------------------------------
Your code has been rated at 0.00/10
`,
    cause: "E0401",
    category: "lint",
    ecosystem: "python",
    place: "shop/cart.py:3",
    advice: /shop\/cart\.py:3|yamll/,
  },
  {
    name: "Bandit",
    run: "bandit -r shop",
    log: `[main]	INFO	running on Python 3.12.3
Run started:2026-03-04 10:20:00

Test results:
>> Issue: [B602:subprocess_popen_with_shell_equals_true] subprocess call with shell=True identified, security issue.
   Severity: High   Confidence: High
   CWE: CWE-78 (https://cwe.mitre.org/data/definitions/78.html)
   Location: shop/run.py:8:4
7	def run(name):
8	    subprocess.call("ls " + name, shell=True)

--------------------------------------------------
`,
    cause: "B602",
    category: "lint",
    ecosystem: "python",
    place: "shop/run.py:8",
    advice: /shop\/run\.py:8/,
  },
  {
    name: "Hadolint",
    run: "hadolint Dockerfile",
    log: "Dockerfile:3 DL3008 warning: Pin versions in apt get install. Instead of `apt-get install <package>` use `apt-get install <package>=<version>`\n",
    cause: "DL3008",
    category: "lint",
    ecosystem: "docker",
    place: "Dockerfile:3",
    advice: /Dockerfile:3/,
  },
  {
    name: "yamllint",
    run: "yamllint .",
    log: `./deploy/app.yaml
  4:3       error    wrong indentation: expected 4 but found 2  (indentation)
  9:81      error    line too long (96 > 80 characters)  (line-length)

`,
    cause: "wrong indentation",
    category: "lint",
    place: "./deploy/app.yaml:4",
    advice: /deploy\/app\.yaml:4/,
  },
  {
    name: "markdownlint",
    run: "npx markdownlint-cli2 '**/*.md'",
    log: `markdownlint-cli2 v0.18.1 (markdownlint v0.38.0)
Finding: **/*.md
Linting: 4 file(s)
Summary: 1 error(s)
docs/start.md:12:81 error MD013/line-length Line length [Expected: 80; Actual: 104]
`,
    cause: "MD013",
    category: "lint",
    ecosystem: "node",
    place: "docs/start.md:12",
    advice: /docs\/start\.md:12/,
  },
  {
    name: "golangci-lint 2",
    run: "golangci-lint run",
    log: `cart/cart.go:14:2: ineffectual assignment to total (ineffassign)
	total := 0
	^
1 issues:
* ineffassign: 1
`,
    cause: "ineffectual assignment",
    category: "lint",
    ecosystem: "go",
    place: "cart/cart.go:14",
    advice: /cart\/cart\.go:14/,
  },
  {
    name: "PHP_CodeSniffer",
    run: "vendor/bin/phpcs src",
    log: `
FILE: /home/dev/shop/src/Cart.php
----------------------------------------------------------------------
FOUND 1 ERROR AFFECTING 1 LINE
----------------------------------------------------------------------
 7 | ERROR | [x] Expected 1 space after IF keyword; 0 found
----------------------------------------------------------------------
PHPCBF CAN FIX THE 1 MARKED SNIFF VIOLATIONS AUTOMATICALLY
----------------------------------------------------------------------
`,
    cause: "Expected 1 space after IF",
    category: "lint",
    ecosystem: "php",
    place: "/home/dev/shop/src/Cart.php:7",
    advice: /src\/Cart\.php:7|phpcbf/,
  },
  {
    name: "Psalm",
    run: "vendor/bin/psalm",
    log: `Target PHP version: 8.3 (inferred from composer.json).
Scanning files...
Analyzing files...

ERROR: InvalidReturnStatement - src/Cart.php:12:16 - The inferred type 'string' does not match the declared return type 'int' for Cart::total (see https://psalm.dev/128)
        return $sum;

------------------------------
1 errors found
------------------------------
`,
    cause: "InvalidReturnStatement",
    category: "lint",
    ecosystem: "php",
    place: "src/Cart.php:12",
    advice: /src\/Cart\.php:12/,
  },
  {
    name: "ktlint",
    run: "./gradlew ktlintCheck",
    log: `> Task :app:ktlintMainSourceSetCheck FAILED
/home/dev/shop/app/src/main/kotlin/Cart.kt:5:1 Unused import (standard:no-unused-imports)

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':app:ktlintMainSourceSetCheck'.
> A failure occurred while executing org.jlleitschuh.gradle.ktlint.worker.ConsoleReportWorkAction
`,
    cause: "Unused import",
    category: "lint",
    ecosystem: "gradle",
    place: "/home/dev/shop/app/src/main/kotlin/Cart.kt:5",
    advice: /Cart\.kt:5/,
  },
  {
    name: "SwiftLint",
    run: "swiftlint --strict",
    log: `Linting Swift files in current working directory
Linting 'Cart.swift' (1/2)
/Users/dev/shop/Sources/Cart.swift:8:22: error: Force Cast Violation: Force casts should be avoided (force_cast)
Done linting! Found 1 violation, 1 serious in 2 files.
`,
    cause: "Force Cast",
    category: "lint",
    ecosystem: "swift",
    place: "/Users/dev/shop/Sources/Cart.swift:8",
    advice: /Cart\.swift:8/,
  },
  {
    name: "Credo",
    run: "mix credo --strict",
    log: `Checking 4 source files ...

  Warnings - please take a look
┃
┃ [W] ↗ There should be no calls to IO.inspect/1.
┃       lib/shop/cart.ex:12:5 #(Shop.Cart.total)

Please report incorrect results: https://github.com/rrrene/credo/issues

Analysis took 0.1 seconds (0.02s to load, 0.1s running 55 checks on 4 files)
8 mods/funs, found 1 warning.
`,
    cause: "IO.inspect",
    category: "lint",
    ecosystem: "elixir",
    place: "lib/shop/cart.ex:12",
    advice: /lib\/shop\/cart\.ex:12/,
  },
  {
    name: "actionlint",
    run: "actionlint",
    log: `.github/workflows/ci.yml:14:9: unexpected key "run_on" for "job" section. expected one of "runs-on", "steps" [syntax-check]
   |
14 |         run_on: ubuntu-latest
   |         ^~~~~~~
`,
    cause: "unexpected key",
    category: "lint",
    place: ".github/workflows/ci.yml:14",
    advice: /ci\.yml:14/,
  },
  {
    name: "ansible-lint",
    run: "ansible-lint site.yml",
    log: `WARNING  Listing 1 violation(s) that are fatal
no-changed-when: Commands should not change things if nothing needs doing.
tasks/main.yml:4 Task/Handler: restart the shop

Read documentation for instructions on how to ignore specific rule violations.

Failed: 1 failure(s), 0 warning(s) on 3 files.
`,
    cause: "tasks/main.yml:4",
    category: "lint",
    place: "tasks/main.yml:4",
    advice: /tasks\/main\.yml:4/,
  },
  {
    name: "TFLint",
    run: "tflint",
    log: `1 issue(s) found:

Error: "t9.huge" is an invalid value as instance_type (aws_instance_invalid_type)

  on main.tf line 12:
  12:   instance_type = "t9.huge"

`,
    cause: "t9.huge",
    category: "lint",
    ecosystem: "terraform",
    place: "main.tf:12",
    advice: /main\.tf:12/,
  },
  {
    name: "Checkstyle under Gradle",
    run: "./gradlew check",
    log: `> Task :checkstyleMain FAILED
[ant:checkstyle] [ERROR] /home/dev/shop/src/main/java/Cart.java:4:8: Unused import - java.util.List. [UnusedImports]

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':checkstyleMain'.
> A failure occurred while executing org.gradle.api.plugins.quality.internal.CheckstyleAction
`,
    cause: "Unused import",
    category: "lint",
    ecosystem: "gradle",
    place: "/home/dev/shop/src/main/java/Cart.java:4",
    advice: /Cart\.java:4/,
  },
  {
    name: "Oxlint",
    run: "npx oxlint",
    log: `
  × eslint(no-debugger): \`debugger\` statement is not allowed
   ╭─[src/cart.js:3:1]
 2 │ 
 3 │ debugger;
   · ─────────
   ╰────
  help: Remove the debugger statement

Found 0 warnings and 1 error.
`,
    cause: "no-debugger",
    category: "lint",
    ecosystem: "node",
    place: "src/cart.js:3",
    advice: /Remove the debugger statement|src\/cart\.js:3/,
  },
  {
    name: "clang-tidy",
    run: "clang-tidy src/cart.cpp",
    log: `/home/dev/shop/src/cart.cpp:9:3: error: use of a moved-from object 'items' [bugprone-use-after-move,-warnings-as-errors]
    9 |   items.size();
      |   ^
1 warning treated as error
`,
    cause: "moved-from",
    category: "lint",
    ecosystem: "c",
    place: "/home/dev/shop/src/cart.cpp:9",
    advice: /src\/cart\.cpp:9/,
  },
  {
    name: "clang-format",
    run: "clang-format --dry-run --Werror src/cart.cpp",
    log: `src/cart.cpp:3:12: error: code should be clang-formatted [-Wclang-format-violations]
int main(){return 0;}
           ^
`,
    cause: "clang-formatted",
    category: "lint",
    ecosystem: "c",
    place: "src/cart.cpp:3",
    advice: /src\/cart\.cpp:3|clang-format -i/,
  },
  {
    name: "buf",
    run: "buf lint",
    log: `proto/shop/v1/cart.proto:9:3:Field name "itemCount" should be lower_snake_case, such as "item_count".
`,
    cause: "lower_snake_case",
    category: "lint",
    place: "proto/shop/v1/cart.proto:9",
    advice: /cart\.proto:9/,
  },
  {
    name: "Knip",
    run: "npx knip",
    log: `Unused files (1)
src/old-cart.ts
Unused dependencies (1)
left-pad  package.json:14:6
`,
    cause: "Unused",
    category: "lint",
    ecosystem: "node",
    place: "src/old-cart.ts",
    advice: /old-cart/,
  },
];
