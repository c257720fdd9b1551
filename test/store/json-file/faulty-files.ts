import { type OpenOutputFile, openOutputFile } from "../../../src/store/json-file/journal/output-file.ts";

/** Files whose disk can be full, or broken, and that count what is asked of them. */
export interface FaultyFiles {
  open: OpenOutputFile;
  /** How many bytes more may be written before the disk is full. */
  free: number;
  broken: boolean;
  writes: number;
  syncs: number;
  /** While it is pending, so is all that is asked of the disk. */
  stalled: Promise<void> | undefined;
  /** While it is pending, so is every sync that begins meanwhile. */
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
          // A full disk takes what still fits.
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

/** A promise and what resolves it. */
export function gate(): { closed: Promise<void>; open: () => void } {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}
