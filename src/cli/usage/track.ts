import { Argument } from "commander";
import { Unreachable } from "../../client/errors.ts";
import type { RouteInput } from "../../client/routes.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { anyNumber, pairs } from "../options.ts";
import { number } from "../ui/format.ts";

type TrackBody = RouteInput<"POST /api/v1/track">;

/** Not imported from the contract: that would load every schema of it. */
const TYPES: readonly TrackBody["type"][] = [
  "api_calls",
  "agents_invoked",
  "skills_accessed",
  "workflows_started",
  "mcp_calls",
];

export const define: Define = (command, run) => {
  command
    .addArgument(new Argument("<type>", "What happened").choices(TYPES))
    .option("--count <n>", "How often, 1 to 100", anyNumber)
    .option("--metadata <name=value>", "More about it; repeatable", pairs)
    .addHelpText(
      "after",
      examples("tool track agents_invoked", "tool track api_calls --count 12 --metadata source=ci"),
    )
    .action(run(track));
};

async function track(
  context: Context,
  type: TrackBody["type"],
  options: { count?: number; metadata?: Record<string, string> },
): Promise<Outcome> {
  const { client, random, progress, io } = context;
  const { style, symbols } = io.out;
  const body: TrackBody = {
    type,
    ...(options.count === undefined ? {} : { count: options.count }),
    ...(options.metadata ? { metadata: options.metadata } : {}),
  };
  const idempotencyKey = random.id("track");
  try {
    const recorded = await progress.during(
      "Recording",
      client.call("POST /api/v1/track", body, { idempotencyKey, timeoutMs: 10_000, signal: io.interrupted }),
    );
    const { count, projectId, total } = recorded;
    return {
      document: recorded,
      lines: [
        `${style.green(symbols.done)} ${number(count)} ${type} recorded for project ${projectId} ` +
          `(${number(total.day)} today, ${number(total.month)} this month)`,
      ],
    };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return keep(context, body, idempotencyKey, error);
  }
}

/** Nobody answered: the event waits in the queue under its key, so that it is never counted twice. */
function keep(context: Context, body: TrackBody, idempotencyKey: string, cause: Unreachable): Outcome {
  const { queue, client } = context;
  const kept = queue.keep({
    idempotencyKey,
    delivery: cause.delivery,
    body,
    ...(client.projectId ? { projectId: client.projectId } : {}),
  });
  if (!kept.recorded) throw cause;
  const waiting = queue.contents().events;
  context.sendInBackground();
  return {
    document: { recorded: false, queued: true, id: kept.id, waiting, reason: cause.reason },
    lines: [
      `${context.io.out.style.yellow(context.io.out.symbols.attention)} Server not reachable; the event is kept ` +
        `and will be sent later (${number(waiting)} waiting).`,
    ],
  };
}
