import type { RunJob } from "../../tools/observability/source-maps/source-maps.ts";
import type { WorkerPool } from "./pool.ts";

/** What an account's errors may take of the workers, beside what its plan says of its own computing. */
const ERROR_BOUNDS = { computeSecondsPerMinute: 10, jobsInFlight: 4 };

/** Jobs that reports and uploads of source maps need, counted apart from each other. */
export function errorJobs(workers: Pick<WorkerPool, "run">): RunJob {
  return (accountId, { name, ...job }) =>
    workers.run({
      ...job,
      account: `${name}/${accountId}`,
      bounds: ERROR_BOUNDS,
      job: name,
      context: {},
    });
}
