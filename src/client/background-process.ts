import { parse } from "node:path";

/** Starts a process that goes on when this one ends; nobody hears of it, nor whether it came to be. */
export function startInBackground(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const [program = process.execPath, ...words] = command;
  // Loaded here, since only one command in many starts one.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(program, words, {
    // Not the user's directory, which would stay in use.
    cwd: parse(process.execPath).root,
    detached: true,
    env: environment,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", () => {});
  child.unref();
}
