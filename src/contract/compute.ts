import type { ComputedEndpoint, Input } from "./endpoint.ts";

/** `long` work never takes the last worker: that is for `short` work. */
export type Pace = "short" | "long";

/** What a job has beside its input. */
export interface JobHost<Context = unknown> {
  /** What the handler gave it: a copy. */
  readonly context: Context;
  /** Asks the handler, in the server's process, for what only that knows; payload and answer are copies. */
  ask<Answer>(question: string, payload?: unknown): Promise<Answer>;
}

/** What computes an endpoint's answer, in a process of its own. */
export interface Job<E extends ComputedEndpoint = ComputedEndpoint, Context = never, Output = unknown> {
  endpoint: E;
  /**
   * Gets the input that was parsed and checked there. What it yields passes part by
   * part, as it is made. Bytes pass as they are; anything else costs the server what parsing it would.
   */
  run(input: Input<E>, host: JobHost<Context>): Output | Promise<Output>;
  /** What it makes of a body of one of the endpoint's `bodyTypes`, which it parses and checks itself. */
  readonly bodies: Readonly<Record<string, (body: Uint8Array) => Output | Promise<Output>>>;
}

export function jobOf<E extends ComputedEndpoint, Context, Output>(
  endpoint: E,
  run: (input: Input<E>, host: JobHost<Context>) => Output | Promise<Output>,
  bodies: Job<E, Context, Output>["bodies"] = {},
): Job<E, Context, Output> {
  return { endpoint, run, bodies };
}

type ContextOf<J> = J extends { run(input: never, host: JobHost<infer Context>): unknown } ? Context : never;
type OutputOf<J> = J extends { run(...given: never[]): infer Output } ? Passed<Awaited<Output>> : never;
type Passed<Output> = Output extends Iterator<infer Part> ? AsyncIterable<Part> : Output;

/** A request whose body the server's own process never reads: its endpoint's job does, in another. */
export interface Work {
  /**
   * Runs the job. Rejects with what it threw, with `invalid_request` where the body is not the endpoint's
   * input, with `rate_limited` where the account has used up what its plan lets it compute, and with
   * `overloaded` where it takes too long. Ends with the client's connection. Of a job that yields, resolves
   * with before its first part; what comes in its way later, whoever reads the parts is told.
   */
  run<J>(options: WorkOptions<ContextOf<J>>): Promise<OutputOf<J>>;
}

export interface WorkOptions<Context> {
  context: Context;
  /** What the job may ask, by question. */
  answers?: Record<string, (payload: never) => Promise<unknown>>;
}

/** A value as the bytes of its JSON text, for jobs that make a whole answer. */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
