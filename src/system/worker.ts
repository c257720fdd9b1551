import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { packageRoot } from "./package.ts";

/**
 * Runs a source file on a thread of its own, from the bundle as from the sources. `path` is relative
 * to `src/` and ends in `-worker.ts`: each such file is an entry of the bundle under its own name.
 */
export function startWorker(path: string, options: WorkerOptions = {}): Worker {
  if (import.meta.url.endsWith(".ts")) return startFromSource(join(packageRoot, "src", path), options);
  return new Worker(join(packageRoot, "dist", `${basename(path, ".ts")}.js`), options);
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
