import type { Context } from "./context.ts";

/**
 * Records a use in the telemetry queue, without a project if the named one does not exist: the event would create it.
 * An error while writing does not fail the command.
 *
 * @param tool what it is counted as: the words of a command, or the name of an endpoint
 */
export async function recordUse(context: Context, event: string, tool: string): Promise<void> {
  const { queue, sendInBackground, progress, options, projectGuard } = context;
  try {
    const isThere = queue.off() !== undefined || (await projectGuard.isThere());
    const recorded = queue.record({ event, payload: { tool }, ...(!isThere && { projectId: null }) });
    if (recorded.recorded) sendInBackground();
  } catch (error) {
    if (options.verbose) progress.note(`The use was not recorded: ${(error as Error).message}`);
  }
}
