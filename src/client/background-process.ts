import { parse } from "node:path";

/** Starts a detached process that outlives this one. Errors, including a failed start, are ignored. */
export function startInBackground(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const [program = process.execPath, ...words] = command;
  // Loaded lazily, because few commands start a process.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(program, words, {
    // Not the current directory, which would stay in use.
    cwd: parse(process.execPath).root,
    detached: true,
    env: environment,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => {});
  child.unref();
}
