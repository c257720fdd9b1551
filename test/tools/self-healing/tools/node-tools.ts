import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures of small Node tools, each of which has its own line format. */
export const NODE_TOOLS: readonly ToolFailure[] = [
  {
    name: "Eleventy, a filter that is not there",
    run: "npx eleventy",
    log: `[11ty] Problem writing Eleventy templates:
[11ty] 1. Having trouble rendering njk template ./src/cart.njk (via TemplateContentRenderError)
[11ty] 2. (./src/cart.njk)
[11ty]   Error: filter not found: euros (via Template render error)
[11ty]
[11ty] Original error stack trace: Error: filter not found: euros
[11ty]     at Environment.getFilter (/home/dev/shop/node_modules/nunjucks/src/environment.js:172:13)
[11ty] Wrote 0 files in 0.11 seconds (v3.1.2)
[11ty] Eleventy Fatal Error (CLI):
[11ty] 1. Having trouble rendering njk template ./src/cart.njk (via TemplateContentRenderError)
[11ty] 2. (./src/cart.njk)
[11ty]   Error: filter not found: euros (via Template render error)
`,
    cause: "filter not found: euros",
    category: "compile_error",
    ecosystem: "node",
    place: "./src/cart.njk",
    advice: /euros/,
  },
  {
    name: "dependency-cruiser",
    run: "npx depcruise src",
    log: "\n  error no-circular: src/cart.js → \n      src/tax.js →\n      src/cart.js\n\nx 1 dependency violations (1 errors, 0 warnings). 2 modules, 2 dependencies cruised.\n",
    cause: "no-circular",
    category: "lint",
    place: "src/cart.js",
    advice: /src\/cart\.js/,
  },
  {
    name: "depcheck",
    run: "npx depcheck",
    log: "Unused dependencies\n* left-pad\nMissing dependencies\n* acme-money: ./src/cart.js\n",
    cause: "acme-money",
    category: "dependency_resolution",
    place: "./src/cart.js",
    advice: /Declare acme-money/,
  },
  {
    name: "Changesets",
    run: "npx changeset status",
    log: "🦋  error Some packages have been changed but no changesets were found. Run `changeset add` to resolve this error.\n🦋  error If this change doesn't need a release, run `changeset add --empty`.\n",
    cause: "no changesets were found",
    category: "unknown",
    ecosystem: "node",
    advice: /changeset add/,
  },
  {
    name: "Turborepo, a task that is not there",
    run: "npx turbo run biuld",
    log: "  x Missing tasks in project\n  `->   x Could not find task `biuld` in project\n",
    cause: "`biuld`",
    category: "configuration",
    ecosystem: "node",
    advice: /Correct the name biuld/,
  },
  {
    name: "semantic-release outside a repository",
    run: "npx semantic-release",
    log: `[2:44:34 PM] [semantic-release] › ℹ  Running semantic-release version 24.2.9
[2:44:35 PM] [semantic-release] › ✘  ENOGITREPO Not running from a git repository.
The semantic-release command must be executed from a Git repository.

AggregateError:
    SemanticReleaseError: Not running from a git repository.
        at default (file:///home/dev/shop/node_modules/semantic-release/lib/get-error.js:6:10) {
  code: 'ENOGITREPO'
}
`,
    cause: "ENOGITREPO",
    category: "unknown",
    ecosystem: "node",
    advice: /git repository/i,
  },
  {
    name: "pnpm, a package that the workspace does not have",
    run: "pnpm install",
    log: `Scope: all 2 workspace projects
 ERR_PNPM_WORKSPACE_PKG_NOT_FOUND  In packages/cart: "tax@workspace:*" is in the dependencies but no package named "tax" is present in the workspace

This error happened while installing a direct dependency of /home/dev/shop/packages/cart
`,
    cause: "ERR_PNPM_WORKSPACE_PKG_NOT_FOUND",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /name tax/,
  },
  {
    name: "Node, a path that a package does not export",
    run: "node shop.mjs",
    log: `node:internal/modules/esm/resolve:322
  return new ERR_PACKAGE_PATH_NOT_EXPORTED(
         ^

Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath './lib/tax.js' is not defined by "exports" in /home/dev/shop/node_modules/money/package.json imported from /home/dev/shop/shop.mjs
    at exportsNotFound (node:internal/modules/esm/resolve:322:10) {
  code: 'ERR_PACKAGE_PATH_NOT_EXPORTED'
}
`,
    cause: "'./lib/tax.js'",
    category: "dependency_resolution",
    ecosystem: "node",
    place: "/home/dev/shop/shop.mjs",
    advice: /\.\/lib\/tax\.js/,
  },
  {
    name: "npm, a script whose file is not there",
    run: "npm install",
    log: `> postinstall
> node scripts/gen.js

Error: Cannot find module '/home/dev/shop/scripts/gen.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}
npm error code 1
`,
    cause: "scripts/gen.js",
    category: "missing_file",
    ecosystem: "node",
    place: "/home/dev/shop/scripts/gen.js",
    advice: /scripts\/gen\.js/,
    never: /imported at/,
  },
  {
    name: "programs side by side, one of which needs a file",
    run: "npx concurrently 'node api.js' 'node web.js'",
    log: `[api] listening
[web] node:internal/modules/cjs/loader:1210
[web]   throw err;
[web]   ^
[web]
[web] Error: Cannot find module './kart'
[web] Require stack:
[web] - /home/dev/shop/web.js
[web]     at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
[web] node web.js exited with code 1
`,
    cause: "'./kart'",
    category: "missing_file",
    ecosystem: "node",
    place: "/home/dev/shop/web.js",
    advice: /\.\/kart/,
  },
  {
    name: "JSHint",
    run: "npx jshint src/cart.js",
    log: "src/cart.js: line 4, col 10, Missing semicolon.\n\n1 error\n",
    cause: "Missing semicolon",
    category: "lint",
    place: "src/cart.js:4",
    advice: /src\/cart\.js:4/,
  },
  {
    name: "a linter that puts the rule in a column of its own",
    run: "npx graphql-schema-linter schema.graphql",
    log: "/home/dev/shop/schema.graphql\n2:14 The field `Query.cart` is missing a description.   fields-have-descriptions\n\n✖ 1 error detected\n",
    cause: "missing a description",
    category: "lint",
    place: "/home/dev/shop/schema.graphql:2",
    advice: /schema\.graphql:2/,
    never: /test/,
  },
  {
    name: "a cross before what is no test",
    run: "npx shop-lint",
    log: "⧗   input: fixed the cart\n✖   The subject has too many words\n\n✖   found 1 problems, 0 warnings\n",
    cause: "too many words",
    category: "lint",
    ecosystem: "node",
    advice: /too many words/,
    never: /that it tests/,
  },
  {
    name: "VitePress, a link to nowhere",
    run: "npx vitepress build docs",
    log: "(!) Found dead link ./kart in file index.md\n\nx Build failed in 5.00s\n✖ building client + server bundles...\nbuild error:\n[vitepress] 1 dead link(s) found.\n",
    cause: "dead link ./kart",
    category: "lint",
    place: "index.md",
    advice: /\.\/kart/,
  },
  {
    name: "AssemblyScript",
    run: "npx asc assembly/cart.ts",
    log: "ERROR TS2304: Cannot find name 'totl'.\n   :\n 2 │ return totl(net);\n   │        ~~~~\n   └─ in assembly/cart.ts(2,10)\n\nFAILURE 1 compile error(s)\n",
    cause: "TS2304",
    category: "type_error",
    place: "assembly/cart.ts:2",
    advice: /assembly\/cart\.ts:2|totl/,
  },
  {
    name: "Jasmine, a failing test",
    run: "npx jasmine",
    log: `Started
F

Failures:
1) cart adds the tax
  Message:
    Expected 90 to be 91.
  Stack:
        at <Jasmine>
        at UserContext.<anonymous> (/home/dev/shop/spec/cartSpec.js:7:24)

1 spec, 1 failure
`,
    cause: "Expected 90 to be 91",
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/shop/spec/cartSpec.js:7",
    advice: /cartSpec\.js:7/,
  },
  {
    name: "AVA, a failing test",
    run: "npx ava",
    log: "\n  ✘ [fail]: adds the tax\n  ─\n\n  adds the tax\n\n  cart.test.js:4\n\n   3: test('adds the tax', (t) => {\n   4:   t.is(90, 91);\n\n  1 test failed\n",
    cause: "adds the tax",
    category: "test_failure",
    ecosystem: "node",
    place: "cart.test.js:4",
    advice: /whether adds the tax/,
  },
  {
    name: "Tailwind, a class that it does not know",
    run: "npx tailwindcss -i src/app.css",
    log: "≈ tailwindcss v4.1.3\n\nError:\n┌\n│ Error: Cannot apply unknown utility class `bg-brnad`\n└\n",
    cause: "bg-brnad",
    category: "compile_error",
    ecosystem: "node",
    advice: /class bg-brnad/,
  },
  {
    name: "Jest, settings that do not hold",
    run: "npx jest",
    log: "● Validation Error:\n\n  Test environment acme cannot be found. Make sure the testEnvironment configuration option points to an existing node module.\n",
    cause: "Validation Error",
    category: "configuration",
    ecosystem: "node",
    advice: /testEnvironment/,
    never: /eslint/i,
  },
  {
    name: "Babel, an option that it does not know",
    run: "npx babel src",
    log: "ConfigError: Unknown option: .preset. Check out the documentation.\n    at validate (/home/dev/shop/node_modules/@babel/core/lib/config/validation/options.js:83:25)\n",
    cause: "Unknown option: .preset",
    category: "configuration",
    ecosystem: "node",
    advice: /\.preset/,
  },
];
