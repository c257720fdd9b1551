import type { Collection, Space, Store, Transaction } from "./store.ts";

/**
 * What is searched lives in memory: a projection of a space's documents, made of them alone and
 * caught up with what was written before each read, by this process or by another.
 */
export interface Projections<P> {
  /**
   * The projection of a space with everything that was committed before the call. It goes on changing:
   * to be used at once, not across an `await`.
   */
  read(space: Space): Promise<P>;
  /**
   * For a transaction that decides by the projection: how it stands, and what was written that it may
   * lack. A projection that nobody has read yet may be empty; then everything is what was written.
   */
  within(tx: Transaction, space: Space): Promise<ProjectionWithin<P>>;
}

export interface ProjectionWithin<P> {
  projection: P;
  /** Newest states, in the order of writing; a deleted document has no value. */
  written<T>(collection: Collection<T>): readonly { id: string; value?: T }[];
}

/** A collection that is followed, and what a document of it, or its deletion, does to the projection. */
export interface Source<P> {
  readonly collection: Collection<unknown>;
  apply(projection: P, id: string, value: unknown): void;
}

/** `apply` gets the newest state of a document, the same one twice at times, and undefined once it is deleted. */
export function source<P, T>(
  collection: Collection<T>,
  apply: (projection: P, id: string, value: T | undefined) => void,
): Source<P> {
  return { collection, apply: (projection, id, value) => apply(projection, id, value as T | undefined) };
}

export interface ProjectionOptions<P> {
  store: Pick<Store, "transact">;
  /** Applied in this order: what others refer to first. */
  sources: readonly Source<P>[];
  empty: () => P;
  /** About how many bytes of memory a projection takes. */
  weigh: (projection: P) => number;
  /** Those that were not read for longest are given up beyond this; the last one read is always kept. */
  mostBytes?: number;
}

/** By collection; none before the first catching up. */
type Versions = Map<string, string>;

interface Change {
  id: string;
  value?: unknown;
}

interface Found {
  versions: Versions;
  /** In the order of the sources. */
  changes: Change[][];
  /** They are everything there is. */
  fresh: boolean;
}

interface Followed<P> {
  projection: P;
  versions: Versions;
  bytes: number;
  /** The catching up that runs, and the one that begins after it. */
  running: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

/** Applied at a stretch, before others get their turn. */
const SLICE = 200;
/** What following costs by itself: spaces that hold nothing count too. */
const LEAST_BYTES = 1024;

export function createProjections<P>(options: ProjectionOptions<P>): Projections<P> {
  const { store, sources, empty, weigh, mostBytes = 128 << 20 } = options;
  /** The one read last stands last. */
  const spaces = new Map<Space, Followed<P>>();

  function follow(space: Space): Followed<P> {
    const followed = spaces.get(space) ?? begin();
    spaces.delete(space);
    spaces.set(space, followed);
    return followed;
  }

  function begin(): Followed<P> {
    return { projection: empty(), versions: new Map(), bytes: 0, running: undefined, next: undefined };
  }

  /** Everybody who comes while one catching up runs shares the next: the running one may have looked already. */
  function caughtUp(space: Space, followed: Followed<P>): Promise<void> {
    if (!followed.running) {
      followed.running = catchUp(space, followed).finally(() => {
        followed.running = undefined;
      });
      return followed.running;
    }
    followed.next ??= followed.running
      .catch(() => {})
      .then(() => {
        followed.next = undefined;
        return caughtUp(space, followed);
      });
    return followed.next;
  }

  async function catchUp(space: Space, followed: Followed<P>): Promise<void> {
    const { versions, changes, fresh } = await store.transact((tx) =>
      changesOf(tx, space, followed.versions),
    );
    if (fresh) followed.projection = empty();
    let applied = 0;
    for (const [index, { apply }] of sources.entries()) {
      for (const { id, value } of changes[index] as Change[]) {
        apply(followed.projection, id, value);
        if (++applied % SLICE === 0) await new Promise(setImmediate);
      }
    }
    followed.versions = versions;
    if (!fresh && applied === 0) return;
    followed.bytes = LEAST_BYTES + weigh(followed.projection);
    giveUpBut(followed);
  }

  /** All sources at one instant; where one of them is too far behind, all begin anew. */
  async function changesOf(tx: Transaction, space: Space, since: Versions): Promise<Found> {
    const versions: Versions = new Map();
    const changes: Change[][] = [];
    for (const { collection } of sources) {
      const found = await tx.changes(collection, space, since.get(collection.name));
      if (found === "reset") return changesOf(tx, space, new Map());
      versions.set(collection.name, found.version);
      changes.push(found.entries);
    }
    return { versions, changes, fresh: since.size === 0 };
  }

  function giveUpBut(kept: Followed<P>): void {
    let bytes = 0;
    for (const each of spaces.values()) bytes += each.bytes;
    for (const [space, each] of spaces) {
      if (bytes <= mostBytes) return;
      if (each === kept || each.running) continue;
      spaces.delete(space);
      bytes -= each.bytes;
    }
  }

  return {
    async read(space) {
      const followed = follow(space);
      await caughtUp(space, followed);
      return followed.projection;
    },
    async within(tx, space) {
      const { projection, versions } = spaces.get(space) ?? begin();
      const { changes, fresh } = await changesOf(tx, space, versions);
      return {
        projection: fresh ? empty() : projection,
        written: <T>({ name }: Collection<T>) => {
          const index = sources.findIndex(({ collection }) => collection.name === name);
          return (changes[index] ?? []) as { id: string; value?: T }[];
        },
      };
    },
  };
}
