import type { ToolFailure } from "./tool-failures.ts";

/** Failures whose first diagnosis misled, from runs of the tools. Shortened, with other names. */
export const REPRODUCED: readonly ToolFailure[] = [
  {
    name: "a folder of the system that may not be written to, for which no credential is asked",
    run: "bash deploy.sh",
    log: "cp: cannot create regular file '/usr/local/bin/shop': Permission denied\n",
    cause: "Permission denied",
    category: "permission",
    advice: /ls -ld \/usr\/local\/bin\/shop && id/,
    never: /credential|chmod/,
  },
  {
    name: "Node, settings of the system that may not be read, which are no program",
    run: "node app.js",
    log: `node:fs:573
  return binding.open(
                 ^

Error: EACCES: permission denied, open '/etc/shop/config.json'
    at Object.openSync (node:fs:573:18)
    at Object.<anonymous> (/home/dev/app/app.js:3:4) {
  errno: -13,
  code: 'EACCES',
  syscall: 'open',
  path: '/etc/shop/config.json'
}
`,
    cause: "EACCES: permission denied",
    category: "permission",
    ecosystem: "node",
    place: "/home/dev/app/app.js:3",
    advice: /ls -ld \/etc\/shop\/config\.json/,
    never: /credential|chmod/,
  },
  {
    name: "Python, a file that its program may not write, for which no package is installed",
    run: "python3 app.py",
    log: `Traceback (most recent call last):
  File "/home/dev/app/app.py", line 4, in <module>
    open('/var/run/shop.pid', 'w')
PermissionError: [Errno 13] Permission denied: '/var/run/shop.pid'
`,
    cause: "Permission denied: '/var/run/shop.pid'",
    category: "permission",
    ecosystem: "python",
    place: "/home/dev/app/app.py:4",
    advice: /ls -ld \/var\/run\/shop\.pid/,
    never: /credential|venv/,
  },
  {
    name: "nginx, a file of the system in the middle of the line",
    run: "nginx -t",
    log: `nginx: [emerg] open() "/run/nginx.pid" failed (13: Permission denied)
nginx: configuration file /etc/nginx/nginx.conf test failed
`,
    cause: "/run/nginx.pid",
    category: "permission",
    place: "/run/nginx.pid",
    advice: /ls -ld \/run\/nginx\.pid/,
    never: /\(13|credential|chmod/,
  },
  ...[
    ["a shell's own words", "./build.sh: Permission denied"],
    ["bash", "bash: ./build.sh: Permission denied"],
    ["zsh", "zsh:1: permission denied: ./build.sh"],
    ["fish", "fish: Unknown command. './build.sh' exists but is not an executable file."],
  ].map(([shell, log = ""]) => ({
    name: `a script without its mode bit, in ${shell}`,
    run: "./build.sh",
    log: `${log}\n`,
    cause: log,
    category: "permission" as const,
    place: "./build.sh",
    advice: /^chmod \+x \.\/build\.sh$/m,
    never: /credential/,
  })),
  {
    name: "a port that only root may listen on",
    run: "node server.js",
    log: `Error: listen EACCES: permission denied 0.0.0.0:80
    at Server.setupListenHandle [as _listen2] (node:net:1800:21)
    at Object.<anonymous> (/home/dev/app/server.js:4:8)
`,
    cause: "listen EACCES",
    category: "permission",
    ecosystem: "node",
    place: "/home/dev/app/server.js:4",
    advice: /port from 1024 on instead of 80/,
    never: /credential|owns/,
  },
  {
    name: "npm, a global folder, whose advice is broken over two lines",
    run: "npm install -g eslint",
    log: `npm error code EACCES
npm error syscall mkdir
npm error path /usr/lib/node_modules/eslint
npm error Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/eslint'
npm error If you believe this might be a permissions issue, please double-check the
npm error permissions of the file and its containing directories, or try running
npm error the command again as root/Administrator.
`,
    cause: "EACCES: permission denied, mkdir",
    category: "permission",
    ecosystem: "node",
    advice: /try running the command again as root/,
    never: /credential/,
  },
  {
    name: "a server that knows no key of this user, whoever serves",
    run: "scp dist/shop.tgz deploy@acme.test:/srv",
    log: "deploy@acme.test: Permission denied (publickey,password).\nlost connection\n",
    cause: "Permission denied (publickey",
    category: "permission",
    ecosystem: "git",
    advice: /ssh -T deploy@acme\.test/,
    never: /github/,
  },
  {
    name: "Terraform, two variables without a value, of which the first counts",
    run: "terraform plan -input=false -no-color",
    log: `
Error: No value for required variable

  on main.tf line 1:
   1: variable "region" {

The root module input variable "region" is not set, and has no default value.
Use a -var or -var-file command line argument to provide a value for this
variable.

Error: No value for required variable

  on main.tf line 5:
   5: variable "size" {

The root module input variable "size" is not set, and has no default value.
Use a -var or -var-file command line argument to provide a value for this
variable.
`,
    cause: "No value for required variable",
    category: "configuration",
    ecosystem: "terraform",
    place: "main.tf:1",
    advice: /Use a -var or -var-file .* for this variable\.[\s\S]*main\.tf:1 a value: TF_VAR_/,
    never: /terraform validate/,
  },
  {
    name: "Terraform, an argument of a module, which is none of a command",
    run: "terraform validate -no-color",
    log: `
Error: Missing required argument

  on main.tf line 1, in module "shop":
   1: module "shop" {

The argument "zone" is required, but no definition was found.
`,
    cause: "Missing required argument",
    category: "configuration",
    ecosystem: "terraform",
    place: "main.tf:1",
    advice: /Correct main\.tf:1/,
    never: /that the command asks for/,
  },
  {
    name: "Playwright, a failed test below one that passed when it was tried again",
    run: "npx playwright test --retries 1",
    log: `
  ✘  1 cart.spec.js:2:1 › pays (17ms)
  ✓  2 cart.spec.js:2:1 › pays (retry #1) (15ms)
  ✘  3 cart.spec.js:3:1 › ships (49ms)
  ✘  4 cart.spec.js:3:1 › ships (retry #1) (52ms)

  1) cart.spec.js:2:1 › pays ───────────────

    Error: expect(received).toBe(expected) // Object.is equality

        at /home/dev/app/cart.spec.js:2:55

  2) cart.spec.js:3:1 › ships ──────────────

    Error: expect(received).toBe(expected) // Object.is equality

        at /home/dev/app/cart.spec.js:3:39

  1 failed
    cart.spec.js:3:1 › ships ───────────────
  1 flaky
    cart.spec.js:2:1 › pays ────────────────
`,
    cause: "expect(received)",
    category: "test_failure",
    ecosystem: "node",
    place: "/home/dev/app/cart.spec.js:3",
    advice: /cart\.spec\.js:3/,
    never: /cart\.spec\.js:2/,
  },
  {
    name: "Playwright, told to fail for a test that passed when it was tried again",
    run: "npx playwright test --retries 1 --fail-on-flaky-tests",
    log: `
  ✘  1 cart.spec.js:2:1 › pays (17ms)
  ✓  2 cart.spec.js:2:1 › pays (retry #1) (15ms)

  1) cart.spec.js:2:1 › pays ───────────────

    Error: expect(received).toBe(expected) // Object.is equality

        at /home/dev/app/cart.spec.js:2:55

  1 flaky
    cart.spec.js:2:1 › pays ────────────────
  1 passed (3.5s)
`,
    cause: "1 flaky",
    category: "flaky",
    ecosystem: "node",
    place: "cart.spec.js:2",
    advice: /Repeat the test alone/,
  },
  {
    name: "gfortran, whose first error another compiler writes the same",
    run: "gfortran -o shop shop.f90",
    log: `shop.f90:6:15:

    6 |   print *, n +
      |               1
Error: Syntax error in expression at (1)
shop.f90:5:3:

    5 |   m = 3
      |   1
Error: Symbol 'm' at (1) has no IMPLICIT type
`,
    cause: "Syntax error in expression",
    category: "compile_error",
    place: "shop.f90:6",
    advice: /Mend shop\.f90:6/,
  },
  {
    name: "fish, a block that does not end, above its word of the file",
    run: "fish build.fish",
    exitCode: 127,
    log: `build.fish (line 2): Missing end to balance this if statement
if test $a = 1
^^
warning: Error while reading file build.fish
`,
    cause: "Missing end to balance",
    category: "compile_error",
    place: "build.fish:2",
    advice: /Mend build\.fish:2/,
  },
  {
    name: "zsh, which names its command between the file and the line",
    run: "zsh build.zsh",
    log: "build.zsh:cd:3: no such file or directory: dist\n",
    cause: "no such file or directory: dist",
    category: "missing_file",
    place: "build.zsh:3",
    advice: /dist/,
  },
  {
    name: "M4, which writes no blank after its name",
    run: "m4 -E -E shop.m4",
    log: "m4:shop.m4:2: cannot open `theme.m4': No such file or directory\n",
    cause: "cannot open `theme.m4'",
    category: "missing_file",
    place: "shop.m4:2",
    advice: /Make theme\.m4/,
  },
  {
    name: "sshd, settings without an extension",
    run: "sshd -t -f sshd_config",
    exitCode: 255,
    log: "sshd_config: line 2: Bad configuration option: PermitRootLogn\nsshd_config: terminating, 1 bad configuration options\n",
    cause: "PermitRootLogn",
    category: "configuration",
    place: "sshd_config:2",
    advice: /sshd_config:2: Bad configuration option/,
  },
  {
    name: "visudo, a file without an extension",
    run: "visudo -cf deploy",
    log: "deploy:1:44: syntax error\ndeploy ALL=(ALL) NOPASSWD /usr/bin/systemctl\n",
    cause: "syntax error",
    category: "compile_error",
    place: "deploy:1",
    advice: /Mend deploy:1/,
  },
  {
    name: "Dnsmasq, which names the line before the file",
    run: "dnsmasq --test -C shop.conf",
    log: "\ndnsmasq: bad option at line 2 of shop.conf\n",
    cause: "bad option",
    category: "configuration",
    place: "shop.conf:2",
    advice: /Correct shop\.conf:2/,
  },
  {
    name: "EJS, the place in the middle of what it says",
    run: "ejslint page.ejs",
    log: "Unexpected token (5:1) in page.ejs\n\n^\n",
    cause: "Unexpected token",
    category: "compile_error",
    place: "page.ejs:5",
    advice: /Mend page\.ejs:5/,
  },
  {
    name: "tsd, whose crosses are findings and no tests, even in a file of tests",
    run: "npx tsd",
    log: `
  index.test-d.ts:3:19
  ✖  3:19  Argument of type number is not assignable to parameter of type string.

  1 error

`,
    cause: "Argument of type number",
    category: "type_error",
    place: "index.test-d.ts:3",
    advice: /Mend index\.test-d\.ts:3/,
    never: /Decide whether/,
  },
  {
    name: "madge, a cross that is no test, though it says how long it took",
    run: "npx madge --circular a.js",
    log: "Processed 2 files (512ms) (1 warning)\n\n\n✖ Found 1 circular dependency!\n\n1) a.js > b.js\n",
    cause: "Found 1 circular dependency",
    category: "lint",
    ecosystem: "node",
    advice: /circular dependency/,
    never: /Decide whether/,
  },
  {
    name: "a resolver's code that is not npm's",
    run: "npx json2ts cart.json",
    log: `    code: 'ERESOLVER',
      "ENOENT: no such file or directory, open '/home/dev/app/item.json'",
    footprint: 'null+/home/dev/app/item.json+ERESOLVER+Error opening file'
`,
    cause: "ENOENT",
    category: "missing_file",
    ecosystem: "node",
    place: "/home/dev/app/item.json",
    advice: /Make \/home\/dev\/app\/item\.json/,
    never: /legacy-peer-deps/,
  },
  {
    name: "wait-on, for which no test is given longer",
    run: "npx wait-on -t 800 tcp:127.0.0.1:9",
    log: "Error: Timed out waiting for: tcp:127.0.0.1:9\n    at Object.error (/home/dev/app/node_modules/wait-on/lib/wait-on.js:120:9)\n",
    cause: "Timed out waiting",
    category: "timeout",
    ecosystem: "node",
    advice: /See whether the server or step is slow/,
    never: /this test/,
  },
  {
    name: "cmocka, the place above the name of the test",
    run: "./test",
    log: `[==========] Running 1 test(s).
[ RUN      ] adds_tax
[  ERROR   ] --- 0x28 != 0x2a
[   LINE   ] --- t.c:7: error: Failure!
[  FAILED  ] adds_tax
`,
    cause: "adds_tax",
    category: "test_failure",
    place: "t.c:7",
    advice: /t\.c:7/,
  },
  {
    name: "CUnit, a test by its dots",
    run: "./test",
    log: "Suite: cart\n  Test: adds the tax ...FAILED\n    1. t.c:3  - CU_ASSERT_EQUAL(40,42)\n",
    cause: "adds the tax",
    category: "test_failure",
    place: "t.c:3",
    advice: /t\.c:3/,
  },
  {
    name: "shUnit2, what was expected",
    run: "sh test.sh",
    log: "testTax\nASSERT:the total expected:<42> but was:<40>\nshunit2:ERROR testTax() returned non-zero return code.\n\nFAILED (failures=2)\n",
    cause: "ASSERT:the total",
    category: "test_failure",
    advice: /the total expected/,
  },
  {
    name: "Varnish, which deletes first what is not there",
    run: "varnishd -C -f default.vcl",
    exitCode: 2,
    log: "Could not delete 'vcl_boot.17/vgc.sym': No such file or directory\nMessage from VCC-compiler:\nSymbol not found: 'foo.bar'\nVCL compilation failed\n",
    cause: "VCL compilation failed",
    category: "unknown",
    advice: /VCL compilation failed/,
    never: /vgc\.sym/,
  },
  {
    name: "Skopeo, for which no Docker need be there",
    run: "skopeo inspect docker://127.0.0.1:9/shop",
    log: 'time="2026-11-30T18:51:57Z" level=fatal msg="pinging container registry 127.0.0.1:9: dial tcp 127.0.0.1:9: connect: connection refused"\n',
    cause: "connection refused",
    category: "network",
    advice: /something listens on port 9/,
    never: /docker login$/m,
  },
  {
    name: "a shared object that is not there, whose last word is no path",
    run: "lighttpd -D -f shop.conf",
    exitCode: 255,
    log: "(plugin.c.214) dlopen() failed for: /usr/lib/lighttpd/mod_shop.so: cannot open shared object file: No such file or directory\n(server.c.1448) loading plugins finally failed\n",
    cause: "mod_shop.so",
    category: "missing_file",
    advice: /mod_shop\.so/,
    never: /Make file/,
  },
  {
    name: "Guile, whose own reader is no file to mend",
    run: "guile --no-auto-compile cart.scm",
    log: "ice-9/read.scm:126:4: In procedure lp:\n/home/dev/app/cart.scm:3:1: unexpected end of input while searching for: )\n",
    cause: "unexpected end of input",
    category: "compile_error",
    place: "/home/dev/app/cart.scm:3",
    advice: /Mend \/home\/dev\/app\/cart\.scm:3/,
    never: /ice-9/,
  },
];
