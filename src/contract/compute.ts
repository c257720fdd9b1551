/** How long the work may take. `long` work never takes the last worker, which is reserved for `short` work. */
export type Pace = "short" | "long";

/** What a job gets in addition to its input. */
export interface JobHost<Context = unknown> {
  /** The context that the handler gave, as a copy. */
  readonly context: Context;
  /** Asks the handler, in the server's process, for data that only it has. Payload and answer are copied. */
  ask<Answer>(question: string, payload?: unknown): Promise<Answer>;
}

/** Unknown where the job's type is not given: `work.run({ context })`. */
type ContextOf<J> = J extends { run(input: never, host: JobHost<infer Context>): unknown }
  ? Context
  : unknown;
type OutputOf<J> = J extends { run(...given: never[]): infer Output } ? Passed<Awaited<Output>> : never;
type Passed<Output> = Output extends Iterator<infer Part> | AsyncIterator<infer Part>
  ? AsyncIterable<Part>
  : Output;

/** The work of a request whose body is read by its endpoint's job in a worker process, never by the server's own. */
export interface Work {
  /**
   * Runs the job, and ends it with the client's connection. Rejects with the error that the job threw, with
   * `invalid_request` where the body is not the endpoint's input, with `rate_limited` where the account has used up
   * the computing time of its plan, and with `overloaded` where it takes too long. For a job that yields, resolves
   * before the first part; later errors are thrown to the reader of the parts. It then no longer ends with the client's
   * connection: a handler that stores each part would be left with some of them.
   */
  run<J>(options: WorkOptions<ContextOf<J>>): Promise<OutputOf<J>>;
}

export interface WorkOptions<Context> {
  context: Context;
  /** The handlers of the job's questions, by question. */
  answers?: Record<string, (payload: never) => Promise<unknown>>;
}
