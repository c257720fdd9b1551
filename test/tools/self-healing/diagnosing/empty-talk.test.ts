import { expect, it } from "vitest";
import { diagnose } from "../../../../src/tools/self-healing/diagnosing/diagnose.ts";

it("Gradle's advice after every failure is never taken for its reason", () => {
  const log = `FAILURE: Build failed with an exception.

* What went wrong:
Could not determine the dependencies of task ':app:compileDebugJavaWithJavac'.
> SDK location not found. Define a valid SDK location with an ANDROID_HOME environment variable or by setting the sdk.dir path in your project's local properties file at '/home/dev/app/local.properties'.

* Try:
> Run with --stacktrace option to get the stack trace.
> Run with --scan to get full insights.
> Get more help at https://help.gradle.example.

BUILD FAILED in 3s`;
  const { cause, category, suggestions } = diagnose({ log, command: "./gradlew assembleDebug", exitCode: 1 });
  expect(cause).toMatchObject({ logLine: 5 });
  expect(category).toBe("configuration");
  expect(suggestions[0]).toMatchObject({ id: "android-sdk" });
});

it("the first statement that PostgreSQL refuses is the reason, not those ignored behind it", () => {
  const log = `BEGIN
psql:migrations/7.sql:3: ERROR:  column "email" of relation "users" already exists
psql:migrations/7.sql:4: ERROR:  current transaction is aborted, commands ignored until end of transaction block
psql:migrations/7.sql:5: ERROR:  current transaction is aborted, commands ignored until end of transaction block
ROLLBACK`;
  const { cause, suggestions } = diagnose({ log, command: "psql -f migrations/7.sql", exitCode: 3 });
  expect(cause).toMatchObject({ file: "migrations/7.sql", line: 3 });
  expect(suggestions[0]?.title).toContain("already exists");
});

it("what Helm tells with --debug is no finding in a source of Helm", () => {
  const log = `history.go:56: [debug] getting history for release shop
upgrade.go:164: [debug] preparing upgrade for shop
Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress
helm.go:84: [debug] another operation (install/upgrade/rollback) is in progress`;
  const { cause, category } = diagnose({ log, command: "helm upgrade shop ./chart --debug", exitCode: 1 });
  expect(cause).toMatchObject({ logLine: 3 });
  expect(category).toBe("infrastructure");
});

it("rustc without a linker asks for one, and for no file that is named like the note below", () => {
  const log = `   Compiling libc v0.2.153
error: linker \`cc\` not found
  |
  = note: No such file or directory (os error 2)

error: could not compile \`libc\` (build script) due to 1 previous error`;
  const { cause, suggestions } = diagnose({ log, command: "cargo build", exitCode: 101 });
  expect(cause).toMatchObject({ logLine: 2 });
  expect(cause?.file).toBeUndefined();
  expect(suggestions.map(({ title }) => title).join()).not.toMatch(/\bMake note\b/);
});

it("the call of Playwright that waited in vain is the reason, at the test's own line", () => {
  const log = `Running 1 test using 1 worker
  1) [chromium] › tests/login.spec.ts:5:5 › logs in ────────────────────────────

    TimeoutError: locator.click: Timeout 30000ms exceeded.
    Call log:
      - waiting for getByRole('button', { name: 'Sign in' })

       7 |   await page.goto('/');
    >  9 |   await page.getByRole('button', { name: 'Sign in' }).click();
         |                                                       ^
        at /home/dev/app/tests/login.spec.ts:9:55

  1 failed
    [chromium] › tests/login.spec.ts:5:5 › logs in ─────────────────────────────`;
  const { cause, category } = diagnose({ log, command: "npx playwright test", exitCode: 1 });
  expect(cause).toMatchObject({ logLine: 4, file: "/home/dev/app/tests/login.spec.ts", line: 9 });
  expect(category).toBe("timeout");
});
