import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
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
  endFirst(worker);
  return withPipes(worker);
}

/**
 * Lets Linux end the worker before any other process when memory runs out, such as that of a container: it would choose
 * the largest one, which may be the server. A worker's job is answered 503, and the next one gets another worker.
 */
function endFirst({ pid }: ChildProcess): void {
  if (process.platform !== "linux" || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // It has ended, or /proc is not to be written to: the kernel chooses by size.
  }
}
