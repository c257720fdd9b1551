import type { Log } from "../../system/log.ts";
import { type Headroom, NoRoom } from "../store.ts";
import type { Storage } from "./storage.ts";

export interface HeapGuard extends Headroom {
  /** Returns the error for a transaction that grew the store by so many bytes, if the store exceeds its bound. */
  refusal(grownBytes: number): NoRoom | undefined;
  /** Must be called after every save. Logs when the store is full and when there is room again. */
  measure(): void;
}

/** Fraction of the limit at which the store is considered full. */
const FULL = 0.95;
/** Fraction of the limit below which it has room again. The gap avoids flapping. */
const ROOM_AGAIN = 0.9;

/**
 * The store keeps all its data in the heap of the process, and a process that exhausts its heap ends. So the store is
 * limited to a share of it, and growth beyond is refused while there is still room to read and to delete.
 */
export function createHeapGuard({
  storage,
  limitBytes,
  log,
}: {
  storage: Pick<Storage, "heapBytes">;
  limitBytes: number;
  log: Log;
}): HeapGuard {
  let full = false;
  const describe = () => ({ bound: "server memory" as const, usedBytes: storage.heapBytes, limitBytes });

  return {
    canGrow: () => !full,
    describe,
    refusal(grownBytes) {
      const { heapBytes } = storage;
      if (grownBytes <= 0 || heapBytes <= limitBytes) return undefined;
      return new NoRoom("server memory", limitBytes, heapBytes - grownBytes, heapBytes);
    },
    measure() {
      const share = storage.heapBytes / limitBytes;
      if (!full && share >= FULL) {
        full = true;
        log.warn(describe(), FULL_MESSAGE);
      } else if (full && share < ROOM_AGAIN) {
        full = false;
        log.info(describe(), "the store has room again");
      }
    },
  };
}

const FULL_MESSAGE =
  "the store has taken its share of this process's memory: what would grow beyond it is refused. Delete " +
  "something, give the process more (NODE_OPTIONS=--max-old-space-size=…), or keep the data in PostgreSQL";
