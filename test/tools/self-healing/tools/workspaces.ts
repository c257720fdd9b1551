import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures of bundlers, workspaces and test runners for Node, among what is printed around them; shortened from runs. */
export const WORKSPACES: readonly ToolFailure[] = [
  {
    name: "ESLint in a package of pnpm's, which ends with words of its own",
    run: "./lint.sh",
    log: `Scope: 3 of 4 workspace projects
packages/tax lint$ echo no errors
packages/tax lint: no errors
packages/tax lint: Done
packages/web lint$ eslint .
packages/web lint: /home/dev/shop/packages/web/cart.js
packages/web lint:   1:18  error  'totl' is not defined  no-undef
packages/web lint: ✖ 1 problem (1 error, 0 warnings)
packages/web lint: Failed
[ELIFECYCLE] Command failed with exit code 1.
Error: ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL

  × "pnpm recursive run" failed in /home/dev/shop/packages/
  │ web
`,
    cause: "'totl' is not defined",
    category: "lint",
    ecosystem: "node",
    place: "/home/dev/shop/packages/web/cart.js:1",
    advice: /cart\.js:1/,
  },
  {
    name: "ts-loader, whose place is above the message",
    run: "webpack",
    log: `assets by status 526 bytes [cached] 1 asset
orphan modules 402 bytes [orphan] 20 modules

ERROR in /home/dev/shop/source/cart.ts
./source/cart.ts 1:13-15
[tsl] ERROR in /home/dev/shop/source/cart.ts(1,14)
      TS2322: Type 'number' is not assignable to type 'string'.
ts-loader-default_e3b0c44298fc1c14
 @ ./source/index.ts 9:0-14

webpack 5.113.0 compiled with 1 error in 9992 ms
`,
    cause: "TS2322",
    category: "type_error",
    ecosystem: "node",
    place: "/home/dev/shop/source/cart.ts:1",
    advice: /cart\.ts:1/,
  },
  {
    name: "webpack, a file without a loader, below a status that is no server's",
    run: "webpack",
    log: `assets by status 526 bytes [cached] 1 asset

ERROR in ./source/theme.scss 1:11
Module parse failed: Unexpected token (1:11)
You may need an appropriate loader to handle this file type, currently no loaders are configured to process this file.
> 1 | $a: red; b { c: $a }
    |            ^
 @ ./source/index.js 41:0-21

webpack 5.113.0 compiled with 1 error in 1547 ms
`,
    cause: "Module parse failed",
    category: "compile_error",
    ecosystem: "node",
    place: "./source/theme.scss:1",
    advice: /appropriate loader/,
  },
  {
    name: "SWC without a drawing's characters, and its words at the end",
    run: "swc source -d dist",
    log: `  x Expected ',', got '}'
   ,-[source/cart.ts:3:1]
 1 | export function total(l: number[]) {
 2 |   return l.reduce((a, b) => a + b, 0
 3 | }
   : ^
   \`----

Successfully compiled: 20 files with swc (932.9ms)
Failed to compile 1 file with swc.
Error: Failed to compile:
source/cart.ts
`,
    cause: "Expected ',', got '}'",
    category: "compile_error",
    ecosystem: "node",
    place: "source/cart.ts:3",
    advice: /cart\.ts:3/,
  },
  {
    name: "Next.js, a hook outside the client, at the end of a long line",
    run: "./build.sh",
    log: `Failed to compile.

./app/page.jsx
Error:   x You're importing a component that needs \`useState\`. This React Hook only works in a Client Component. To fix, mark the file (or its parent) with the \`"use client"\` directive.
  |
   ,-[/home/dev/shop/app/page.jsx:1:1]
 1 | import { useState } from "react"
   :          ^^^^^^^^
   \`----

Import trace for requested module:
./app/page.jsx


> Build failed because of webpack errors
`,
    cause: "component that needs `useState`",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/app/page.jsx:1",
    advice: /with the `"use client"` directive/,
    never: /gradle/,
  },
  {
    name: "Parcel, whose reason follows the news",
    run: "parcel build index.html",
    log: `Building...
🚨 Build failed.

@parcel/transformer-js: Expected ';', got ')'

  /home/dev/shop/source/cart.js:2:29
    1 | export const total = (l) => {
  > 2 |   return l.map(x => x.cents))
  >   |                             ^
`,
    cause: "Expected ';', got ')'",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/source/cart.js:2",
    advice: /cart\.js:2/,
  },
  {
    name: "Vite, an alias that nothing maps",
    run: "vite build",
    log: `✗ Build failed in 186ms
error during build:
[vite]: Rollup failed to resolve import "@/cart" from "/home/dev/shop/source/main.ts".
This is most likely unintended because it can break your application at runtime.
If you do want to externalize this module explicitly add it to
\`build.rollupOptions.external\`
`,
    cause: 'failed to resolve import "@/cart"',
    category: "missing_file",
    ecosystem: "node",
    place: "/home/dev/shop/source/main.ts",
    advice: /Map @\/cart/,
    never: /install @\/|Make @\//,
  },
  {
    name: "Svelte under Vite, below the words of any build",
    run: "vite build",
    log: `✗ Build failed in 115ms
error during build:
[vite-plugin-svelte:compile] [plugin vite-plugin-svelte:compile] source/+page.svelte (4:0): /home/dev/shop/source/+page.svelte:4:0 Block was left open
file: /home/dev/shop/source/+page.svelte:4:0
`,
    cause: "Block was left open",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/source/+page.svelte:4",
    advice: /page\.svelte:4/,
  },
  {
    name: "npm, a package with a scope that nobody published",
    run: "npm install",
    log: `npm error code E404
npm error 404 Not Found - GET https://packages.acme.test/@acme%2fcore
npm error 404
npm error 404  The requested resource '@acme/core@^1.0.0' could not be found or you do not have permission to access it.
`,
    cause: "@acme/core@^1.0.0",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^npm view @acme\/core versions$/m,
  },
  {
    name: "Jasmine, a test that throws in the code",
    run: "./test.sh",
    log: `Started
........F............

Failures:
1) Cart adds a line
  Message:
    TypeError: Cannot read properties of undefined (reading 'add')
  Stack:
        at UserContext.<anonymous> (/home/dev/shop/spec/cartSpec.js:4:10)
        at <Jasmine>

21 specs, 1 failure
Finished in 0.014 seconds
`,
    cause: "TypeError: Cannot read properties of undefined (reading 'add')",
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/shop/spec/cartSpec.js:4",
    advice: /cartSpec\.js:4/,
  },
  {
    name: "PHPUnit's list of tests, whose marks are Node's as well",
    run: "./test.sh",
    log: `PHPUnit 9.6.7 by Sebastian Bergmann and contributors.

Cart
 ✔ Adds
 ✘ Total
   │
   │ TypeError: total(): Argument #1 must be of type int, array given
   │
   │ /home/dev/shop/source/Cart.php:5
   │ /home/dev/shop/tests/CartTest.php:66
   │

ERRORS!
Tests: 2, Assertions: 2, Errors: 1.
`,
    cause: "✘ Total",
    category: "test_failure",
    ecosystem: "php",
    place: "/home/dev/shop/source/Cart.php:5",
    advice: /^vendor\/bin\/phpunit --filter Total$/m,
  },
  {
    name: "just, a recipe that nobody wrote",
    run: "just test",
    log: `error: recipe \`test\` has unknown dependency \`lint\`
 ——▶ justfile:4:13
  │
4 │ test: build lint
  │             ^^^^
`,
    cause: "unknown dependency `lint`",
    category: "configuration",
    place: "justfile:4",
    advice: /justfile:4/,
  },
];
