import { abortWith } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Random } from "../../system/random.ts";
import { retryAfterOf } from "../answer.ts";
import type { ApiClient } from "../api-client.ts";
import { ownerIn } from "./aside.ts";
import { deliver } from "./delivery.ts";
import { countWaiting, dropOldest, isEmpty, seal, sealedBatches } from "./sealing.ts";
import { policyIn, sendingLock } from "./telemetry-queue.ts";
import { clearTrouble, noteTrouble } from "./trouble.ts";

export interface FlushReport {
  /** Events that the server accepted. */
  sent: number;
  batches: number;
  /** Events set aside, with the reasons in the queue's contents. */
  refused: number;
  /** Events still waiting. */
  waiting: number;
  /** Why it stopped before the queue was empty: `Unreachable`, `SignedOut`, `Problem`. */
  error?: unknown;
  /** Another process was sending all the time, or gave the queue to another account: the rest is left to the next. */
  busy?: boolean;
  /** The time limit passed before the queue was empty. */
  late?: boolean;
}

export interface SenderOptions {
  /** The directory of the queue. */
  directory: string;
  api: ApiClient;
  clock: Clock;
  random: Random;
  signal?: AbortSignal;
}

export interface FlushOptions extends SenderOptions {
  /** The time limit; unlimited if absent. */
  timeoutMs?: number;
  /** Called when another process is sending and this one waits. */
  onBusy?: () => void;
}

export const LOOK_MS = 200;
/** How long to wait for another sender: as long as one request may take. */
const BUSY_MS = 30_000;

/** Implements `events flush`: seals and sends everything now, ignoring the backoff. Waits for another sender to end. */
export async function flushQueue(options: FlushOptions): Promise<FlushReport> {
  const { directory, clock, signal, timeoutMs = Number.POSITIVE_INFINITY, onBusy } = options;
  const report: FlushReport = { sent: 0, batches: 0, refused: 0, waiting: 0 };
  if (isEmpty(directory)) return report;
  makeDirectory(directory, 0o700);
  const startedAt = clock.monotonic();
  const lock = sendingLock(directory, clock);
  let release = lock.acquire();
  if (!release) onBusy?.();
  for (const deadline = startedAt + Math.min(BUSY_MS, timeoutMs); !release; release = lock.acquire()) {
    if (clock.monotonic() > deadline) return { ...report, waiting: countWaiting(directory), busy: true };
    await clock.sleep(LOOK_MS, signal);
  }
  try {
    await sendWithin(timeoutMs - (clock.monotonic() - startedAt), options, report);
  } finally {
    release();
  }
  return { ...report, waiting: countWaiting(directory) };
}

/** Sends for at most `ms`, then drops what is too much. The caller must hold the lock. */
async function sendWithin(ms: number, options: FlushOptions, report: FlushReport): Promise<void> {
  const { directory, clock, random, signal } = options;
  const time = limited(clock, ms, signal);
  try {
    if (await sendAll({ ...options, signal: time.signal }, report)) clearTrouble(directory);
    else report.busy = true;
  } catch (error) {
    if (signal?.aborted) throw error;
    if (time.isUp()) report.late = true;
    else noteFailure(options, error);
    report.error = error;
  } finally {
    time.stop();
    dropOldest(directory, policyIn(directory).maxQueueEvents, random);
  }
}

/** Returns a signal that aborts with `signal`, or with a `TimeoutError` after `ms`. */
function limited(clock: Clock, ms: number, signal: AbortSignal | undefined) {
  if (!Number.isFinite(ms)) return { signal, isUp: () => false, stop() {} };
  const over = new AbortController();
  const stopped = new AbortController();
  let isUp = false;
  clock.sleep(Math.max(0, ms), stopped.signal).then(
    () => {
      isUp = true;
      over.abort(new DOMException("The time is up.", "TimeoutError"));
    },
    () => {},
  );
  const leave = signal && abortWith(signal, over);
  return {
    signal: over.signal,
    isUp: () => isUp,
    stop() {
      stopped.abort();
      leave?.();
    },
  };
}

/**
 * Sends until nothing waits, including events recorded meanwhile. Returns false if the queue is another account's than
 * the credential that this process has read.
 */
async function sendAll(options: SenderOptions, report: FlushReport): Promise<boolean> {
  const { directory, random } = options;
  for (;;) {
    // Checked first, because events are kept if there is no credential.
    if (await isOfAnother(options)) return false;
    seal(directory, random);
    const files = sealedBatches(directory);
    if (files.length === 0) return true;
    for (const file of files) {
      if (await isOfAnother(options)) return false;
      const { sent, refused } = await deliver(file, options);
      report.sent += sent;
      report.refused += refused;
      report.batches += 1;
    }
  }
}

/** Whether somebody has entered another account since the credential was read. */
async function isOfAnother({ directory, api }: SenderOptions): Promise<boolean> {
  const { account } = await api.credential();
  const owner = ownerIn(directory);
  return account !== undefined && owner !== undefined && owner !== account.id;
}

function noteFailure({ directory, clock }: SenderOptions, error: unknown): void {
  const firstMs = policyIn(directory).flushIntervalSeconds * 1000;
  const reason = error instanceof Error ? error.message : String(error);
  const atLeastMs = (retryAfterOf(error, clock.now()) ?? 0) * 1000;
  noteTrouble(directory, clock, { reason, firstMs, atLeastMs });
}
