import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures of what installs, signs, uploads and deploys, as whole logs in which something else looks like the reason. */
export const RELEASES: readonly ToolFailure[] = [
  {
    name: "apt-get that asks, after it says what room it needs",
    run: "docker build .",
    log: `Reading package lists...
0 upgraded, 61 newly installed, 0 to remove and 4 not upgraded.
Need to get 80.1 MB of archives.
After this operation, 310 MB of additional disk space will be used.
Do you want to continue? [Y/n] Abort.
`,
    cause: "Do you want to continue?",
    category: "configuration",
    place: undefined,
    advice: /apt-get install -y/,
    never: /df -h|larger disk/,
  },
  {
    name: "a compiler after apt-get has said what room it needs",
    run: "docker build .",
    log: `After this operation, 310 MB of additional disk space will be used.
Get:1 http://deb.acme.test/debian trixie/main amd64 libacme1 [80 kB]
Setting up libacme1 (1.0-1) ...
src/cart.c:9:3: error: implicit declaration of function 'tax'
make: *** [Makefile:3: cart.o] Error 1
`,
    cause: "implicit declaration of function 'tax'",
    category: "compile_error",
    place: "src/cart.c:9",
    advice: /src\/cart\.c:9/,
    never: /df -h|larger disk/,
  },
  {
    name: "a linter that wants no space",
    run: "make lint",
    log: `Checking src/cart.acme
ERROR: found no space after the comma
make: *** [Makefile:3: lint] Error 1
`,
    cause: "no space after the comma",
    category: "unknown",
    place: undefined,
    advice: /no space after the comma/,
    never: /df -h|larger disk/,
  },
  {
    name: "Ansible, a host that refuses the key",
    run: "ansible-playbook shop.yml",
    log: `TASK [nginx : Install nginx] ***************************************************
fatal: [web1]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh: deploy@192.0.2.4: Permission denied (publickey).", "unreachable": true}

PLAY RECAP *********************************************************************
web1                       : ok=0    changed=0    unreachable=1    failed=0
`,
    cause: "UNREACHABLE!",
    category: "permission",
    place: undefined,
    advice: /ansible web1 -m ping -vvv/,
    never: /git@/,
  },
  {
    name: "Maven, whose signature has no terminal to ask on",
    run: "mvn deploy",
    log: `[INFO] --- maven-gpg-plugin:3.2.4:sign (sign-artifacts) @ shop ---
gpg: signing failed: Inappropriate ioctl for device
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-gpg-plugin:3.2.4:sign (sign-artifacts) on project shop: Exit code: 2 -> [Help 1]
`,
    cause: "gpg: signing failed",
    category: "configuration",
    place: undefined,
    advice: /--pinentry-mode loopback/,
  },
  {
    name: "vcpkg under CMake, which then misses its compiler",
    run: "cmake -B build",
    log: `error: building openssl:x64-windows failed with: BUILD_FAILED
CMake Error at C:/vcpkg/scripts/buildsystems/vcpkg.cmake:893 (message):
  vcpkg install failed.  See logs for more information:
Call Stack (most recent call first):
  CMakeLists.txt:3 (project)
CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage
`,
    cause: "building openssl:x64-windows failed",
    category: "dependency_resolution",
    ecosystem: "c",
    place: "CMakeLists.txt:3",
    advice: /log of openssl/,
  },
  {
    name: "Zig, whose last line only counts",
    run: "zig build",
    log: `src/cart.zig:12:17: error: expected type 'u32', found 'i64'
    const total: u32 = sum;
                       ^~~
error: the following command failed with 1 compilation errors:
`,
    cause: "expected type 'u32'",
    category: "type_error",
    place: "src/cart.zig:12",
    advice: /src\/cart\.zig:12/,
  },
  {
    name: "PHPStan's table",
    run: "vendor/bin/phpstan analyse",
    log: ` ------ -----------------------------------------------------
  Line   src/Service/Cart.php
 ------ -----------------------------------------------------
  34     Call to an undefined method App\\Entity\\User::fullName().
  51     Parameter #1 $id of method find() expects int, string given.
 ------ -----------------------------------------------------

 [ERROR] Found 2 errors
`,
    cause: "Call to an undefined method",
    category: "lint",
    ecosystem: "php",
    place: "src/Service/Cart.php:34",
    advice: /src\/Service\/Cart\.php:34/,
    never: /php -l/,
  },
  {
    name: "pytest-cov below its threshold",
    run: "./coverage.sh",
    log: `Name      Stmts   Miss  Cover
-----------------------------
cart.py    1200    240    80%
-----------------------------
TOTAL      1200    240    80%
FAIL Required test coverage of 90% not reached. Total coverage: 80.00%
`,
    cause: "Required test coverage of 90%",
    category: "test_failure",
    ecosystem: "python",
    place: undefined,
    advice: /Test the code that was added/,
    never: /go test/,
  },
  {
    name: "Go, a module that is not what go.sum recorded",
    run: "go build ./...",
    log: `verifying github.com/acme/tax@v1.2.0: checksum mismatch
	downloaded: h1:aaaa=
	go.sum:     h1:bbbb=

SECURITY ERROR
This download does NOT match an earlier download recorded in go.sum.
`,
    cause: "checksum mismatch",
    category: "dependency_resolution",
    ecosystem: "go",
    place: undefined,
    advice: /before you trust the new one/,
    never: /go get/,
  },
  {
    name: "Docker, a port that another container has",
    run: "docker compose up",
    log: `Error response from daemon: driver failed programming external connectivity on endpoint shop: Bind for 0.0.0.0:5432 failed: port is already allocated
`,
    cause: "port is already allocated",
    category: "configuration",
    place: undefined,
    advice: /ss -ltnp sport = :5432/,
  },
];
