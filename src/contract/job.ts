import type { JobHost } from "./compute.ts";
import type { ComputedEndpoint, Input } from "./endpoint.ts";

/** A function that computes an endpoint's answer in a process of its own. */
export interface Job<E extends ComputedEndpoint = ComputedEndpoint, Context = never, Output = unknown> {
  endpoint: E;
  /**
   * Computes the answer from the input, which the worker has parsed and checked. The parts of a generator, also of an
   * async one, are passed on one by one as they are produced. Bytes are passed as they are; any other value costs the
   * server as much as parsing it.
   */
  run(input: Input<E>, host: JobHost<Context>): Output | Promise<Output>;
  /** For each of the endpoint's `bodyTypes`: computes the answer from a body, which it parses and checks itself. */
  readonly bodies: Readonly<Record<string, (body: Uint8Array) => Output | Promise<Output>>>;
}

export function jobOf<E extends ComputedEndpoint, Context, Output>(
  endpoint: E,
  run: (input: Input<E>, host: JobHost<Context>) => Output | Promise<Output>,
  bodies: Job<E, Context, Output>["bodies"] = {},
): Job<E, Context, Output> {
  return { endpoint, run, bodies };
}

/** Returns the job of an endpoint among the exports of a module; undefined if it exports none. */
export function jobIn(exported: Readonly<Record<string, unknown>>, endpoint: string): AnyJob | undefined {
  const isOfEndpoint = (value: unknown) => (value as AnyJob | null)?.endpoint?.name === endpoint;
  return Object.values(exported).find(isOfEndpoint) as AnyJob | undefined;
}

/** A job whose endpoint is only known at run time. */
type AnyJob = Job<ComputedEndpoint, never>;

/**
 * Serialises a value to the bytes of its JSON text, for jobs that produce a whole answer: the server does not parse it.
 * The handler passes them on, `Reply.json(await work.run(…))`.
 */
export function jsonBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
