import { basename, isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { packageRoot } from "../package.ts";
import { runsBuilt } from "./built-module.ts";

/**
 * Returns the file of a worker, in the bundle or in the sources. `path` is relative to `src/` and ends in
 * `-worker.ts`; each such file is an entry of the bundle with its own name. An absolute path is used as it is.
 */
export function workerFile(path: string): { file: string; isSource: boolean } {
  if (isAbsolute(path)) return { file: path, isSource: false };
  if (!runsBuilt) return { file: join(packageRoot, "src", path), isSource: true };
  return { file: join(packageRoot, "dist", `${basename(path, ".ts")}.js`), isSource: false };
}

/** Runs a worker on a thread of its own. `path` is as in `workerFile`. */
export function startWorker(path: string, options: WorkerOptions = {}): Worker {
  const { file, isSource } = workerFile(path);
  return isSource ? startFromSource(file, options) : new Worker(file, options);
}

/** `--import tsx` does nothing on a thread, so the thread registers tsx itself. */
function startFromSource(file: string, options: WorkerOptions): Worker {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const entry = JSON.stringify(pathToFileURL(file).href);
  return new Worker(`import(${tsx}).then(({ register }) => { register(); return import(${entry}); });`, {
    ...options,
    eval: true,
  });
}
