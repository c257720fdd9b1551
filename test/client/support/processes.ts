import { type ChildProcess, spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/** Bundles one of the programs beside this file, so that it starts fast. */
export async function bundled(name: string, directory: string): Promise<string> {
  const program = join(directory, `${name}.mjs`);
  await build({
    entryPoints: [resolve(import.meta.dirname, `${name}.ts`)],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    // As scripts/build.js does: CommonJS packages call require() for Node's own modules.
    banner: {
      js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);',
    },
  });
  return program;
}

/** Starts a process with a readable stdout, and kills it after the test. */
export function startProcess(program: string, ...words: string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Kills a process. Resolves once it has exited and all of its output was read. */
export async function kill(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await closed;
}
