import type { Log } from "../../system/log.ts";
import { type Headroom, NoRoom } from "../store.ts";
import type { Storage } from "./storage.ts";

export interface HeapGuard extends Headroom {
  /** Of a transaction that made what is held grow by so many bytes, where that is more than may be held. */
  refusal(grownBytes: number): NoRoom | undefined;
  /** To be called after every save: says in the log when the bound is reached, and when there is room again. */
  measure(): void;
}

/** Of the share: from here on only what is small still fits … */
const FULL = 0.95;
/** … and below this there is room again. */
const ROOM_AGAIN = 0.9;

/**
 * Everything the store holds lies in the process's heap, the end of which is the end of the process. So
 * it takes only a share, and what grows beyond is refused while there is still room to read and to delete.
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
