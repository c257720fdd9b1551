/** Ctrl-C, or a signal that ends the process; `Io.interrupted` says which. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** Resolves once the process is to end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
