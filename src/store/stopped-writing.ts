import type { Clock } from "../system/clock.ts";
import { makeReadOnly, makeWritable, readOnlyReason } from "./open.ts";

/** A store that this program has made read only, whatever it was before. */
export interface StoppedWriting {
  /** Resolves when nothing is written any more. */
  readonly done: Promise<void>;
  /** Whether it is still read only for this reason, and no other command has changed that. */
  stands(): Promise<boolean>;
  /**
   * Restores what was before if it `stands`. Returns a description of how the store is left; undefined if it never
   * stopped being written to.
   */
  takeBack(): Promise<string | undefined>;
}

export async function stopWriting(where: string, reason: string, clock: Clock): Promise<StoppedWriting> {
  const before = await readOnlyReason(where);
  const done = makeReadOnly(where, reason, clock);
  const stands = async () => (await readOnlyReason(where)) === reason;
  return {
    done,
    stands,
    async takeBack() {
      // A request that the server grants after that would remain in effect.
      const hadStopped = await done.then(
        () => true,
        () => false,
      );
      if (await stands())
        await (before === undefined ? makeWritable(where) : makeReadOnly(where, before, clock));
      const now = await readOnlyReason(where);
      if (now !== undefined) return `stays read only (${now}), until tool data writable.`;
      return hadStopped ? "is written to again." : undefined;
    },
  };
}
