import type { Clock } from "../system/clock.ts";
import { makeReadOnly, makeWritable, readOnlyReason } from "./open.ts";

/** A store that is read only for a reason of ours, whatever it was before. */
export interface StoppedWriting {
  /** Resolves when nothing is written any more. */
  readonly done: Promise<void>;
  /** False where another command has said since that it be written to, or why not. */
  stands(): Promise<boolean>;
  /** Where it stands, puts back what was; says how the store is left. */
  takeBack(): Promise<string>;
}

export async function stopWriting(where: string, reason: string, clock: Clock): Promise<StoppedWriting> {
  const before = await readOnlyReason(where);
  const done = makeReadOnly(where, reason, clock);
  const stands = async () => (await readOnlyReason(where)) === reason;
  return {
    done,
    stands,
    async takeBack() {
      // A wish that the server grants after that would stay.
      await done.catch(() => {});
      if (await stands())
        await (before === undefined ? makeWritable(where) : makeReadOnly(where, before, clock));
      const now = await readOnlyReason(where);
      return now === undefined
        ? "is written to again."
        : `stays read only (${now}), until tool data writable.`;
    },
  };
}
