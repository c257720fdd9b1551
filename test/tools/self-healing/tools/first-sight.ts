import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures that were misread when they were first seen. Shortened from runs, with other names. */
export const FIRST_SIGHT: readonly ToolFailure[] = [
  {
    name: "AddressSanitizer, whose own sources have relative paths",
    run: "./shop",
    log: `=================================================================
==17==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000020 at pc 0x7f11 bp 0x7ffe sp 0x7ffd
WRITE of size 16 at 0x602000000020 thread T0
    #0 0x7f11d4848060 in __interceptor_memcpy ../../../../src/libsanitizer/sanitizer_common/interceptors.inc:827
    #1 0x5610f60c7271 in add /home/dev/shop/cart.c:6
    #2 0x5610f60c73e0 in main /home/dev/shop/cart.c:13
    #3 0x7f11d4645249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
`,
    cause: "heap-buffer-overflow",
    category: "test_failure",
    ecosystem: "c",
    place: "/home/dev/shop/cart.c:6",
    advice: /cart\.c:6/,
    never: /libsanitizer/,
  },
  {
    name: "Babel, which resolves from a file that is not there",
    run: "babel src -d lib",
    log: `Error: Cannot find package '@acme/preset' imported from /home/dev/shop/babel-virtual-resolve-base.js
    at packageResolve (/home/dev/shop/node_modules/@babel/core/lib/vendor/import-meta-resolve.js:898:9)
`,
    cause: "Cannot find package '@acme/preset'",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^npm install @acme\/preset$/m,
    never: /at \S+babel-virtual/,
  },
  {
    name: "esbuild, a module of Node in a bundle for browsers",
    run: "esbuild src/cart.ts --bundle",
    log: `✘ [ERROR] Could not resolve "fs"

    src/cart.ts:1:15:
      1 │ import fs from 'fs';
        ╵                ~~~~

  The package "fs" wasn't found on the file system but is built into node. Are you trying to bundle for node? You can use "--platform=node" to do that, which will remove this error.

1 error
`,
    cause: 'Could not resolve "fs"',
    category: "configuration",
    ecosystem: "node",
    place: "src/cart.ts:1",
    advice: /--platform=node/,
    never: /npm install/,
  },
  {
    name: "Vitest, an alias that its settings do not know",
    run: "vitest run",
    log: ` RUN  v4.1.12 /home/dev/shop

 ❯ test/cart.test.ts (0 test)

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/cart.test.ts [ test/cart.test.ts ]
Error: Cannot find package '@/store' imported from /home/dev/shop/test/cart.test.ts
 ❯ test/cart.test.ts:1:1
      1| import { useStore } from '@/store';
       | ^

 Test Files  1 failed (1)
`,
    cause: "Cannot find package '@/store'",
    category: "missing_file",
    ecosystem: "node",
    place: "test/cart.test.ts:1",
    advice: /Map @\/store for the tool/,
    never: /npm install/,
  },
  {
    name: "Go, a module that cannot be fetched",
    run: "go build ./...",
    log: `go: downloading acme.test/money v1.9.3
main.go:2:8: acme.test/money@v1.9.3: Get "https://proxy.acme.test/acme.test/money/@v/v1.9.3.zip": dial tcp: lookup proxy.acme.test on 10.0.0.2:53: no such host
`,
    cause: "no such host",
    category: "network",
    ecosystem: "go",
    place: "main.go:2",
    advice: /^getent hosts proxy\.acme\.test$/m,
    never: /Mend main\.go/,
  },
  {
    name: "Terraform, a registry that cannot be reached",
    run: "terraform init",
    log: `Initializing provider plugins...
- Finding acme/shop versions matching "~> 5.0"...
╷
│ Error: Failed to query available provider packages
│ 
│ Could not retrieve the list of available versions for provider
│ acme/shop: could not connect to registry.acme.test: failed to
│ request discovery document: Get
│ "https://registry.acme.test/.well-known/terraform.json": dial tcp:
│ lookup registry.acme.test on 10.0.0.2:53: no such host
╵
`,
    cause: "no such host",
    category: "network",
    ecosystem: "terraform",
    advice: /^getent hosts registry\.acme\.test$/m,
    never: /terraform validate/,
  },
  {
    name: "Rollup, which repeats its error as the reason for it",
    run: "rollup -c",
    log: `src/main.js → dist/shop.js...
[!] RollupError: src/cart.json (1:4): Expected ';', '}' or <eof> (Note that you need @rollup/plugin-json to import JSON files)
src/cart.json (1:4)
1: {"a": 1}
       ^
    at getRollupError (/home/dev/shop/node_modules/rollup/dist/es/shared/parseAst.js:406:41)

  [cause] RollupError: Expected ';', '}' or <eof>
      at parseAst (/home/dev/shop/node_modules/rollup/dist/es/shared/parseAst.js:2120:53)
`,
    cause: "need @rollup/plugin-json",
    category: "compile_error",
    ecosystem: "node",
    place: "src/cart.json:1",
    advice: /need @rollup\/plugin-json/,
  },
  {
    name: "pytest, a module of the project that does not parse",
    run: "pytest -q",
    log: `==================================== ERRORS ====================================
_____________________ ERROR collecting tests/test_cart.py ______________________
/usr/lib/python3/dist-packages/_pytest/python.py:507: in importtestmodule
    mod = import_path(
tests/test_cart.py:1: in <module>
    from shop.cart import total
E     File "/home/dev/shop/shop/cart.py", line 2
E       with open(path) as f
E                           ^
E   SyntaxError: expected ':'
=========================== short test summary info ============================
ERROR tests/test_cart.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 0.53s
`,
    cause: "SyntaxError: expected ':'",
    category: "compile_error",
    ecosystem: "python",
    place: "/home/dev/shop/shop/cart.py:2",
    advice: /shop\/cart\.py:2/,
  },
  {
    name: "pytest, whose failed test is to be run, not the file that raised",
    run: "make test",
    log: `pytest
tests/test_cart.py ..F                                                   [100%]
=================================== FAILURES ===================================
__________________________________ test_total __________________________________
    def test_total():
>       assert total(cart) == 13
tests/test_cart.py:9: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 
E   TypeError: unsupported operand type(s) for +: 'int' and 'str'
shop/cart.py:1: TypeError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - TypeError: unsupported operand type(s)...
`,
    cause: "FAILED tests/test_cart.py::test_total",
    category: "test_failure",
    ecosystem: "python",
    place: "shop/cart.py:1",
    advice: /pytest -x -l (?:-k test_total|tests\/test_cart\.py)$/m,
    never: /pytest -x -l shop/,
  },
  {
    name: "EUnit as rebar3 prints it, in the form of RSpec",
    run: "rebar3 eunit",
    log: `===> Compiling shop
===> Performing EUnit tests...
.FF
Failures:

  1) cart_tests:total_test/0
     Failure/Error: ?assertEqual(2, cart : total ( a , # { a => 1 } ))
       expected: 2
            got: 1
     %% eunit_proc.erl:346:in \`eunit_proc:with_timeout/3\`
     Output: 
     Output: 

  2) cart_tests:missing_test/0
     Failure/Error: {error,
                        {badkey,b},
                        [{erlang,map_get,
                             [b,#{a => 1}],
                             [{error_info,#{module => erl_erts_errors}}]},
                         {cart,total,2,
                             [{file,"/home/dev/shop/src/cart.erl"},{line,4}]}]}
     Output: 

Finished in 0.048 seconds
3 tests, 2 failures
===> Error running tests
`,
    cause: "cart_tests:total_test/0",
    category: "test_failure",
    ecosystem: "elixir",
    advice: /^rebar3 eunit --module=cart_tests$/m,
  },
  {
    name: "busted, whose first failure counts",
    run: "busted",
    log: `+-*
1 success / 1 failure / 1 error / 0 pending : 0.001232 seconds

Failure -> spec/cart_spec.lua @ 4
cart adds in order
spec/cart_spec.lua:4: Expected objects to be equal.
Passed in:
(number) 2
Expected:
(number) 1

Error -> spec/cart_spec.lua @ 5
cart adds nothing
spec/cart_spec.lua:5: attempt to call method 'peek' (a nil value)
`,
    cause: "Failure -> spec/cart_spec.lua @ 4",
    category: "test_failure",
    place: "spec/cart_spec.lua:4",
    advice: /spec\/cart_spec\.lua:4/,
    never: /whether (?:Error|Failure) or/,
  },
  {
    name: "Nuxt, a module that is not installed, after a log level in brackets",
    run: "nuxt build",
    log: `┌  Building Nuxt for production...
│
●  Nuxt 4.4.5 (with Nitro 2.13.6, Vite 7.3.8 and Vue 3.5.45)

[error] Could not load \`@acme/money\`. Is it installed?

  at loadNuxtModuleInstance (node_modules/@nuxt/kit/dist/index.mjs:700:8)
`,
    cause: "Could not load `@acme/money`",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /npm install @acme\/money/,
  },
  {
    name: "Drizzle, whose label has no colon",
    run: "npm run db",
    log: `No config path provided, using default 'drizzle.config.ts'
Reading config file '/home/dev/shop/drizzle.config.ts'
Error  No schema files found for path config ['./src/db/schemas.ts']
Error  If path represents a file - please make sure to use .ts or other extension in the path
`,
    cause: "No schema files found",
    category: "missing_file",
    ecosystem: "node",
    place: "./src/db/schemas.ts",
    advice: /schemas\.ts/,
  },
  {
    name: "React Router, which names what is to be installed",
    run: "react-router build",
    log: `Error: Could not determine server runtime. Please install @acme/node, or provide a custom entry.server.tsx/jsx file in your app directory.
    at resolveEntryFiles (/home/dev/shop/node_modules/@react-router/dev/dist/vite.js:839:13)
`,
    cause: "Please install @acme/node",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /Please install @acme\/node/,
  },
  {
    name: "Docker without the plugin that is asked for",
    run: "docker compose up",
    log: `docker: unknown command: docker compose

Run 'docker --help' for more information
`,
    cause: "unknown command: docker compose",
    category: "missing_file",
    ecosystem: "docker",
    advice: /Install Docker's compose plugin/,
  },
  {
    name: "yargs, an argument that is missing",
    run: "acme build",
    log: `acme build <entry>

Options:
      --help  Show help  [boolean]
  -O, --out              [string] [required]

Missing required argument: out
`,
    cause: "Missing required argument: out",
    category: "configuration",
    advice: /Give the argument/,
    never: /variable in the environment/,
  },
  {
    name: "Meson, whose dependency no CMake looks for",
    run: "meson setup build",
    log: `Found pkg-config: /usr/bin/pkg-config (1.8.1)
Found CMake: /usr/bin/cmake (3.25.1)
Run-time dependency acme-audio-1.0 found: NO (tried pkgconfig and cmake)

meson.build:5:0: ERROR: Dependency "acme-audio-1.0" not found, tried pkgconfig and cmake
`,
    cause: 'Dependency "acme-audio-1.0" not found',
    category: "dependency_resolution",
    ecosystem: "c",
    place: "meson.build:5",
    advice: /PKG_CONFIG_PATH/,
    never: /cmake -B|_DIR/,
  },
  {
    name: "PHP, a script that needs more memory and no Composer",
    run: "php bin/export.php",
    log: `Exporting orders
PHP Fatal error:  Allowed memory size of 33554432 bytes exhausted (tried to allocate 2097152 bytes) in /home/dev/shop/src/Cart.php on line 6
`,
    cause: "Allowed memory size",
    category: "out_of_memory",
    ecosystem: "php",
    place: "/home/dev/shop/src/Cart.php:6",
    advice: /memory_limit/,
    never: /composer/i,
  },
  {
    name: "pylint, with which no Ruff comes",
    run: "pylint shop",
    log: `************* Module shop.cart
shop/cart.py:6:0: W0102: Dangerous default value [] as argument (dangerous-default-value)

-----------------------------------
Your code has been rated at 0.00/10
`,
    cause: "W0102",
    category: "lint",
    ecosystem: "python",
    place: "shop/cart.py:6",
    advice: /Mend shop\/cart\.py:6/,
    never: /ruff/i,
  },
  {
    name: "Python, a circle of imports, whose syntax is right",
    run: "python3 run.py",
    log: `Traceback (most recent call last):
  File "/home/dev/shop/run.py", line 1, in <module>
    import shop.cart
  File "/home/dev/shop/shop/mail.py", line 1, in <module>
    from shop.cart import Cart
ImportError: cannot import name 'Cart' from partially initialized module 'shop.cart' (most likely due to a circular import) (/home/dev/shop/shop/cart.py)
`,
    cause: "partially initialized module",
    category: "compile_error",
    ecosystem: "python",
    place: "/home/dev/shop/shop/mail.py:1",
    advice: /Break the circle/,
    never: /py_compile/,
  },
  {
    name: "Django, a column that no migration makes, and no settings file",
    run: "python manage.py test",
    log: `Creating test database for alias 'default'...
Traceback (most recent call last):
  File "/home/dev/shop/manage.py", line 4, in <module>
    execute_from_command_line(sys.argv)
django.db.utils.OperationalError: no such column: shop_cart.note
`,
    cause: "no such column: shop_cart.note",
    category: "configuration",
    ecosystem: "python",
    advice: /makemigrations/,
    never: /pyproject/,
  },
  {
    name: "Knex, a table that no migration makes, and the migration that asks for it",
    run: "npm run migrate",
    log: `> shop@1.0.0 migrate
> knex migrate:latest

migration file "20260102_team.js" failed
migration failed with error: alter table \`carts\` add column \`team_id\` integer - no such table: carts
SqliteError: alter table \`carts\` add column \`team_id\` integer - no such table: carts
    at new Promise (<anonymous>)
`,
    cause: "no such table: carts",
    category: "configuration",
    ecosystem: "node",
    place: "20260102_team.js",
    advice: /migration that makes it/,
    never: /configuration file/,
  },
  {
    name: "git, whose hint is prose over several lines",
    run: "make publish",
    log: `To ../remote.git
 ! [rejected]        HEAD -> main (fetch first)
error: failed to push some refs to '../remote.git'
hint: Updates were rejected because the remote contains work that you do
hint: not have locally. This is usually caused by another repository pushing
hint: to the same ref. You may want to first integrate the remote changes
hint: (e.g., 'git pull ...') before pushing again.
`,
    cause: "[rejected]",
    category: "configuration",
    ecosystem: "git",
    advice: /^git pull --rebase$/m,
    never: /git pull \.\.\.|work that you do$/m,
  },
  {
    name: "commitlint, whose help is an address alone",
    run: "git commit -m x",
    log: `⧗   input: Mended the Cart.
✖   subject may not be empty [subject-empty]

✖   found 1 problems, 0 warnings
ⓘ   Get help: https://lint.acme.test/commits#what-is-it
`,
    cause: "subject may not be empty",
    category: "lint",
    advice: /Reword the commit message/,
    never: /https:/,
  },
  {
    name: "Rspack, whose help is about another error",
    run: "rspack build",
    log: `ERROR in ./src/cart.js 3:1-37
  × Module not found: Can't resolve 'acme-money' in '/home/dev/shop/src'
   ╭─[3:0]
 3 │ import { format } from 'acme-money';
   · ────────────────────────────────────
   ╰────

ERROR in ./src/theme.less
  × Module parse failed:
  ╰─▶   × JavaScript parse error: Expected 'class' keyword, but found ':'
         ╭─[1:6]
       1 │ @brand: #f00;
         ·       ─
         ╰────
      
  help: 
        You may need an appropriate loader to handle this file type.

Rspack compiled with 2 errors in 151 ms
`,
    cause: "Can't resolve 'acme-money'",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "./src/cart.js:3",
    advice: /^npm install acme-money$/m,
    never: /appropriate loader/,
  },
  {
    name: "Storybook, within the frame that it draws",
    run: "storybook build",
    log: `┌  Building storybook v10.6.7
│
◇  Building preview..
│
■  Failed to build the preview
│
■  Build failed with 1 error:
│
│  [UNRESOLVED_IMPORT] Could not resolve './Cart' in src/Cart.stories.tsx
│  ╭─[ src/Cart.stories.tsx:1:19 ]
│  │
│  1 │ import { Cart } from "./Cart";
│  │                   ──┬──
│  │                     ╰──── Module not found.
│  ───╯
`,
    cause: "Could not resolve './Cart'",
    category: "missing_file",
    ecosystem: "node",
    place: "src/Cart.stories.tsx:1",
    advice: /Correct the path \.\/Cart, imported at src\/Cart\.stories\.tsx:1/,
  },
  {
    name: "PHPUnit's --testdox, within the frame that it draws",
    run: "phpunit --testdox",
    log: `PHPUnit 9.6.7 by Sebastian Bergmann and contributors.

Cart
 ✔ Adds
 ✘ Rounds
   │
   │ Failed asserting that two objects are equal.
   │ --- Expected
   │ +++ Actual
   │ @@ @@
   │ -    'cents' => 118
   │ +    'cents' => 117
   │
   │ /home/dev/shop/tests/CartTest.php:8
   │

FAILURES!
Tests: 2, Assertions: 2, Failures: 1.
`,
    cause: "✘ Rounds",
    category: "test_failure",
    ecosystem: "php",
    place: "/home/dev/shop/tests/CartTest.php:8",
    advice: /CartTest\.php:8/,
  },
  {
    name: "ShellCheck, an error among its warnings",
    run: "shellcheck deploy.sh",
    log: `
In deploy.sh line 5:
  rm -rf $OUT/*
         ^---^ SC2115 (warning): Use "\${var:?}" to ensure this never expands to /* .

In deploy.sh line 7:
for f in $(ls *.tgz); do
         ^---------^ SC2045 (error): Iterating over ls output is fragile. Use globs.
`,
    cause: "SC2045 (error)",
    category: "lint",
    place: "deploy.sh:7",
    advice: /Mend deploy\.sh:7/,
  },
  {
    name: "svelte-check, whose first error has no remedy of its own",
    run: "svelte-check",
    log: `====================================
Loading svelte-check in workspace: /home/dev/shop
Getting Svelte diagnostics...

/home/dev/shop/src/Cart.svelte:3:7
Error: Type 'string' is not assignable to type 'number'. (ts)
  let { title, size = 2 }: { title: string; size?: number } = $props();
  let n: number = title;
</script>

/home/dev/shop/src/Cart.svelte:6:9
Error: Cannot find name 'sizee'. Did you mean 'size'? (ts)
<img src="x.png">
<p>{n} {sizee}</p>

====================================
svelte-check found 2 errors and 0 warnings in 1 file
`,
    cause: "Type 'string' is not assignable",
    category: "type_error",
    ecosystem: "node",
    place: "/home/dev/shop/src/Cart.svelte:3",
    advice: /Cart\.svelte:3/,
  },
  {
    name: "setuptools, a table of pyproject.toml that it does not take",
    run: "python3 -m build",
    log: `* Getting build dependencies for wheel...
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/setuptools/config/pyprojecttoml.py", line 51, in validate
    raise ValueError(f"{error}\\n{summary}") from None
ValueError: invalid pyproject.toml config: \`project.license\`.
configuration error: \`project.license\` must be valid exactly by one definition (2 matches found):

    - keys:
        'file': {type: string}
      required: ['file']

ERROR Backend subprocess exited when trying to invoke get_requires_for_build_wheel
`,
    cause: "project.license",
    category: "configuration",
    ecosystem: "python",
    place: "pyproject.toml",
    advice: /Correct pyproject\.toml/,
  },
];
