import type { ProjectionKind } from "../../store/projection.ts";
import { ownerOf, type Space, type Store, type Transaction } from "../../store/store.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { Turns } from "../../system/turns.ts";
import type { IndexProcess } from "./index-process.ts";
import type { ApplyMessage } from "./messages.ts";

/** The bytes read and sent at a time, few enough not to delay others. */
const MAX_SLICE_BYTES = 128 * 1024;

/** By collection. */
type Versions = ReadonlyMap<string, string>;

interface Slice {
  versions: Versions;
  changes: ApplyMessage["changes"];
  /** Whether it starts from the beginning. */
  fresh: boolean;
  more: boolean;
}

export interface FollowerOptions {
  store: Pick<Store, "transact">;
  index: Pick<IndexProcess, "send" | "generation">;
  /** Bounds the slices in flight. */
  turns: Turns;
}

/** Keeps the index process's projection of a space up to date: reads what was written, slice by slice, and sends it. */
export class Follower {
  /** The error of the last slice, if the process could not apply it. */
  failure: unknown;
  /** The versions of the projection once the process has applied all that was sent. */
  versions: Versions = new Map();
  readonly #options: FollowerOptions;
  readonly #kind: ProjectionKind;
  readonly #space: Space;
  #generation = -1;
  #isBehind = false;
  /** The current catch-up, and the one that starts after it. */
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

  /** Starts from the beginning next time, since the process has evicted the projection. */
  beginAnew(): void {
    this.#generation = -1;
  }

  /**
   * Resolves once everything that was committed before the call has been sent. All calls during a catch-up share the
   * next one: the current one may have read too early.
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
    const { index, turns } = this.#options;
    for (let more = true; more; ) {
      const isNew = this.#generation !== index.generation;
      if (isNew) this.#generation = index.generation;
      const { generation } = index;
      const since = isNew ? NOTHING : this.versions;
      const advance = () => this.#advance(since, generation);
      try {
        // Followers that are far behind take turns, since one process applies what all of them read.
        more = await (isNew || this.#isBehind ? turns.run(ownerOf(this.#space), advance) : advance());
      } catch (error) {
        if (isNew) this.beginAnew();
        throw error;
      }
      if (more) await othersFirst();
    }
  }

  /** Sends the next slice. Returns whether another one follows, as it does if the process has been replaced meanwhile. */
  async #advance(since: Versions, generation: number): Promise<boolean> {
    const slice = await this.#options.store.transact((tx) => this.#read(tx, since));
    if (this.#generation !== generation) return true;
    const wasBehind = this.#isBehind;
    this.versions = slice.versions;
    this.#isBehind = slice.more;
    // The last slice may be empty, since the one before cannot know: without it the projection is never whole.
    if (slice.changes.length > 0 || slice.fresh || wasBehind) await this.#send(slice);
    return slice.more;
  }

  /** Sends a slice. The last one is not awaited: the process handles it before any later question. */
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

  /** Reads all collections in one transaction. If one needs a reset, all start from the beginning. */
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
      // Later collections refer to documents of earlier ones, which must be complete first.
      if (found.more || bytes >= MAX_SLICE_BYTES)
        return { versions, changes, fresh: since === NOTHING, more: true };
    }
    return { versions, changes, fresh: since === NOTHING, more: false };
  }
}

const NOTHING: Versions = new Map();
