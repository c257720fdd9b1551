import * as z from "zod";
import type { JobHost } from "../../contract/compute.ts";
import { computedEndpoint } from "../../contract/endpoint.ts";
import { jobOf } from "../../contract/job.ts";
import { isObject } from "../../system/is-object.ts";
import { toldBy } from "./sentry/event.ts";

const Event = z.custom<Record<string, unknown>>(isObject, "must be an object");

export const REPORT_JOB = "observability.report";
export const REPORT_MODULE = new URL("./report-job.ts", import.meta.url);

/** Declares the job's input, which has the events of one report. This is no endpoint of the API. */
const report = computedEndpoint({
  name: REPORT_JOB,
  method: "POST",
  path: "/report",
  summary: "Read the events of a report",
  scope: "public",
  compute: "short",
  input: z.strictObject({ events: z.array(Event) }),
  output: z.unknown(),
});

/** Reads events that are so long that parsing them would block the server. */
export const reportJob = jobOf(
  report,
  ({ events }, { context: { now, sentAt } }: JobHost<{ now: number; sentAt?: number }>) =>
    events.map((event) => toldBy(event, now, sentAt)),
);
