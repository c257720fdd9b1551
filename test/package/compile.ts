import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRoot } from "../../src/system/package.ts";

const run = promisify(execFile);

/** Compiles files in a consumer's folder, and returns the compiler's output. */
export async function compile(
  folder: string,
  files: readonly string[],
  resolution = "nodenext",
): Promise<string> {
  const tsc = join(packageRoot, "node_modules/@typescript/native/bin/tsc");
  const options = [
    "--strict",
    // `tsc --init` sets these, too.
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--skipLibCheck",
    "false",
    "--module",
    resolution === "nodenext" ? "nodenext" : "esnext",
    "--moduleResolution",
    resolution,
    "--target",
    "es2023",
  ];
  return run(process.execPath, [tsc, ...options, "--types", "node", ...files], { cwd: folder }).then(
    () => "",
    ({ stdout }) => String(stdout),
  );
}
