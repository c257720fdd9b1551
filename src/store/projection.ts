import type { Collection, Space } from "./store.ts";

/*
 * Projections keep what is searched in memory, in a process of their own. Each is made of the documents of one space.
 * Before each question it catches up with what was written, by this process or another.
 */

/** The questions to projections of a kind, by name. They pass between processes as V8 serialises them. */
export type Questions = Record<string, { asked: unknown; answer: unknown }>;

/** A kind of projection, as its callers know it. */
export interface ProjectionKind<Q extends Questions = Questions> {
  readonly name: string;
  /** The collections that it is made of. Those that others refer to come first. */
  readonly collections: readonly Collection<unknown>[];
  /** Phantom: carries `Q`. */
  readonly questions?: Q;
}

export interface Projections {
  /**
   * Asks the projection of a space, which includes everything that was committed before the call. Rejects with
   * `Problem` `overloaded` if its turn does not come in time, or once the signal is aborted. Rejects with
   * `quota_exceeded` if the space does not fit into memory.
   */
  ask<Q extends Questions, N extends string & keyof Q>(
    kind: ProjectionKind<Q>,
    space: Space,
    name: N,
    asked: Q[N]["asked"],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Answered<Q[N]["answer"]>>;
}

export interface Answered<A> {
  answer: A;
  /** For each collection, the version after which later writes are found (`Transaction.changes`). */
  versions: ReadonlyMap<string, string>;
  /** The part of the answer that is too long to be held at once, in UTF-8. It must be read to its end or closed. */
  text: AsyncIterable<Buffer>;
}

/* The rest is for the index process itself. */

/** Work that yields after each millisecond or less, so that other work can run. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps at once, where there is no other work. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export interface Projection {
  /** Approximate memory that it takes, in bytes. */
  readonly bytes: number;
}

/** An answer with a text that is made piece by piece, from data that the projection does not change meanwhile. */
export class WithText<A> {
  constructor(
    readonly answer: A,
    readonly text: Iterator<string>,
    /** Approximate memory held until the text is complete, in bytes. */
    readonly bytes: number,
  ) {}
}

/** The newest state of a document, to be applied, possibly twice. It has no value if the document was deleted. */
export interface Written<T> {
  id: string;
  value: T | undefined;
  /** Length of its JSON text, in characters. */
  size: number;
}

/**
 * A followed collection, and how to apply one of its documents to the projection: in steps where that can take long.
 */
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

/** How the index process builds projections of a kind and answers. */
export interface HostedKind<P extends Projection = Projection, Q extends Questions = Questions> {
  readonly kind: ProjectionKind<Q>;
  readonly sources: readonly Source<P>[];
  /** @param maxBytes bound on its size. Beyond that it leaves out what matters least. */
  empty(maxBytes: number): P;
  readonly answers: {
    [N in keyof Q]: (projection: P, asked: Q[N]["asked"]) => Steps<Q[N]["answer"] | WithText<Q[N]["answer"]>>;
  };
}

/** A hosted kind of any type, for lookup tables. */
export interface AnyHostedKind {
  readonly kind: { readonly name: string };
  readonly sources: readonly Source<never>[];
  empty(maxBytes: number): Projection;
  readonly answers: Readonly<Record<string, (projection: never, asked: never) => Steps<unknown>>>;
}
