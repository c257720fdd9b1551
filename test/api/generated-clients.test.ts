import { execFile } from "node:child_process";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { startApp } from "../support/app.ts";
import { temporaryDirectory } from "../support/store.ts";

/** The strictest compiler settings that users of a generated client may have. */
const STRICT = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ["*.ts", "hey"],
};

type SignInAndTrack = (baseUrl: string, approve: (userCode: string) => Promise<void>) => Promise<unknown>;

describe("clients generated from /openapi.json", () => {
  it("compile under strict settings, sign in, track usage and resolve entitlements", async () => {
    const app = await startApp({ plan: "team" });
    const { body: document } = await app.request("GET", "/openapi.json", { key: null });
    const directory = temporaryDirectory();
    symlinkSync(join(packageRoot, "node_modules"), join(directory, "node_modules"));
    writeFileSync(join(directory, "package.json"), '{"type":"module"}');
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(STRICT));
    const programs = ["openapi-fetch", "hey-api"];
    for (const name of programs) {
      copyFileSync(join(import.meta.dirname, `clients/${name}.ts.txt`), join(directory, `${name}.ts`));
    }
    writeFileSync(join(directory, "schema.d.ts"), astToString(await openapiTS(JSON.stringify(document))));
    await createClient({
      input: document,
      output: { path: join(directory, "hey"), tsConfigPath: join(directory, "tsconfig.json") },
      logs: { level: "silent", file: false },
    });

    const compiler = join(packageRoot, "node_modules/@typescript/native/bin/tsc");
    const compiled = await promisify(execFile)(process.execPath, [compiler, "-p", directory]).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe("");

    await build({
      absWorkingDir: directory,
      entryPoints: programs.map((name) => `${name}.ts`),
      outdir: directory,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      platform: "node",
    });
    for (const [index, name] of programs.entries()) {
      const { signInAndTrack } = (await import(join(directory, `${name}.mjs`))) as {
        signInAndTrack: SignInAndTrack;
      };
      const approve = async (userCode: string) => {
        const body = { decision: "approve" };
        const { status } = await app.request("POST", `/api/v1/device-authorizations/${userCode}`, { body });
        expect(status).toBe(200);
      };
      expect([name, await signInAndTrack(app.url, approve)]).toEqual([
        name,
        {
          interval: 5,
          waits: true,
          tracked: ["api_calls", 1, "generated", index + 1],
          plan: "team",
          perMinute: 120,
          unchanged: 304,
          missing: "b",
        },
      ]);
    }
  });
});
