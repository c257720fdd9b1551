/** Thrown at Ctrl-C or another signal that ends the process; `Io.interrupted` has its name. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Resolves when the process is asked to end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
