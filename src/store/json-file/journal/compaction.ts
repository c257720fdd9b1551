import type { Worker } from "node:worker_threads";
import type { Clock } from "../../../system/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../system/durations.ts";
import type { Log } from "../../../system/log.ts";
import { startWorker } from "../../../system/processes/worker.ts";
import { HalfRotated, type JournalAdapter } from "./journal-adapter.ts";

export interface CompactionOptions {
  adapter: JournalAdapter;
  clock: Clock;
  log: Log;
  /** A journal below this size is not compacted for its size, however small the snapshot is. */
  minimumBytes: number;
}

export interface Compaction {
  isDue(): boolean;
  /**
   * Must be called while no group is in flight. Resolves as soon as the next one may be written. Rejects with
   * `HalfRotated` if none may be.
   */
  start(): Promise<void>;
  /** Safe at any point: the next opening of the store resumes the compaction. */
  stop(): Promise<void>;
}

const RETRY_AFTER_MS = MINUTE_MS;
/** Where only age asks for it, since each attempt writes a whole snapshot, and fills a disk that has no room for one. */
const RETRY_FOR_AGE_AFTER_MS = HOUR_MS;
/** What was deleted or overwritten is in the files until they are merged. */
const MAX_AGE_MS = DAY_MS;

/** Merges the journal into the snapshot once it has outgrown it, or after a day, on a thread of its own. */
export function createCompaction({ adapter, clock, log, minimumBytes }: CompactionOptions): Compaction {
  let worker: Worker | undefined;
  let notBefore = Number.NEGATIVE_INFINITY;
  let mergeAt = clock.monotonic() + MAX_AGE_MS - Math.max(0, clock.now() - adapter.mergedAt);

  function merge(): void {
    let outcome = Promise.resolve();
    worker = startWorker("store/json-file/journal/compaction-worker.ts", { workerData: adapter.directory })
      .once("message", (snapshotBytes: number) => {
        mergeAt = clock.monotonic() + MAX_AGE_MS;
        outcome = adapter.merged(snapshotBytes).catch(failed);
      })
      .once("error", failed)
      .once("exit", async () => {
        await outcome;
        worker = undefined;
      });
  }

  function isOutgrown(): boolean {
    return adapter.journalBytes > Math.max(minimumBytes, adapter.snapshotBytes);
  }

  function failed(err: unknown): void {
    notBefore = clock.monotonic() + RETRY_AFTER_MS;
    mergeAt = clock.monotonic() + RETRY_FOR_AGE_AFTER_MS;
    const when = isOutgrown() ? "a minute" : "an hour";
    log.warn({ err }, `the journal could not be merged into the snapshot; trying again in ${when}`);
  }

  if (adapter.oldJournalBytes > 0) merge();
  return {
    isDue() {
      if (worker) return false;
      const now = clock.monotonic();
      const isOld = now >= mergeAt && (!adapter.isEmpty || adapter.oldJournalBytes > 0);
      return (isOld || isOutgrown()) && now >= notBefore;
    },
    async start() {
      try {
        if (adapter.oldJournalBytes === 0) await adapter.rotate();
        merge();
      } catch (error) {
        if (error instanceof HalfRotated) throw error;
        failed(error);
      }
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
