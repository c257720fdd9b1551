import { type OpenOutputFile, openOutputFile } from "../../../src/store/json-file/journal/output-file.ts";

/** Files on a disk that can be full or broken, with counts of operations. */
export interface FaultyFiles {
  open: OpenOutputFile;
  /** Bytes that can still be written before the disk is full. */
  free: number;
  broken: boolean;
  writes: number;
  syncs: number;
  /** Blocks all disk operations while it is pending. */
  stalled: Promise<void> | undefined;
  /** Blocks syncs that begin while it is pending. */
  unsynced: Promise<void> | undefined;
}

export function faultyFiles(): FaultyFiles {
  const faults: FaultyFiles = {
    free: Number.POSITIVE_INFINITY,
    broken: false,
    writes: 0,
    syncs: 0,
    stalled: undefined,
    unsynced: undefined,
    async open(path) {
      const file = await openOutputFile(path);
      return {
        ...file,
        async write(bytes, position) {
          await faults.stalled;
          faults.writes++;
          // A full disk stores the part that fits.
          const fitting = bytes.subarray(0, Math.min(bytes.length, faults.free));
          faults.free -= fitting.length;
          await file.write(fitting, position);
          if (fitting.length < bytes.length)
            throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        },
        async sync() {
          await faults.stalled;
          faults.syncs++;
          await faults.unsynced;
          if (faults.broken) throw Object.assign(new Error("input/output error"), { code: "EIO" });
          await file.sync();
        },
      };
    },
  };
  return faults;
}

/** Returns a promise and a function that resolves it. */
export function gate(): { closed: Promise<void>; open: () => void } {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}
