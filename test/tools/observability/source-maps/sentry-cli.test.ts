import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { packageRoot } from "../../../../src/system/package.ts";
import { OWNER_KEY } from "../../../support/app.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { type Reporting, startReporting } from "../reporting.ts";

const run = promisify(execFile);
const cli = sentryCli();
const missing = cli === undefined ? "npm has no @sentry/cli for this platform" : undefined;
if (missing) process.stderr.write(`Source maps are not uploaded by sentry-cli itself: ${missing}.\n`);

/** Returns the path of sentry-cli, which has an npm package for each platform. */
function sentryCli(): string | undefined {
  const require = createRequire(import.meta.url);
  const names =
    { darwin: "darwin", win32: `win32-${process.arch}` }[process.platform as string] ??
    `linux-${process.arch}`;
  try {
    const file = join(require.resolve(`@sentry/cli-${names}/package.json`), "../bin/sentry-cli");
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Bundles a program that fails in a nested call. Each version gives its functions other minified names. */
async function buildShop(directory: string, version: number): Promise<string> {
  const sources = join(directory, "src");
  const outfile = join(directory, `dist/v${version}/shop.cjs`);
  mkdirSync(sources, { recursive: true });
  writeFileSync(
    join(sources, "shop.ts"),
    `import * as Sentry from "@sentry/node";
Sentry.init();
${version === 1 ? "" : "export const more = (given: string) => given.length;\n"}
function priceOf(basket: { items: { price: number }[] }): number {
  const [first] = basket.items;
  // The basket is empty.
  return first!.price;
}
function checkout(name: string): number {
  ${version === 1 ? "" : "more(name);"}
  return priceOf({ items: [] }) + name.length;
}
try {
  checkout("ann");
} catch (error) {
  Sentry.captureException(error);
}
void Sentry.flush(5000);
`,
  );
  await build({
    entryPoints: [join(sources, "shop.ts")],
    bundle: true,
    minify: true,
    sourcemap: true,
    platform: "node",
    external: ["@sentry/node"],
    outfile,
    logLevel: "error",
  });
  return outfile;
}

async function sentry(app: Reporting, directory: string, ...words: string[]): Promise<string> {
  const { body } = await app.request("GET", "/api/v1/account");
  const { stdout, stderr } = await run(cli as string, words, {
    cwd: directory,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: directory,
      SENTRY_URL: app.url,
      SENTRY_ORG: body.account.id,
      SENTRY_PROJECT: "default",
      SENTRY_AUTH_TOKEN: OWNER_KEY,
      SENTRY_NO_PROGRESS_BAR: "1",
      SENTRY_DISABLE_UPDATE_CHECK: "1",
    },
  });
  return stdout + stderr;
}

it.skipIf(missing)(
  "stock sentry-cli uploads maps of two builds, whose errors are then grouped and restored",
  async () => {
    const app = await startReporting();
    const { dsn } = await app.placeOf();
    const directory = temporaryDirectory();
    for (const version of [1, 2]) {
      const file = await buildShop(directory, version);
      const folder = `dist/v${version}`;
      expect(await sentry(app, directory, "sourcemaps", "inject", folder)).toContain("debug ids");
      const release = `shop@${version}.0`;
      await sentry(app, directory, "releases", "new", release);
      const said = await sentry(
        app,
        directory,
        "sourcemaps",
        "upload",
        "--release",
        release,
        "--wait",
        folder,
      );
      expect(said).toContain("File processing complete");
      expect(await sentry(app, directory, "sourcemaps", "upload", "--release", release, folder)).toContain(
        "Nothing to upload",
      );
      await sentry(app, directory, "releases", "finalize", release);
      await run(process.execPath, [file], {
        env: { NODE_PATH: join(packageRoot, "node_modules"), SENTRY_DSN: dsn, SENTRY_RELEASE: release },
      });
    }
    const errors = await app.errors();
    expect(errors).toMatchObject([{ type: "TypeError", count: 2 }]);
    expect(errors[0].releases.map(({ name }: { name: string }) => name)).toEqual(["shop@1.0", "shop@2.0"]);
    const path = `/api/v1/tools/observability/errors/${errors[0].fingerprint}`;
    const { error } = (await app.request("GET", path)).body;
    expect(error.stack).not.toContain("shop.ts");
    expect(error.restored.stack).toMatch(
      /\n {4}at priceOf \(\S*src\/shop\.ts:8:\d+\)\n {4}at checkout \(\S*src\/shop\.ts:12:\d+\)/,
    );
    const { source, line } = error.restored.frames[0];
    expect(source.lines[line - source.from]).toBe("  return first!.price;");
  },
  60_000,
);
