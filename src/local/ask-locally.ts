import type { Refusal } from "../contract/refusal.ts";
import { startWorker } from "../system/processes/worker.ts";
import type { LocalRequest } from "./answer-locally.ts";

/** Of what is thrown away soon: with Node's own 48 a repository of 5,000 files takes a fifth more memory, and no less time. */
const YOUNG_MB = 6;

/** What the thread says. */
export type LocalAnswer = { text: string } | { refusal: Refusal };

/**
 * Asks the engine of a tool in this very program, on a thread of its own, so that whoever waits sees that
 * and may end it. Rejects with the signal's reason. A refusal is given as it is: an error made here would be of a
 * class that the command line's own bundle does not know (docs/decisions/0006-one-file-for-the-light-commands.md).
 */
export function askLocally(request: LocalRequest, signal: AbortSignal): Promise<LocalAnswer> {
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
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    worker.once("message", (answer: LocalAnswer) => settle(() => resolve(answer)));
    worker.once("error", (error) => settle(() => reject(error)));
  });
}
