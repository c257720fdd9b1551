import type { Context } from "./context.ts";

/**
 * Notes a use in the telemetry queue, in no project where the one that was named is not there: the note would make it.
 * That nothing could be written is no failure of what was done.
 */
export async function recordUse(context: Context, event: string): Promise<void> {
  const { queue, sendInBackground, progress, options, projectGuard } = context;
  try {
    const isThere = queue.off() !== undefined || (await projectGuard.isThere());
    if (queue.record({ event, ...(!isThere && { projectId: null }) }).recorded) sendInBackground();
  } catch (error) {
    if (options.verbose) progress.note(`The use was not recorded: ${(error as Error).message}`);
  }
}
