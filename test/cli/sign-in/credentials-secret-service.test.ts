import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/store.ts";

const NEEDED = ["dbus-run-session", "gnome-keyring-daemon"];
const missing = NEEDED.filter((program) => spawnSync(program, ["--version"]).error);
if (missing.length > 0) {
  process.stderr.write(
    `Skipped: the Secret Service needs ${missing.join(" and ")}, which are not installed.\n`,
  );
}

/** Folder of the installed packages. Programs are built inside it, so that they find native modules. */
const MODULES = resolve(import.meta.dirname, "../../../node_modules");

async function programIn(name: string): Promise<string> {
  const outfile = join(MODULES, ".cache", "toolplane-test", `${name}.mjs`);
  await build({
    entryPoints: [resolve(import.meta.dirname, "../support", `${name}.ts`)],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    logLevel: "silent",
  });
  return outfile;
}

describe("the secret store of the system", () => {
  it.skipIf(missing.length > 0)("keeps, returns and forgets a credential", async () => {
    const program = await programIn("secret-service");
    const home = temporaryDirectory();
    const runtime = join(home, "runtime");
    mkdirSync(runtime, { mode: 0o700 });
    const data = join(home, "data");
    const script = `printf 'password\\n' | gnome-keyring-daemon --unlock --components=secrets >&2
      exec "${process.execPath}" "${program}" client "${data}"`;
    const run = spawnSync("dbus-run-session", ["--", "sh", "-c", script], {
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime },
      encoding: "utf8",
      timeout: 300_000,
    });
    const outcome = JSON.parse(run.stdout.trim().split("\n").at(-1) ?? "");
    expect(outcome, run.stderr).toEqual({
      written: {
        kind: "secret-store",
        module: expect.stringMatching(/^(keytar|@napi-rs\/keyring)$/),
        description: "the Secret Service",
      },
      read: { accessToken: "tat_☃", refreshToken: "trt_1" },
      probed: { available: true, module: outcome.written.module },
    });
    const kept = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of kept) {
      expect(readFileSync(join(parentPath, name)).includes("trt_1"), name).toBe(false);
    }
  });

  it("is replaced by a file, with the reason, on a machine without a session bus", async () => {
    const program = await programIn("secret-service");
    const home = temporaryDirectory();
    const run = spawnSync(process.execPath, [program, "client", join(home, "data")], {
      env: { PATH: process.env.PATH, HOME: home },
      encoding: "utf8",
      timeout: 300_000,
    });
    expect(JSON.parse(run.stdout), run.stderr).toMatchObject(
      process.platform === "linux"
        ? {
            written: { kind: "file", reason: expect.stringContaining("@napi-rs/keyring") },
            probed: { available: false },
          }
        : { read: { refreshToken: "trt_1" } },
    );
  });
});
