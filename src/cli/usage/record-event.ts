import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { type OptionSpec, pairs, wholeNumber } from "../options.ts";

export const RECORD_OPTIONS: readonly OptionSpec[] = [
  ["--count <n>", "How often, 1 to 100", wholeNumber(1, 100)],
  ["--payload <name=value>", "More about it; repeatable", pairs],
];

/** The reasons why nothing is recorded. */
export const OFF = {
  DO_NOT_TRACK: "DO_NOT_TRACK is set",
  settings: "the settings say telemetry off",
  policy: "the account's policy turns it off",
};

/** The server's bound. Checked here, since a refusal in the background would go unnoticed. */
const MAX_CHARACTERS = 256;

/** Records an event in the queue (`tool events record`). */
export async function recordEvent(
  context: Context,
  event: string,
  options: { count?: number; payload?: Record<string, string> },
): Promise<Outcome> {
  if (event.length < 1 || event.length > MAX_CHARACTERS) {
    throw new UsageError(`The name of an event has 1 to ${MAX_CHARACTERS} characters.`);
  }
  const { queue, io, projectGuard } = context;
  const { marks } = io.out;
  await projectGuard.askIfInDoubt();
  const recorded = queue.record({ event, ...options });
  if (!recorded.recorded) {
    return {
      document: { recorded: false, event, off: recorded.off },
      lines: [`${marks.attention} Not recorded: ${OFF[recorded.off]}.`],
    };
  }
  context.sendInBackground();
  return {
    document: { recorded: true, event, id: recorded.id },
    lines: [`${marks.done} ${event} recorded; ${await whenSent(context)}.`],
  };
}

async function whenSent({ trust, credentials }: Context): Promise<string> {
  const refused = trust.refusal();
  if (refused)
    return `it waits until you trust the server: tool config trust ${refused.projectServer.server}`;
  const kept = await credentials.whereabouts().catch(() => undefined);
  if (kept && kept.kind !== "none") return "it will be sent in the background";
  return "it waits until you sign in: tool login";
}
