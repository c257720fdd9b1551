import type { ProjectionKind } from "../../store/projection.ts";
import { ownerOf, type Space, type Store, type Transaction } from "../../store/store.ts";
import type { Gate } from "./gate.ts";
import type { IndexProcess } from "./index-process.ts";
import type { ApplyMessage } from "./messages.ts";

/** Read and sent at a time: little enough to hold nobody up. */
const MAX_SLICE_BYTES = 128 * 1024;

/** By collection. */
type Versions = ReadonlyMap<string, string>;

interface Slice {
  versions: Versions;
  changes: ApplyMessage["changes"];
  /** It begins from the beginning. */
  fresh: boolean;
  more: boolean;
}

export interface FollowerOptions {
  store: Pick<Store, "transact">;
  index: Pick<IndexProcess, "send" | "generation">;
  /** Slices that may be on their way. */
  gate: Gate;
}

/** Keeps the process's projection of a space in step: reads what was written, bit by bit, and sends it. */
export class Follower {
  /** Why the process could not do what it was sent the last time. */
  failure: unknown;
  /** How far the process's projection is, once it has done what it was sent. */
  versions: Versions = new Map();
  readonly #options: FollowerOptions;
  readonly #kind: ProjectionKind;
  readonly #space: Space;
  #generation = -1;
  #isBehind = false;
  /** The catching up that runs, and the one that begins after it. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: FollowerOptions, kind: ProjectionKind, space: Space) {
    this.#options = options;
    this.#kind = kind;
    this.#space = space;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The process has given the projection up. */
  beginAnew(): void {
    this.#generation = -1;
  }

  /**
   * Resolves when all that was committed before the call has been sent. Everybody who comes while one
   * catching up runs shares the next: the running one may have looked already.
   */
  caughtUp(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#catchUp().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.caughtUp();
      });
    return this.#next;
  }

  async #catchUp(): Promise<void> {
    const { store, index, gate } = this.#options;
    for (let more = true; more; ) {
      const isNew = this.#generation !== index.generation;
      if (isNew) this.#generation = index.generation;
      const { generation } = index;
      const since = isNew ? NOTHING : this.versions;
      // Who is far behind waits for a turn: one reads for all that the process has to do.
      const leave = isNew || this.#isBehind ? await gate.enter(ownerOf(this.#space)) : () => {};
      try {
        const slice = await store.transact((tx) => this.#read(tx, since));
        more = slice.more;
        if (this.#generation !== generation) more = true;
        else {
          this.versions = slice.versions;
          this.#isBehind = more;
          if (slice.changes.length > 0 || slice.fresh) await this.#send(slice);
        }
      } catch (error) {
        if (isNew) this.beginAnew();
        throw error;
      } finally {
        leave();
      }
      if (more) await new Promise(setImmediate);
    }
  }

  /** The last slice is not waited for: what is asked behind it comes behind it. */
  async #send({ changes, fresh, more }: Slice): Promise<void> {
    const { reply } = this.#options.index.send({
      type: "apply",
      kind: this.#kind.name,
      space: this.#space,
      fresh,
      whole: !more,
      changes,
    });
    const done = reply.then(
      ({ type }) => {
        this.failure = undefined;
        if (type === "gone") this.beginAnew();
      },
      (error) => {
        this.failure = error;
        this.beginAnew();
      },
    );
    if (!more) return;
    await done;
    if (this.failure !== undefined) throw this.failure;
  }

  /** All collections at one instant; where one of them is too far behind, all begin anew. */
  async #read(tx: Transaction, since: Versions): Promise<Slice> {
    const versions = new Map(since);
    const changes: ApplyMessage["changes"] = [];
    let bytes = 0;
    for (const collection of this.#kind.collections) {
      const maxBytes = MAX_SLICE_BYTES - bytes;
      const found = await tx.changes(collection, this.#space, since.get(collection.name), { maxBytes });
      if (found === "reset") return this.#read(tx, NOTHING);
      versions.set(collection.name, found.version);
      const written = found.entries.flatMap(({ id, text }) => [id, text]);
      for (const each of written) bytes += each?.length ?? 0;
      if (written.length > 0) changes.push([collection.name, written]);
      // What refers to these comes when they are all there.
      if (found.more || bytes >= MAX_SLICE_BYTES)
        return { versions, changes, fresh: since === NOTHING, more: true };
    }
    return { versions, changes, fresh: since === NOTHING, more: false };
  }
}

const NOTHING: Versions = new Map();
