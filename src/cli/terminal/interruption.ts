import { untilAborted } from "../../system/abort.ts";

/** Thrown at Ctrl-C or another signal that ends the process; `Io.interrupted` has its name. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Settles like `work`, or rejects with `Interrupted` as soon as the process is asked to end. The work itself goes on. */
export function unlessInterrupted<T>(
  { interrupted }: { interrupted: AbortSignal },
  work: Promise<T>,
): Promise<T> {
  const interruption = untilAborted(interrupted).then(() => {
    throw new Interrupted();
  });
  return Promise.race([work, interruption]);
}

const SIGNAL_EXITS: Record<string, number> = { SIGHUP: 129, SIGTERM: 143 };

/** Returns the exit code of a process that a signal interrupted; `signal` is the reason of `Io.interrupted`. */
export function interruptedExit(signal: unknown): number {
  return SIGNAL_EXITS[String(signal)] ?? 130;
}
