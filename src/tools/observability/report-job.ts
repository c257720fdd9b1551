import { z } from "zod";
import { type JobHost, jobOf } from "../../contract/compute.ts";
import { computedEndpoint } from "../../contract/endpoint.ts";
import { toldBy } from "./sentry-event.ts";

const Event = z.custom<Record<string, unknown>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "must be an object",
);

export const REPORT_JOB = "observability.report";
export const REPORT_MODULE = new URL("./report-job.ts", import.meta.url);

/** No endpoint of the API: how the job's input is declared, which has the events of one report. */
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

/** Reads long events, which take long to parse. */
export const reportJob = jobOf(report, ({ events }, { context: { now } }: JobHost<{ now: number }>) =>
  events.map((event) => toldBy(event, now)),
);
