import type { Clock } from "../../system/clock.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Random } from "../../system/random.ts";
import { bringBack, ownerIn, putAside, setOwner } from "./aside.ts";
import { LOOK_MS } from "./flush-queue.ts";
import { countWaiting } from "./sealing.ts";
import { sendingLock } from "./telemetry-queue.ts";
import { clearTrouble } from "./trouble.ts";

/** How long to wait for a sender to end. One that hangs sends nothing of the account to come, and can be overtaken. */
const BUSY_MS = 5_000;

export interface GivenQueue {
  directory: string;
  /** The id of the account before, if known: a queue of an earlier version does not name its owner. */
  before?: string;
  clock: Clock;
  random: Random;
}

/**
 * Enters another account, and gives the server's queue to it. The events of the account before are put aside until it is
 * the current one again, so that they do not count for another. No sender runs between the two. Returns how many wait.
 *
 * @param accountId undefined to sign out: what is recorded then is for who signs in next
 */
export async function giveQueueTo(
  accountId: string | undefined,
  { directory, before, clock, random }: GivenQueue,
  enter: () => Promise<unknown> = async () => {},
): Promise<number> {
  const release = anotherOwner() === undefined ? undefined : await senderEnds(directory, clock);
  try {
    await enter();
    return give();
  } finally {
    release?.();
  }

  function anotherOwner(): string | undefined {
    const owner = ownerIn(directory) ?? before;
    return owner === accountId ? undefined : owner;
  }

  function give(): number {
    let waiting = 0;
    try {
      // Not the one before the wait: two processes may enter accounts at the same time.
      const owner = anotherOwner();
      if (owner !== undefined) {
        const all = countWaiting(directory);
        putAside(directory, owner, random);
        waiting = all - countWaiting(directory);
        clearTrouble(directory);
      }
      setOwner(directory, accountId);
      if (accountId !== undefined) bringBack(directory, accountId, random);
    } catch {
      // The disk is full, or the files are somebody else's. Nothing is sent until the next sender could do it.
    }
    return waiting;
  }
}

/** Waits for the sender, and returns a function that lets others send. */
async function senderEnds(directory: string, clock: Clock): Promise<(() => void) | undefined> {
  try {
    makeDirectory(directory, 0o700);
    const lock = sendingLock(directory, clock);
    const end = clock.monotonic() + BUSY_MS;
    let release = lock.acquire();
    for (; !release && clock.monotonic() < end; release = lock.acquire()) await clock.sleep(LOOK_MS);
    return release;
  } catch {
    // As in `give`.
    return undefined;
  }
}
