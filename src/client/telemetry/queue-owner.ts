import { existsSync, renameSync } from "node:fs";
import type { Clock } from "../../system/clock.ts";
import { sha256 } from "../../system/sha256.ts";
import { readJson, writeJson } from "../private-files.ts";
import { LOOK_MS } from "./flush-queue.ts";
import { countWaiting } from "./sealing.ts";
import { sendingLock } from "./telemetry-queue.ts";

/** Holds the id of the account that the queue's events count for. */
const OWNER = "owner.json";
/** How long to wait for a sender to end. One that hangs has sealed already, and can be overtaken. */
const BUSY_MS = 5_000;

/**
 * Gives a server's queue to the account that is signed in to now. The events of the account before are put aside until it
 * is the current one again, so that they do not count for another. Returns how many of them wait.
 *
 * @param before the id of the account before, if known: a queue of an earlier version does not name its owner.
 */
export async function giveQueueTo(
  accountId: string,
  { directory, before, clock }: { directory: string; before: string | undefined; clock: Clock },
): Promise<number> {
  const owner = readJson<{ accountId?: string }>(directory, OWNER)?.accountId ?? before;
  let waiting = 0;
  if (owner !== undefined && owner !== accountId) {
    if (existsSync(directory)) await senderEnds(directory, clock);
    const left = countWaiting(directory);
    if (move(directory, asideOf(directory, owner))) waiting = left;
    move(asideOf(directory, accountId), directory);
  }
  writeJson(directory, OWNER, { accountId });
  return waiting;
}

/** Waits for the sender, and holds its lock for the rest of this process. */
async function senderEnds(directory: string, clock: Clock): Promise<void> {
  const lock = sendingLock(directory, clock);
  const end = clock.monotonic() + BUSY_MS;
  while (!lock.acquire() && clock.monotonic() < end) await clock.sleep(LOOK_MS);
}

function asideOf(directory: string, accountId: string): string {
  return `${directory}.${sha256(accountId).slice(0, 12)}`;
}

function move(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    renameSync(from, to);
    return true;
  } catch {
    // There is none, or another process has a file in it open, which Windows does not move.
    return false;
  }
}
