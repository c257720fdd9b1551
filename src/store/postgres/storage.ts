import { BoundedMap } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { COUNTER_BYTES, type StorageUse } from "../storage-use.ts";
import { accountOf, type Headroom } from "../store.ts";
import type { Statement } from "./connection/connections.ts";
import { isDiskFull } from "./connection/errors.ts";
import { type StorageRow, storedIn, sumStorage } from "./statements/storage.ts";
import type { Writes } from "./writes.ts";

/** What accounts store, as read from the database plus what this instance has added since. */
export interface Storage {
  /**
   * At most a second old, except for writes of this instance: they are included at the latest when they are durable.
   */
  of(account: string): Promise<StorageUse>;
  /** Announces writes that add at most `more`. */
  addPending(account: string, more: StorageUse): void;
}

const FRESH_MS = 1000;
const MAX_ACCOUNTS = 10_000;
/** How long a database counts as full after it said so: a probe would need as much room as what was refused. */
const FULL_MS = MINUTE_MS;

interface Known {
  use: Promise<StorageUse>;
  askedAt: number;
}

export function createStorage(
  send: (statement: Statement) => Promise<StorageRow[]>,
  clock: Pick<Clock, "monotonic">,
): Storage {
  const known = new BoundedMap<string, Known>(MAX_ACCOUNTS);

  async function read(account: string): Promise<StorageUse> {
    const [row] = await send(sumStorage(account));
    return storedIn(row as StorageRow);
  }

  return {
    of(account) {
      const now = clock.monotonic();
      const found = known.get(account);
      if (found && now - found.askedAt < FRESH_MS) return found.use;
      const use = read(account);
      known.set(account, { use, askedAt: now });
      use.catch(() => known.delete(account));
      return use;
    },
    addPending(account, more) {
      const found = known.get(account);
      if (!found) return;
      found.use = found.use.then((use) => plus(use, more));
      found.use.catch(() => {});
    },
  };
}

/** Returns the most that writes can add to what an account stores, as if they replaced nothing. */
export function mostAdded(
  { documents, counters }: Pick<Writes, "documents" | "counters">,
  account: string,
): StorageUse {
  const added = { bytes: 0, documents: 0 };
  for (const { space, id, text } of documents.values()) {
    if (text === undefined || accountOf(space) !== account) continue;
    added.bytes += Buffer.byteLength(id) + Buffer.byteLength(text);
    added.documents++;
  }
  for (const { space, id } of counters.values()) {
    if (accountOf(space) === account) added.bytes += Buffer.byteLength(id) + COUNTER_BYTES;
  }
  return added;
}

export function plus(left: StorageUse, right: StorageUse): StorageUse {
  return { bytes: left.bytes + right.bytes, documents: left.documents + right.documents };
}

/** The room of a database: it has none if its disk was full lately, though small writes may still fit. */
export function createHeadroom(clock: Pick<Clock, "monotonic">): Headroom & { failed(error: unknown): void } {
  let fullUntil = Number.NEGATIVE_INFINITY;
  return {
    canGrow: () => clock.monotonic() >= fullUntil,
    describe: () => undefined,
    /** Must be called with the error of each write that failed. */
    failed(error) {
      if (isDiskFull(error)) fullUntil = clock.monotonic() + FULL_MS;
    },
  };
}
