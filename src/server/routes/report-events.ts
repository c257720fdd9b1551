import type { ServerResponse } from "node:http";
import { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { excessOf } from "../../system/json-values.ts";
import { grouped } from "../../text/grouped.ts";
import { REPORT_JOB, REPORT_MODULE } from "../../tools/observability/report-job.ts";
import type { ReportedError } from "../../tools/observability/reported-error.ts";
import { type Envelope, parseEvent, type SentEvent } from "../../tools/observability/sentry/envelope.ts";
import { toldBy } from "../../tools/observability/sentry/event.ts";
import { ERROR_BOUNDS } from "../compute/error-jobs.ts";
import type { WorkerPool } from "../compute/pool.ts";
import { abortOf } from "../operations/request-caller.ts";

const MAX_VALUES = 100_000;
const MAX_LEVELS = 64;
/** Bounds of what is parsed on the main thread, within a few milliseconds. Nearly all real reports are smaller. */
const MAX_SHORT_BYTES = 128 * 1024;
const MAX_SHORT_VALUES = 5000;

/** Parses events. Throws a `Problem` if one is not an object, holds too many values or is nested too deeply. */
export type ReadEvents = (
  envelope: Pick<Envelope, "events" | "sentAt">,
  accountId: string,
  res: ServerResponse,
) => Promise<ReportedError[]>;

export function createEventReader({
  workers,
  clock,
}: {
  workers: Pick<WorkerPool, "run">;
  clock: Pick<Clock, "now">;
}): ReadEvents {
  return async ({ events, sentAt }, accountId, res) => {
    for (const event of events) check(event);
    const now = clock.now();
    if (areShort(events)) return events.map((event) => toldBy(parseEvent(event), now, sentAt));
    return (await workers.run({
      account: `reports/${accountId}`,
      bounds: ERROR_BOUNDS,
      job: REPORT_JOB,
      module: REPORT_MODULE,
      pace: "short",
      body: jsonOf(events),
      contentType: "application/json",
      context: { now, sentAt },
      signal: abortOf(res),
    })) as ReportedError[];
  };
}

function check({ json, at }: SentEvent): void {
  const excess = excessOf(json, { values: MAX_VALUES, levels: MAX_LEVELS });
  if (excess === "values") {
    const most = grouped(MAX_VALUES);
    throw new Problem("payload_too_large", `The event at byte ${at} holds more than ${most} values.`);
  }
  if (excess === "levels") {
    throw new Problem("invalid_request", `The event at byte ${at} is more than ${MAX_LEVELS} levels deep.`);
  }
}

function areShort(events: readonly SentEvent[]): boolean {
  const bytes = events.reduce((sum, { json }) => sum + json.length, 0);
  return (
    events.length <= 1 &&
    bytes <= MAX_SHORT_BYTES &&
    events.every(({ json }) => excessOf(json, { values: MAX_SHORT_VALUES }) === undefined)
  );
}

/** Joins events into one body. Invalid JSON is reported by the worker that parses it. */
function jsonOf(events: readonly SentEvent[]): Buffer {
  const parts = events.flatMap(({ json }, index) => [index === 0 ? OPEN : COMMA, json]);
  return Buffer.concat([...parts, CLOSE]);
}

const OPEN = Buffer.from('{"events":[');
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]}");
