import type { Refusal } from "../contract/refusal.ts";
import { onAbort } from "../system/abort.ts";
import { collectSooner } from "../system/processes/small-heap.ts";
import { startWorker } from "../system/processes/worker.ts";
import type { LocalRequest } from "./answer-locally.ts";

/**
 * Size of the young generation. Node's default of 48 costs a repository of 5,000 files a fifth more memory and saves
 * no time.
 */
const YOUNG_MB = 6;

/** The message that the thread sends. */
export type LocalAnswer = { text: string } | { refusal: Refusal };

/**
 * Runs a tool's engine in this process, on a thread of its own, so that the caller can show progress and cancel.
 * Rejects with the signal's reason. Resolves with a refusal unconverted: an error created here would be of a class
 * that the command line's own bundle does not know (docs/decisions/0006-one-file-for-the-light-commands.md).
 */
export function askLocally(request: LocalRequest, signal: AbortSignal): Promise<LocalAnswer> {
  if (request.repository) collectSooner();
  return new Promise((resolve, reject) => {
    const worker = startWorker("local/local-worker.ts", {
      workerData: request,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const settle = (done: () => void) => {
      signal.removeEventListener("abort", stop);
      void worker.terminate();
      done();
    };
    const stop = () => settle(() => reject(signal.reason));
    onAbort(signal, stop);
    worker.once("message", (answer: LocalAnswer) => settle(() => resolve(answer)));
    worker.once("error", (error) => settle(() => reject(error)));
  });
}
