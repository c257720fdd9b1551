import type { Context } from "./context.ts";

/** Notes a use in the telemetry queue; that nothing could be written is no failure of what was done. */
export function recordUse({ queue, sendInBackground, progress, options }: Context, event: string): void {
  try {
    if (queue.record({ event }).recorded) sendInBackground();
  } catch (error) {
    if (options.verbose) progress.note(`The use was not recorded: ${(error as Error).message}`);
  }
}
