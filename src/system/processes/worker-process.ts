import { type ChildProcess, spawn } from "node:child_process";
import { defined } from "../defined.ts";
import { withPipes } from "./with-pipes.ts";
import { workerFile } from "./worker.ts";

/** The file descriptor of the pipe between a worker process and the one that started it. */
export const CHANNEL = 3;

/**
 * Runs a worker as a process of its own, with a bidirectional pipe. `path` is as in `workerFile`. The process
 * inherits only the environment variables that Node needs, and so no secret of the operator. Throws if this process may
 * open no more files.
 *
 * @param flags of Node
 */
export function startProcess(path: string, flags: readonly string[]): ChildProcess {
  const { file, isSource } = workerFile(path);
  const loader = isSource ? ["--import", import.meta.resolve("tsx")] : [];
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env;
  const worker = spawn(process.execPath, [...flags, ...loader, file], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    env: defined({ PATH, SystemRoot, TMPDIR, TEMP }),
    windowsHide: true,
  });
  return withPipes(worker);
}
