import type { ToolFailure } from "../logs/tool-failures.ts";

/** More failures that were misread, or advised wrongly, when they were first seen. Shortened from runs, with other names. */
export const SECOND_SIGHT: readonly ToolFailure[] = [
  {
    name: "the linker, whose library is named like an option",
    run: "make",
    log: `/usr/bin/ld: cannot find -lacme: No such file or directory
collect2: error: ld returned 1 exit status
make: *** [Makefile:4: shop] Error 1
`,
    cause: "cannot find -lacme",
    category: "missing_file",
    ecosystem: "c",
    advice: /^ldconfig -p \| grep acme$/m,
    never: /Make -lacme/,
  },
  {
    name: "npm, whose list of scripts mends nothing",
    run: "npm run verify",
    log: `npm error Missing script: "verify"
npm error
npm error To see a list of scripts, run:
npm error   npm run
npm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-01-02T09_57_01_999Z-debug-0.log
`,
    cause: 'Missing script: "verify"',
    category: "configuration",
    ecosystem: "node",
    advice: /Correct the name of the script verify/,
    never: /Run what the log itself tells to run/,
  },
  {
    name: "an assertion of Node in a script of pnpm, in the form of RSpec's",
    run: "pnpm -r test",
    log: `packages/a test$ node t.js
packages/b test$ node t.js
packages/a test: ok
packages/a test: Done
packages/b test: node:assert:90
packages/b test:   throw new AssertionError(obj);
packages/b test:   ^
packages/b test: AssertionError [ERR_ASSERTION]: doubles
packages/b test: + actual - expected
packages/b test:     at Object.<anonymous> (/home/dev/shop/packages/b/t.js:3:8) {
packages/b test:   code: 'ERR_ASSERTION',
packages/b test:   actual: [ 2, 4 ],
packages/b test:   expected: [ 2, 5 ],
packages/b test:   operator: 'deepStrictEqual'
packages/b test: }
packages/b test: Failed
 ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  @acme/b@1.0.0 test: \`node t.js\`
Exit status 1
`,
    cause: "AssertionError [ERR_ASSERTION]: doubles",
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/shop/packages/b/t.js:3",
    advice: /packages\/b\/t\.js:3/,
  },
  {
    name: "a script of Elixir, whose frame is no finding",
    run: "elixir cart.exs",
    log: `loading
** (Protocol.UndefinedError) protocol Enumerable not implemented for nil of type Atom
    (elixir 1.14.0) lib/enum.ex:1: Enumerable.impl_for!/1
    (elixir 1.14.0) lib/enum.ex:4307: Enum.sum/1
    cart.exs:5: (file)
`,
    cause: "Protocol.UndefinedError",
    category: "unknown",
    ecosystem: "elixir",
    place: "cart.exs:5",
    advice: /cart\.exs:5/,
  },
  {
    name: "MkDocs, which counts the errors of its settings",
    run: "mkdocs build",
    log: `ERROR    -  Config value 'theme': Unrecognised theme name: 'acme'. The available installed themes are: mkdocs, readthedocs
ERROR    -  Config value 'plugins': The "serach" plugin is not installed
Aborted with 2 Configuration Errors!
`,
    cause: "Config value 'theme'",
    category: "configuration",
    advice: /Correct theme in mkdocs\.yml/,
  },
  {
    name: "Angular's command, a target that is not configured",
    run: "ng build --configuration staging",
    log: `An unhandled exception occurred: Configuration 'staging' for target 'build' in project 'shop' is not set in the workspace.
See "/var/tmp/ng-prYuD7/angular-errors.log" for further details.
`,
    cause: "Configuration 'staging' for target",
    category: "configuration",
    ecosystem: "node",
    advice: /staging/,
  },
  {
    name: "npm, a script of a dependency that throws",
    run: "npm install",
    log: `npm error code 1
npm error path /home/dev/shop/node_modules/acme-money
npm error command failed
npm error command sh -c node setup.js
npm error /home/dev/shop/node_modules/acme-money/setup.js:1
npm error const c = require("./conf.json"); fetchBinary(c.url)
npm error                                   ^
npm error
npm error ReferenceError: fetchBinary is not defined
npm error     at Object.<anonymous> (/home/dev/shop/node_modules/acme-money/setup.js:1:35)
npm error
npm error Node.js v20.20.2
npm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-01-02T09_57_06_999Z-debug-0.log
`,
    cause: "fetchBinary is not defined",
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /script that the dependency runs when it is installed/,
  },
  {
    name: "PHP without what Composer installs",
    run: "php index.php",
    log: `PHP Warning:  require(/home/dev/shop/vendor/autoload.php): Failed to open stream: No such file or directory in /home/dev/shop/index.php on line 2
PHP Fatal error:  Uncaught Error: Failed opening required '/home/dev/shop/vendor/autoload.php' (include_path='.:/usr/share/php') in /home/dev/shop/index.php:2
Stack trace:
#0 {main}
  thrown in /home/dev/shop/index.php on line 2
`,
    cause: "vendor/autoload.php",
    category: "dependency_resolution",
    ecosystem: "php",
    place: "/home/dev/shop/index.php:2",
    advice: /^composer install$/m,
  },
  {
    name: "Mocha, a file that a test loads and that does not parse",
    run: "mocha test",
    log: `
 Exception during run: /home/dev/shop/src/sum.js:1
exports.sum = (xs) => { return xs.reduce((a, b) => a + b, 0; }
                                                          ^

SyntaxError: missing ) after argument list
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
    at Object.<anonymous> (/home/dev/shop/test/a.js:1:47)
`,
    cause: "SyntaxError: missing )",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/src/sum.js:1",
    advice: /src\/sum\.js:1/,
  },
  {
    name: "Maven, a POM that is no XML",
    run: "mvn test",
    log: `[INFO] Scanning for projects...
[ERROR] [ERROR] Some problems were encountered while processing the POMs:
[FATAL] Non-parseable POM /home/dev/shop/pom.xml: end tag name </biuld> must be the same as start tag <build> from line 5 (position: END_TAG seen ...</biuld>... @5:80)  @ line 5, column 80
 @ 
[ERROR] The build could not read 1 project -> [Help 1]
[ERROR]   The project  (/home/dev/shop/pom.xml) has 1 error
[ERROR]     Non-parseable POM /home/dev/shop/pom.xml: end tag name </biuld> must be the same as start tag <build> from line 5 (position: END_TAG seen ...</biuld>... @5:80)  @ line 5, column 80 -> [Help 2]
[ERROR] 
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/ProjectBuildingException
`,
    cause: "Non-parseable POM",
    category: "configuration",
    ecosystem: "maven",
    place: "/home/dev/shop/pom.xml:5",
    advice: /Correct \/home\/dev\/shop\/pom\.xml:5/,
    never: /published version/,
  },
  {
    name: "Vite, a component that its compiler does not take",
    run: "vite build",
    log: `✗ Build failed in 538ms
error during build:
Build failed with 1 error:

[plugin vite-plugin-svelte:compile] /home/dev/shop/src/routes/+page.svelte:6:2
RolldownError: /home/dev/shop/src/routes/+page.svelte:6:2 Expected token each
https://svelte.dev/e/expected_token
`,
    cause: "Expected token each",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/src/routes/+page.svelte:6",
    advice: /Mend \/home\/dev\/shop\/src\/routes\/\+page\.svelte:6/,
  },
  {
    name: "SWC, settings with a word that it does not know",
    run: "swc src -d lib",
    log: `

Caused by:
    0: failed to read .swcrc file for input file at \`src/cart.ts\`
    1: failed to deserialize .swcrc (json) file: unmatched data: 0:0
    2: unknown variant \`typscript\`, expected one of \`ecmascript\`, \`typescript\`, \`flow\`
Failed to compile 1 file with swc.
Error: Failed to compile:
src/cart.ts
    at initialCompilation (/home/dev/shop/node_modules/@swc/cli/lib/swc/dir.js:168:23)
`,
    cause: "unknown variant `typscript`",
    category: "configuration",
    ecosystem: "node",
    advice: /ecmascript/,
    never: /Mend what it reports/,
  },
  {
    name: "wrangler, a variable that is to be set",
    run: "wrangler deploy",
    log: `✘ [ERROR] In a non-interactive environment, it's necessary to set a ACME_API_TOKEN environment variable for wrangler to work.

🪵  Logs were written to "/home/dev/.config/.wrangler/logs/wrangler-2026-01-02_10-00-07_599.log"
`,
    cause: "set a ACME_API_TOKEN environment variable",
    category: "configuration",
    advice: /Set the variable in the environment of the build: .*ACME_API_TOKEN/,
  },
  {
    name: "bash, a variable that a script requires",
    run: "bash run.sh",
    log: "run.sh: line 2: ACME_REGION: must be set\n",
    cause: "ACME_REGION: must be set",
    category: "configuration",
    ecosystem: "shell",
    place: "run.sh:2",
    advice: /Set the variable in the environment of the build: .*ACME_REGION/,
  },
  {
    name: "Hugo, a theme that is not there",
    run: "hugo",
    log: `Error: module "acme" not found; either add it as a Hugo Module or store it in "/home/dev/shop/themes".: module does not exist
Total in 0 ms
`,
    cause: 'module "acme" not found',
    category: "dependency_resolution",
    advice: /Fetch the theme acme/,
    never: /Make \/home/,
  },
  {
    name: "deno fmt",
    run: "make check",
    log: `deno fmt --check

from /home/dev/shop/cart.ts:
1 | -export const a={b:1}
1 | +export const a = { b: 1 };

error: Found 1 not formatted file in 1 file
`,
    cause: "Found 1 not formatted file",
    category: "lint",
    ecosystem: "node",
    advice: /^deno fmt$/m,
  },
  {
    name: "CMake, a source that is not there",
    run: "cmake -B build",
    log: `-- Configuring done
CMake Error at CMakeLists.txt:3 (add_executable):
  Cannot find source file:

    src/gone.cpp

  Tried extensions .c .C .c++ .cc .cpp .cxx .cu .mpp .m .M .mm .ixx .cppm .h
  .hh .h++ .hm .hpp .hxx .in .txx .f .F .for .f77 .f90 .f95 .f03 .hip .ispc


CMake Error at CMakeLists.txt:3 (add_executable):
  No SOURCES given to target: shop


CMake Generate step failed.  Build files cannot be regenerated correctly.
`,
    cause: "Cannot find source file: src/gone.cpp",
    category: "missing_file",
    ecosystem: "c",
    place: "CMakeLists.txt:3",
    advice: /src\/gone\.cpp/,
  },
  {
    name: "HTMLHint, which quotes the source between the file and the message",
    run: "htmlhint public",
    log: `
   /home/dev/shop/public/index.html
      L1 |<html><body><img src="a.png"><div></body></html>
          ^ Doctype must be declared before any non-comment content. (doctype-first)
      L1 |<html><body><img src="a.png"><div></body></html>
                                       ^ Tag must be paired, missing: [ </div> ]. (tag-pair)

Scanned 1 files, found 2 errors in 1 files (21 ms)
`,
    cause: "Doctype must be declared",
    category: "lint",
    ecosystem: "node",
    place: "/home/dev/shop/public/index.html",
    advice: /Mend \/home\/dev\/shop\/public\/index\.html/,
  },
  {
    name: "Rust, a panic whose message says that a file is missing",
    run: "cargo run -q",
    log: `
thread 'main' (6810) panicked at src/conf.rs:1:61:
cannot read the settings: Os { code: 2, kind: NotFound, message: "No such file or directory" }
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
`,
    cause: "cannot read the settings",
    category: "missing_file",
    ecosystem: "rust",
    place: "src/conf.rs:1",
    advice: /cannot read the settings/,
  },
  {
    name: "esbuild, an option that its own code refuses",
    run: "node build.mjs",
    log: `✘ [ERROR] Invalid option in build() call: "loadr"

    /home/dev/shop/node_modules/esbuild/lib/main.js:540:12:
      540 │       throw new Error(\`Invalid option \${where}: \${quote(key)}\`);
          ╵             ^

    at checkForInvalidFlags (/home/dev/shop/node_modules/esbuild/lib/main.js:540:12)
    at file:///home/dev/shop/build.mjs:1:40

1 error
`,
    cause: 'Invalid option in build() call: "loadr"',
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/build.mjs:1",
    advice: /build\.mjs:1/,
  },
  {
    name: "Babel, which names the preset that it needs",
    run: "babel src -d lib",
    log: `SyntaxError: /home/dev/shop/src/view.js: Support for the experimental syntax 'jsx' isn't currently enabled (1:24):

> 1 | export const V = () => <div>hi</div>;
    |                        ^

Add @babel/preset-react (https://acme.test/preset-react) to the 'presets' section of your Babel config to enable transformation.
If you want to leave it as-is, add @babel/plugin-syntax-jsx (https://acme.test/plugin-syntax-jsx) to the 'plugins' section to enable parsing.
`,
    cause: "experimental syntax 'jsx'",
    category: "compile_error",
    ecosystem: "node",
    place: "/home/dev/shop/src/view.js:1",
    advice: /Do as the log itself says: Add @babel\/preset-react/,
  },
  {
    name: "RSpec, a file of the project's own, which no gem brings",
    run: "rspec",
    log: `
An error occurred while loading ./spec/cart_spec.rb.
Failure/Error: require_relative '../lib/missing'

LoadError:
  cannot load such file -- /home/dev/shop/lib/missing
# ./spec/cart_spec.rb:1:in \`require_relative'
# ./spec/cart_spec.rb:1:in \`<top (required)>'
No examples found.

0 examples, 0 failures, 1 error occurred outside of examples
`,
    cause: "cannot load such file",
    category: "missing_file",
    ecosystem: "ruby",
    place: "./spec/cart_spec.rb:1",
    advice: /Make \/home\/dev\/shop\/lib\/missing/,
    never: /bundle install/,
  },
  {
    name: "Stylelint, settings that extend what is not installed",
    run: "stylelint src/cart.css",
    log: `ConfigurationError: Could not find "stylelint-config-acme". Do you need to install the package or use the "configBasedir" option?
    at getModulePath (file:///home/dev/shop/node_modules/stylelint/lib/utils/getModulePath.mjs:35:9)
`,
    cause: 'Could not find "stylelint-config-acme"',
    category: "dependency_resolution",
    ecosystem: "node",
    advice: /^npm install stylelint-config-acme$/m,
    never: /Correct the configuration file/,
  },
  {
    name: "GHC, which offers modules of like names",
    run: "ghc Main.hs",
    log: `[1 of 1] Compiling Main             ( Main.hs, Main.o )

Main.hs:2:1: error:
    Could not find module ‘Data.Lisst’
    Perhaps you meant
      Data.List (from base-4.15.1.0)
      Data.Bits (from base-4.15.1.0)
  |
2 | import Data.Lisst (sortBy)
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^
`,
    cause: "Main.hs:2:1: error:",
    category: "compile_error",
    ecosystem: "haskell",
    place: "Main.hs:2",
    advice: /Did you mean Data\.List/,
  },
  {
    name: "curl, an address that is not there",
    run: "make fetch",
    log: "curl: (22) The requested URL returned error: 404\nmake: *** [Makefile:2: fetch] Error 22\n",
    cause: "error: 404",
    category: "missing_file",
    ecosystem: "c",
    advice: /Correct the address/,
  },
];
