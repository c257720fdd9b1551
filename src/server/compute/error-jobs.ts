import type { RunJob } from "../../tools/observability/source-maps/run-job.ts";
import type { WorkerPool } from "./pool.ts";

/** What each kind of job about an account's errors may use of the workers, apart from the compute bounds of its plan. */
export const ERROR_BOUNDS = { computeSecondsPerMinute: 10, jobsInFlight: 4 };

/** Returns a function that runs the jobs of source maps, each kind with its own budget. */
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
