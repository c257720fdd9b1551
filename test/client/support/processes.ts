import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";

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
