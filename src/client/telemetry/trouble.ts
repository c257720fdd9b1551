import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { readJson, remove, writeJson } from "../private-files.ts";

/** Why the last sending failed, and until when senders back off. Times in milliseconds since the epoch. */
export interface Trouble {
  reason: string;
  failures: number;
  at: number;
  nextAt: number;
}

const TROUBLE = "trouble.json";
const MAX_BACKOFF_MS = 10 * MINUTE_MS;

export function troubleIn(directory: string): Trouble | undefined {
  const trouble = readJson<Trouble>(directory, TROUBLE);
  const isWhole = [trouble?.failures, trouble?.at, trouble?.nextAt].every(Number.isFinite);
  return isWhole && typeof trouble?.reason === "string" ? trouble : undefined;
}

/** Whether senders back off. Setting the clock back does not extend it. */
export function isBackingOff(directory: string, clock: Pick<Clock, "now">): boolean {
  const trouble = troubleIn(directory);
  if (!trouble) return false;
  const left = trouble.nextAt - clock.now();
  return left > 0 && left <= MAX_BACKOFF_MS;
}

/** Records a failure. The pause doubles with each one in a row; `atLeastMs` is what the server asked for. */
export function noteTrouble(
  directory: string,
  clock: Pick<Clock, "now">,
  { reason, firstMs, atLeastMs = 0 }: { reason: string; firstMs: number; atLeastMs?: number },
): void {
  const failures = (troubleIn(directory)?.failures ?? 0) + 1;
  const pause = Math.min(MAX_BACKOFF_MS, Math.max(atLeastMs, firstMs * 2 ** (failures - 1)));
  const at = clock.now();
  writeJson(directory, TROUBLE, { reason, failures, at, nextAt: at + pause } satisfies Trouble);
}

export function clearTrouble(directory: string): void {
  remove(directory, TROUBLE);
}
