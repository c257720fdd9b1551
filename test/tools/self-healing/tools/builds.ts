import type { ToolFailure } from "../logs/tool-failures.ts";

/** Failures whose own line says more than the lines around it. */
export const BUILDS: readonly ToolFailure[] = [
  {
    name: "a test of Go that panics",
    run: "go test ./...",
    log: `--- FAIL: TestTotal (0.00s)
panic: runtime error: index out of range [3] with length 3 [recovered]
\tpanic: runtime error: index out of range [3] with length 3

goroutine 6 [running]:
testing.tRunner.func1.2({0x50a6c0, 0xc00001a0d8})
\t/usr/local/go/src/testing/testing.go:1545 +0x238
panic({0x50a6c0?, 0xc00001a0d8?})
\t/usr/local/go/src/runtime/panic.go:914 +0x21f
acme.test/shop/cart.Total(...)
\t/srv/shop/cart/cart.go:12
acme.test/shop/cart.TestTotal(0xc000007860?)
\t/srv/shop/cart/cart_test.go:8 +0x1d
FAIL\tacme.test/shop/cart\t0.004s
FAIL
`,
    cause: "panic: runtime error: index out of range [3]",
    category: "test_failure",
    ecosystem: "go",
    place: "/srv/shop/cart/cart.go:12",
    advice: /-run TestTotal/,
  },
  {
    name: "an image for another processor",
    run: "docker compose up",
    log: "WARNING: The requested image's platform (linux/arm64) does not match the detected host platform (linux/amd64/v3) and no specific platform was requested\nexec /bin/till: exec format error\n",
    cause: "exec format error",
    category: "version_mismatch",
    advice: /architecture/,
    never: /line ends/,
  },
  {
    name: "a program for another processor",
    run: "./till",
    log: "bash: ./till: cannot execute binary file: Exec format error\n",
    cause: "xec format error",
    category: "version_mismatch",
    advice: /architecture/,
    never: /line ends/,
  },
  {
    name: "an image that cannot be pulled, before the rollout's time is up",
    run: "kubectl rollout status deployment/till",
    log: "till-7d9c5-x2x4q   0/1   ErrImagePull   0   1m\nerror: timed out waiting for the condition on deployments/till\n",
    cause: "ErrImagePull",
    category: "dependency_resolution",
    ecosystem: "kubernetes",
    advice: /imagePullSecret/,
  },
  {
    name: "an image that nobody pushed, as events tell it",
    run: "helm upgrade till ./chart --wait",
    log: '4s  Warning  Failed  pod/till-0  Failed to pull image "acme.test/till:1.9": Error response from daemon: manifest for acme.test/till:1.9 not found: manifest unknown\nError: UPGRADE FAILED: context deadline exceeded\n',
    cause: "acme.test/till:1.9",
    category: "dependency_resolution",
    ecosystem: "kubernetes",
    advice: /Correct acme\.test\/till:1\.9/,
  },
  {
    name: "a rollout whose pods crash",
    run: "kubectl rollout status deployment/till",
    log: 'till-7d9c5-x2x4q   0/1   CrashLoopBackOff   6   9m\nerror: deployment "till" exceeded its progress deadline\n',
    cause: "CrashLoopBackOff",
    category: "infrastructure",
    ecosystem: "kubernetes",
    advice: /kubectl describe pods/,
  },
  {
    name: "NuGet, a downgrade under central versions",
    run: "dotnet restore",
    log: "/src/Till/Till.csproj : error NU1605: Warning As Error: Detected package downgrade: System.Text.Json from 9.0.0 to centrally defined 8.0.4. Reference the package directly from the project to select a different version.\n",
    cause: "NU1605",
    category: "dependency_resolution",
    ecosystem: "dotnet",
    place: "/src/Till/Till.csproj",
    advice: /add package System\.Text\.Json --version 9\.0\.0/,
  },
  {
    name: "Terraform, what exists at Google",
    run: "terraform apply",
    log: '│ Error: Error creating Topic: googleapi: Error 409: Resource already exists in the project (resource=till-events)., alreadyExists\n│ \n│   with google_pubsub_topic.events,\n│   on topics.tf line 3, in resource "google_pubsub_topic" "events":\n',
    cause: "Error 409",
    category: "configuration",
    ecosystem: "terraform",
    place: "topics.tf:3",
    advice: /Import what exists/,
    never: /terraform validate/,
  },
  {
    name: "Android, a library that wants a newer plugin",
    run: "./gradlew assembleDebug",
    log: `* What went wrong:
Execution failed for task ':app:checkReleaseAarMetadata'.
> A failure occurred while executing com.android.build.gradle.internal.tasks.CheckAarMetadataWorkAction
   > An issue was found when checking AAR metadata:

       1.  Dependency 'androidx.activity:activity:1.11.0' requires Android Gradle plugin 8.9.1 or higher.

           This build currently uses Android Gradle plugin 8.6.0.

BUILD FAILED in 9s
`,
    cause: "androidx.activity",
    category: "version_mismatch",
    ecosystem: "gradle",
    advice: /Raise .* 8\.9\.1/,
  },
  {
    name: "PostgreSQL, rows that are not unique",
    run: "bin/rails db:migrate",
    log: 'PG::UniqueViolation: ERROR:  could not create unique index "index_carts_on_token"\nDETAIL:  Key (token)=(a1) is duplicated.\n',
    cause: "could not create unique index",
    category: "configuration",
    ecosystem: "ruby",
    advice: /rows that exist/,
  },
  {
    name: "pip, PostgreSQL's headers in a Docker build",
    run: "docker build .",
    log: `#9 [3/4] RUN uv pip install psycopg2
#9 2.01   × Failed to build psycopg2==2.9.10
#9 2.01       Error: pg_config executable not found.
#9 2.01       pg_config is required to build psycopg2 from source.  Please add the directory
#9 2.01       containing pg_config to the $PATH or specify the full executable path with the
#9 ERROR: process "/bin/sh -c uv pip install psycopg2" did not complete successfully: exit code: 1
Dockerfile:5
`,
    cause: "pg_config",
    category: "dependency_resolution",
    advice: /libpq-dev[\s\S]*psycopg2-binary/,
    never: /Please add the directory|pyproject/,
    place: "Dockerfile:5",
  },
  {
    name: "pip, MySQL's configuration",
    run: "pip install mysqlclient",
    log: "      /bin/sh: 1: mysql_config: not found\n      Exception: Can not find valid pkg-config name.\n      [end of output]\nerror: metadata-generation-failed\n",
    cause: "pkg-config name",
    category: "dependency_resolution",
    ecosystem: "python",
    advice: /libmysqlclient-dev/,
  },
  {
    name: "pip, the headers of libffi",
    run: "pip install cffi",
    log: "      src/call.c:4:10: fatal error: ffi.h: No such file or directory\n      compilation terminated.\n      error: command '/usr/bin/gcc' failed with exit code 1\n  ERROR: Failed building wheel for cffi\n",
    cause: "ffi.h",
    category: "dependency_resolution",
    place: "src/call.c:4",
    advice: /libffi-dev/,
  },
  {
    name: "cargo, a library that pkg-config does not find",
    run: "cargo build",
    log: `error: failed to run custom build command for \`libdbus-sys v0.2.5\`

Caused by:
  process didn't exit successfully: \`/app/target/debug/build/libdbus-sys-1a/build-script-build\` (exit status: 101)
  --- stderr
  thread 'main' panicked at /usr/local/cargo/registry/src/index/libdbus-sys-0.2.5/build.rs:25:9:
  explicit panic
  pkg-config exited with status code 1
  > pkg-config --libs --cflags dbus-1 'dbus-1 >= 1.6'

  Package dbus-1 was not found in the pkg-config search path.
  Perhaps you should add the directory containing \`dbus-1.pc\`
  to the PKG_CONFIG_PATH environment variable
  Package 'dbus-1', required by 'virtual:world', not found
`,
    cause: "dbus-1",
    category: "dependency_resolution",
    ecosystem: "rust",
    advice: /package that has dbus-1\.pc/,
  },
  {
    name: "cargo, OpenSSL",
    run: "cargo install cargo-till",
    log: "error: failed to run custom build command for `openssl-sys v0.9.110`\n\nCaused by:\n  --- stderr\n\n\n  Could not find directory of OpenSSL installation, and this `-sys` crate cannot\n  proceed without this knowledge.\n",
    cause: "OpenSSL",
    category: "dependency_resolution",
    ecosystem: "rust",
    advice: /libssl-dev and pkg-config/,
  },
];
