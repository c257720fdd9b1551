import type { Collection, Space } from "./store.ts";

/*
 * What is searched lives in memory, in a process of its own: a projection is made of the documents of one
 * space alone, and caught up with what was written, by this process or another, before each question.
 */

/** What projections of a kind are asked, by name. It passes between processes as V8 serialises it. */
export type Questions = Record<string, { asked: unknown; answer: unknown }>;

/** A kind of projection, as whoever asks knows it. */
export interface ProjectionKind<Q extends Questions = Questions> {
  readonly name: string;
  /** What it is made of; what others refer to comes first. */
  readonly collections: readonly Collection<unknown>[];
  /** Phantom: carries `Q`. */
  readonly questions?: Q;
}

export interface Projections {
  /**
   * Puts a question to the projection of a space, which holds everything that was committed before the
   * call. Rejects with `Problem` `overloaded` where it does not come to its turn in time, or once the
   * signal says that nobody waits any more; with `quota_exceeded` where the space does not fit into memory.
   */
  ask<Q extends Questions, N extends string & keyof Q>(
    kind: ProjectionKind<Q>,
    space: Space,
    name: N,
    asked: Q[N]["asked"],
    options?: { signal?: AbortSignal },
  ): Promise<Answered<Q[N]["answer"]>>;
}

export interface Answered<A> {
  answer: A;
  /** By collection: what was written since is found from here on (`Transaction.changes`). */
  versions: ReadonlyMap<string, string>;
  /** What belongs to the answer and is too long to be had at once, in UTF-8; to be read to its end or let go of. */
  text: AsyncIterable<Buffer>;
}

/* From here on: what the process itself knows. */

/** Work that lets others have their turn wherever it yields: every few milliseconds. */
export type Steps<T> = Generator<void, T>;

/** Does it all at once, where there are no others. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export interface Projection {
  /** About how much memory it takes. */
  readonly bytes: number;
}

/** An answer with a text that is made bit by bit, of nothing that the projection may change meanwhile. */
export class WithText<A> {
  constructor(
    readonly answer: A,
    readonly text: Iterator<string>,
    /** About how much memory what it is made of takes until then. */
    readonly bytes: number,
  ) {}
}

/** A document as it is applied: its newest state, the same one twice at times; no value once it is deleted. */
export interface Written<T> {
  id: string;
  value: T | undefined;
  /** Length of its JSON text, in characters. */
  size: number;
}

/** A collection that is followed, and what a document of it does to the projection: in steps where that can be long. */
export interface Source<P> {
  readonly collection: Collection<unknown>;
  apply(projection: P, written: Written<unknown>): Steps<void> | void;
}

export function source<P, T>(
  collection: Collection<T>,
  apply: (projection: P, written: Written<T>) => Steps<void> | void,
): Source<P> {
  return { collection, apply: (projection, written) => apply(projection, written as Written<T>) };
}

/** How the process makes projections of a kind, and answers. */
export interface HostedKind<P extends Projection = Projection, Q extends Questions = Questions> {
  readonly kind: ProjectionKind<Q>;
  readonly sources: readonly Source<P>[];
  /** @param maxBytes what it may grow to: beyond that it leaves out what matters least. */
  empty(maxBytes: number): P;
  readonly answers: {
    [N in keyof Q]: (projection: P, asked: Q[N]["asked"]) => Steps<Q[N]["answer"] | WithText<Q[N]["answer"]>>;
  };
}

/** Any kind, for tables of them. */
export interface AnyHostedKind {
  readonly kind: { readonly name: string };
  readonly sources: readonly Source<never>[];
  empty(maxBytes: number): Projection;
  readonly answers: Readonly<Record<string, (projection: never, asked: never) => Steps<unknown>>>;
}
