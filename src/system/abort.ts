import { setMaxListeners } from "node:events";

/** Calls `act` once a signal aborts, at once if it has aborted already, until the returned function is called. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}

/**
 * Aborts a controller with a signal, until the returned function is called. Of `AbortSignal.any` something stays with a
 * signal for as long as that lives: with one of the whole process, for every request that there was.
 */
export function abortWith(signal: AbortSignal, controller: AbortController): () => void {
  // However many do so at once: each leaves.
  setMaxListeners(0, signal);
  return onAbort(signal, () => controller.abort(signal.reason));
}

/** Resolves once a signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, resolve));
}
