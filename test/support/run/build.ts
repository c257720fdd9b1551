import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const SOURCES = ["src", "scripts", "package.json"];

/** Global setup: builds the program if sources have changed, for tests that start it. */
export function setup(): void {
  const built = join(ROOT, "dist/cli.cjs");
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  if (newest() < builtAt) return;
  try {
    execFileSync(process.execPath, [join(ROOT, "scripts/build.js"), "--without-types"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch {
    // The other tests can still run. Those of the program must fail rather than test an old build.
    rmSync(built, { force: true });
  }
}

function newest(): number {
  const files = SOURCES.flatMap((source) => {
    const path = join(ROOT, source);
    if (statSync(path).isFile()) return [path];
    return readdirSync(path, { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
  });
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}
