/**
 * Resolves in the next turn of the event loop. A loop over much awaits it between its pieces, so that other requests,
 * answers and timers are served in between.
 */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
