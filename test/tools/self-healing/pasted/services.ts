import type { ToolFailure } from "../logs/tool-failures.ts";

/** What people paste of databases, deployments, submodules and builds of apps. */
export const PASTED_SERVICES: readonly ToolFailure[] = [
  {
    name: "Android, a library that needs a newer system",
    run: "gradle assembleDebug",
    log: `Execution failed for task ':app:processDebugManifest'.
> Manifest merger failed : uses-sdk:minSdkVersion 15 cannot be smaller than version 16 declared in library [com.acme:tax:0.5] /srv/.gradle/caches/tax/AndroidManifest.xml as the library might be using APIs not available in 15
`,
    cause: "minSdkVersion 15 cannot be smaller than version 16",
    category: "version_mismatch",
    ecosystem: "gradle",
    advice: /Raise minSdk to 16/,
  },
  {
    name: "Git, a submodule whose commit was never pushed",
    run: "git submodule update",
    log: `fatal: remote error: upload-pack: not our ref 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567
fatal: the remote end hung up unexpectedly
Fetched in submodule path 'vendor/tax', but it did not contain 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567. Direct fetching of that commit failed.
`,
    cause: "Fetched in submodule path 'vendor/tax'",
    category: "configuration",
    ecosystem: "git",
    advice: /vendor\/tax/,
    never: /postBuffer/,
  },
  {
    name: "InnoDB, files that another server holds",
    run: "mysqld",
    log: `2026-01-13 02:29:28 2951 [Note] InnoDB: Check that you do not already have another mysqld process using the same InnoDB data or log files.
2026-01-13 02:29:29 2951 [ERROR] InnoDB: Unable to lock ./ibdata1, error: 11
`,
    cause: "Unable to lock ./ibdata1",
    category: "infrastructure",
    advice: /other server/,
  },
  {
    name: "InnoDB, a disk that is full, by its number",
    run: "mysqld",
    log: `2026-01-14 21:51:15 0 [Warning] InnoDB: Failed to set O_DIRECT on file./ibdata1;CREATE: Invalid argument
2026-01-14 21:51:15 0 [ERROR] InnoDB: preallocating 50331648 bytes for file ./ib_logfile1 failed with error 28
2026-01-14 21:51:15 0 [ERROR] InnoDB: Database creation was aborted with error Generic error. You may need to delete the ibdata1 file before trying to start up again.
`,
    cause: "failed with error 28",
    category: "disk_full",
    place: "./ib_logfile1",
    advice: /df -h/,
    never: /delete the ibdata1/,
  },
  {
    name: "Helm, pods that did not become ready in time",
    run: "helm upgrade --install shop ./chart --wait",
    log: "Error: UPGRADE FAILED: timed out waiting for the condition\n",
    cause: "timed out waiting for the condition",
    category: "timeout",
    ecosystem: "kubernetes",
    advice: /kubectl describe pods/,
  },
  {
    name: "MongoDB, files that its storage cannot read",
    run: "mongod --dbpath /srv/data",
    log: `2026-01-12T16:50:16.385+0000 W STORAGE  [initandlisten] Failed to start up WiredTiger under any compatibility version.
2026-01-12T16:50:16.386+0000 F -        [initandlisten] Fatal Assertion 50944 at src/mongo/db/storage/wiredtiger/wiredtiger_kv_engine.cpp 700
`,
    cause: "Failed to start up WiredTiger",
    category: "infrastructure",
    advice: /--repair/,
    never: /wiredtiger_kv_engine/,
  },
  {
    name: "CMake, a command that it does not know, below a module of the project's",
    run: "cmake ..",
    log: `CMake Error at cmake/FindTax.cmake:54 (find_acme_args):
  Unknown CMake command "find_acme_args".
Call Stack (most recent call first):
  examples/CMakeLists.txt:18 (find_package)


-- Configuring incomplete, errors occurred!
`,
    cause: "CMake Error at cmake/FindTax.cmake:54",
    category: "configuration",
    place: "cmake/FindTax.cmake:54",
    advice: /FindTax\.cmake:54/,
  },
  {
    name: "Flutter, what Xcode finds in a plugin",
    run: "flutter build ios",
    log: `[  +17 ms] Uncategorized (Xcode): Command CompileSwiftSources failed with a nonzero exit code

[        ] ARC Semantic Issue (Xcode): No known class method for selector 'startTax:'

/srv/shop/plugins/tax/ios/Classes/TaxPlugin.m:61:14

[   +1 ms] Error launching application on iPhone.
`,
    cause: "No known class method for selector 'startTax:'",
    category: "compile_error",
    place: "/srv/shop/plugins/tax/ios/Classes/TaxPlugin.m:61",
    advice: /TaxPlugin\.m:61/,
  },
  {
    name: "Cypress, which does not start in time",
    run: "npx cypress run",
    log: `Cypress verification timed out.

This command failed with the following output:

/srv/.cache/Cypress/13.3.1/Cypress/Cypress --smoke-test --ping=813
`,
    cause: "Cypress verification timed out",
    category: "timeout",
    ecosystem: "node",
    advice: /CYPRESS_VERIFY_TIMEOUT/,
  },
];
