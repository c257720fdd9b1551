import type { Log } from "../../system/log.ts";

/**
 * Signals by which other servers open their logs anew. Left to Node, the first opens a debugger to every user of the
 * machine, and the second ends the process.
 */
const SIGNALS = ["SIGUSR1", "SIGUSR2"] as const;

/** Goes on at signals that mean nothing here, and says so. Returns a function that leaves them to Node again. */
export function outliveSignals(log: Pick<Log, "warn">): () => void {
  const tell = (signal: NodeJS.Signals) =>
    log.warn({ signal }, "this signal changes nothing: a log in a file is rotated with copytruncate");
  for (const signal of SIGNALS) process.on(signal, tell);
  return () => {
    for (const signal of SIGNALS) process.off(signal, tell);
  };
}
