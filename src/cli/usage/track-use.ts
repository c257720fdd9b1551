import { type Delivery, Unreachable } from "../../client/errors.ts";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import type { HeldUse, TelemetryQueue } from "../../client/telemetry/telemetry-queue.ts";
import { Problem } from "../../contract/problem.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { describeFailure } from "../describe-failure.ts";
import { type OptionSpec, pairs, wholeNumber } from "../options.ts";
import type { Output } from "../terminal/io.ts";
import { number } from "../ui/format.ts";

type TrackBody = RouteInput<"POST /api/v1/track">;

export const TRACK_OPTIONS: readonly OptionSpec[] = [
  ["--count <n>", "How often, 1 to 100", wholeNumber(1, 100)],
  ["--metadata <name=value>", "More about it; repeatable", pairs],
];

/** The longest wait for an answer before the event is left to the sender. */
const PATIENCE_MS = 1500;
/** The longest wait if the event cannot be queued, so that only the answer counts. */
const UNQUEUED_TIMEOUT_MS = 10_000;

/** Records a use on the server, or in the queue if there is no answer (`tool track`). */
export async function trackUse(
  context: Context,
  type: TrackBody["type"],
  options: { count?: number; metadata?: Record<string, string> },
): Promise<Outcome> {
  const { random, progress, io, trust, projectGuard } = context;
  // Before the event is queued, since they may ask the user.
  await trust.ensure();
  await projectGuard.ensure();
  const body: TrackBody = { type, count: options.count, metadata: options.metadata };
  const idempotencyKey = random.id("track");
  const held = queueFirst(context, { idempotencyKey, body });
  const timeoutMs = held.recorded ? PATIENCE_MS : UNQUEUED_TIMEOUT_MS;
  const answer = answered(context, body, { idempotencyKey, timeoutMs });
  try {
    const recorded = await progress.during("Recording", answer);
    if (held.recorded) held.settle();
    const { count, projectId, total, uses } = recorded;
    return {
      document: recorded,
      lines: [
        `${io.out.marks.done} ${number(count)} ${type} recorded for project ${projectId} ` +
          `(${number(total.day)} today, ${number(total.month)} this month)`,
        ...(uses ? [ofTheLimit(uses, io.out)] : []),
      ],
    };
  } catch (error) {
    if (!held.recorded || io.interrupted.aborted) throw error;
    const queued = reasonToQueue(error);
    if (queued) return leave(context, held, queued);
    held.settle();
    throw error;
  }
}

/** Queues the event before it is sent. Continues without the queue if it cannot be written, as on a full disk. */
/** Says how much of the account's limit is used. */
function ofTheLimit(
  { limit, used }: NonNullable<RouteOutput<"POST /api/v1/track">["uses"]>,
  { style }: Output,
): string {
  const words = `  ${number(used)} of the account's ${number(limit)} a month used`;
  return used < limit ? style.dim(words) : style.yellow(words);
}

function queueFirst(
  { queue, progress }: Context,
  use: Parameters<TelemetryQueue["hold"]>[0],
): ReturnType<TelemetryQueue["hold"]> | { recorded: false } {
  try {
    return queue.hold(use);
  } catch (error) {
    progress.note(`It is not queued first: ${describeFailure(error).message}`);
    return { recorded: false };
  }
}

/** Sends the event. `timeoutMs` bounds everything: the secret store, a token's renewal and waiting for rate limits. */
async function answered(
  { client, clock, io }: Context,
  body: TrackBody,
  { idempotencyKey, timeoutMs }: { idempotencyKey: string; timeoutMs: number },
): Promise<RouteOutput<"POST /api/v1/track">> {
  const over = new AbortController();
  const signal = AbortSignal.any([io.interrupted, over.signal]);
  const call = client.call("POST /api/v1/track", body, { idempotencyKey, timeoutMs, signal });
  const late = clock.sleep(timeoutMs, over.signal).then(async () => {
    over.abort(new DOMException(`no answer within ${timeoutMs / 1000} s`, "TimeoutError"));
    // Let `call` reject first: its error says whether the request may have been delivered.
    await clock.sleep(0);
    throw over.signal.reason;
  });
  return Promise.race([call, late]).finally(() => over.abort());
}

interface Queued {
  delivery: Delivery;
  /** A text that follows a colon. */
  reason: string;
}

/** Returns the reason to queue the event; undefined if a retry would not help. */
function reasonToQueue(error: unknown): Queued | undefined {
  if (error instanceof Unreachable) return error;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return { delivery: "unknown", reason: error.message };
  }
  if (!(error instanceof Problem) || (error.status !== 429 && error.status !== 503)) return undefined;
  const said = describeFailure(error).message.replace(/\.$/, "");
  const delivery = error.status === 429 ? "never" : "unknown";
  return { delivery, reason: `the server answered ${error.status}: ${said}` };
}

function leave(context: Context, held: HeldUse, { delivery, reason }: Queued): Outcome {
  const { queue, io } = context;
  held.leave(delivery);
  const waiting = queue.contents().events;
  context.sendInBackground();
  return {
    document: { recorded: false, queued: true, id: held.id, waiting, reason },
    lines: [
      `${io.out.marks.attention} Queued, not counted yet: ${reason}. ` +
        `It will be sent in the background (${number(waiting)} waiting).`,
    ],
  };
}
