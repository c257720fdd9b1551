import { type ChildProcess, spawn } from "node:child_process";
import { defined } from "../defined.ts";
import { workerFile } from "./worker.ts";

/** The file descriptor of the pipe between a worker process and the one that started it. */
export const CHANNEL = 3;

/**
 * Runs a worker as a process of its own, with a pipe that both can write to. `path` is as `workerFile` has it.
 * The process has none of this one's environment but what Node itself needs: no secret of an operator's.
 *
 * @param flags of Node.
 */
export function startProcess(path: string, flags: readonly string[]): ChildProcess {
  const { file, isSource } = workerFile(path);
  const loader = isSource ? ["--import", import.meta.resolve("tsx")] : [];
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env;
  return spawn(process.execPath, [...flags, ...loader, file], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: defined({ PATH, SystemRoot, TMPDIR, TEMP }),
    windowsHide: true,
  });
}
