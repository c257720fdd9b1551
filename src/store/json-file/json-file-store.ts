import { resolve } from "node:path";
import { Low } from "lowdb";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Log } from "../../system/log.ts";
import { heapLimitBytes } from "../../system/processes/heap.ts";
import { createRandom } from "../../system/random.ts";
import { type Collection, type OpenedStore, StoreUnavailable } from "../store.ts";
import { terminateProcess } from "../terminate-process.ts";
import { createHeapGuard } from "./heap-guard.ts";
import { createCompaction } from "./journal/compaction.ts";
import { dump, loadItems } from "./journal/copy.ts";
import { fillingOf } from "./journal/filling.ts";
import { createGroupCommit } from "./journal/group-commit.ts";
import { JournalAdapter } from "./journal/journal-adapter.ts";
import { type OpenOutputFile, openOutputFile } from "./journal/output-file.ts";
import { createLimiter } from "./limiter.ts";
import { lockDirectory } from "./lock.ts";
import { makePrivate } from "./make-private.ts";
import { watchReadOnly } from "./read-only.ts";
import { startSweeper } from "./sweeper.ts";
import { Tables } from "./tables.ts";
import { createTransactions } from "./transactions.ts";

export interface JsonFileStoreOptions {
  /** The collections that will be used. Only these keep a change feed from the start. */
  collections?: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
  /** See `StoreOptions`. */
  fills?: boolean | undefined;
  /** Tests replace it to make files fail. */
  openFile?: OpenOutputFile;
  /** A journal below this size is not compacted. By default 32 MiB, which are read in a fraction of a second. */
  minimumBytes?: number;
  /** Bound on memory in bytes. By default `HEAP_SHARE` of the process's heap. */
  heapBytes?: number;
  /** Ends the process. After a failed `fdatasync` the state of the disk is unknown. */
  terminate?: (error: unknown) => void;
}

/**
 * The store's share of the heap. The rest is for requests in progress, above all large bodies, and for what is searched
 * in memory.
 */
const HEAP_SHARE = 0.35;

/** Opens the store in a directory, which is created if it is missing. */
export async function openJsonFileStore(where: string, options: JsonFileStoreOptions): Promise<OpenedStore> {
  const { clock, log, collections = [], openFile = openOutputFile, minimumBytes = 32 << 20 } = options;
  const { terminate = terminateProcess(log) } = options;
  const directory = resolve(where);
  makeDirectory(directory, 0o700);
  await makePrivate(directory, log);
  const lock = await lockDirectory(directory, clock, terminate);
  try {
    const filling = fillingOf(directory);
    if (options.fills) await filling.mark();
    else filling.check();
    const followed = new Set(collections.filter(({ changes }) => changes).map(({ name }) => name));
    const adapter = new JournalAdapter(directory, openFile, log, clock, followed, lock.afterSilence);
    const low = new Low<Tables>(adapter, new Tables());
    await low.read();
    const compaction = createCompaction({ adapter, clock, log, minimumBytes });
    const compact = async () => {
      await lock.assertHeld();
      await compaction.start();
    };
    const { storage } = low.data;
    const { heapBytes: limitBytes = Math.floor(HEAP_SHARE * heapLimitBytes()) } = options;
    const guard = createHeapGuard({ storage, limitBytes, log });
    guard.measure();
    const commit = createGroupCommit({
      low,
      sync: async () => {
        await adapter.sync();
        // Whoever took the directory over while this process was stopped has not read it.
        await lock.assertHeld();
      },
      clock,
      afterSave: () => {
        guard.measure();
        return compaction.isDue() ? compact : undefined;
      },
      onUndone: (error) => transactions.abort(error),
      terminate,
    });
    const opening = createRandom(clock).id("opening");
    const readOnly = watchReadOnly(directory, clock, commit.settled);
    // While nobody writes, too, but not while files may be copied because nothing changes.
    const stopCompacting = clock.every(HOUR_MS, () => {
      if (readOnly.reason() === undefined && compaction.isDue()) commit.pauseFor(compact);
    });
    const transactions = createTransactions({
      ...{ tables: low.data, commit, guard, clock, opening },
      readOnly: readOnly.reason,
    });
    const { transact } = transactions;
    const limiter = await createLimiter(transact, { clock, log });
    const sweeper = startSweeper(low.data, transact, { clock, log });

    return {
      transact,
      admit: limiter.admit,
      opening,
      // One process owns the directory, so any earlier opening has ended.
      isOpen: async (other) => other === opening,
      dump: () => dump(low.data, commit, clock),
      async load(items, compare) {
        await filling.mark();
        await loadItems(low.data, transact, items);
        await compare?.();
        await filling.unmark();
      },
      ping: async () => {},
      async probe() {
        if (commit.stalled) throw new StoreUnavailable("the disk does not answer");
        await commit.probe();
        await adapter.probe();
      },
      storageOf: async (account) => storage.of(account),
      headroom: guard,
      sizeBytes: async () => adapter.snapshotBytes + adapter.oldJournalBytes + adapter.journalBytes,
      close: once(async () => {
        readOnly.stop();
        sweeper.stop();
        stopCompacting();
        await limiter.stop();
        await limiter.save();
        await transactions.close();
        await commit.settled();
        commit.stop();
        await compaction.stop();
        await adapter.seal().catch((err) => log.warn({ err }, "the store was closed without a seal"));
        await adapter.close();
        await lock.release();
      }),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
