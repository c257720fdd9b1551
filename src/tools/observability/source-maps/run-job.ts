/** Runs a job in a worker process, within the bounds of an account's computation for errors. */
export type RunJob = (
  accountId: string,
  job: {
    name: string;
    module: URL;
    contentType: string;
    body: Uint8Array;
    pace: "short" | "long";
    signal: AbortSignal;
  },
) => Promise<unknown>;
