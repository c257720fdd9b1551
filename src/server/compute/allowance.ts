import { rateLimited } from "../../contract/retry-later.ts";
import { type AccountBounds, ofPlan } from "../../metering/limits/bounds.ts";
import type { ComputeUse } from "../../metering/limits/bounds-report.ts";
import type { Bounds } from "../../metering/plans.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";

export type ComputeBounds = Pick<Bounds, "computeSecondsPerMinute" | "jobsInFlight"> &
  Partial<Pick<AccountBounds, "planName">>;

interface Entry {
  usedMs: number;
  /** When `usedMs` was last updated, in monotonic milliseconds. */
  at: number;
  refillPerMs: number;
  jobs: number;
}

/** Above this size, entries without recent use are evicted. */
const MAX_ENTRIES = 10_000;

/**
 * Creates the compute budgets of the accounts. A job is charged when it ends, since its cost is not known before, and
 * the next one waits until the budget has refilled. The budgets are kept per server process, as the workers are.
 */
export function createAllowance(clock: Pick<Clock, "monotonic">) {
  const entries = new Map<string, Entry>();

  function entryOf(account: string): Entry | undefined {
    const entry = entries.get(account);
    if (!entry) return undefined;
    const now = clock.monotonic();
    entry.usedMs = Math.max(0, entry.usedMs - (now - entry.at) * entry.refillPerMs);
    entry.at = now;
    return entry;
  }

  function getOrCreate(account: string, { computeSecondsPerMinute }: ComputeBounds): Entry {
    const refillPerMs = (computeSecondsPerMinute * 1000) / MINUTE_MS;
    let entry = entryOf(account);
    if (!entry) {
      if (entries.size >= MAX_ENTRIES) forgetIdle();
      entry = { usedMs: 0, at: clock.monotonic(), refillPerMs, jobs: 0 };
      entries.set(account, entry);
    }
    entry.refillPerMs = refillPerMs;
    return entry;
  }

  function forgetIdle(): void {
    for (const account of entries.keys()) {
      const { jobs, usedMs } = entryOf(account) as Entry;
      if (jobs === 0 && usedMs === 0) entries.delete(account);
    }
  }

  /** Throws `rate_limited` if no compute seconds are left. */
  function requireSeconds(account: string, { computeSecondsPerMinute, planName }: ComputeBounds): void {
    const entry = entryOf(account);
    const overMs = (entry?.usedMs ?? 0) - computeSecondsPerMinute * 1000;
    if (!entry || overMs < 0) return;
    // The time until the budget is positive again.
    const seconds = Math.max(1, Math.ceil((overMs + 1) / entry.refillPerMs / 1000));
    throw rateLimited(
      `The ${computeSecondsPerMinute} compute seconds a minute of this account${ofPlan(planName)} are used up. Try again in ${seconds} s, or send less at once.`,
      "compute",
      seconds,
    );
  }

  return {
    requireSeconds,

    /** Takes a slot for a job, which `release` returns. Throws `rate_limited` if none is free. */
    admit(account: string, bounds: ComputeBounds): void {
      requireSeconds(account, bounds);
      const entry = getOrCreate(account, bounds);
      if (entry.jobs >= bounds.jobsInFlight) {
        throw rateLimited(
          `${bounds.jobsInFlight} requests of this account${ofPlan(bounds.planName)} compute or wait for it already. Wait for one of them.`,
          "jobs",
          1,
        );
      }
      entry.jobs++;
    },

    charge(account: string, ms: number): void {
      const entry = entryOf(account);
      if (entry) entry.usedMs += ms;
    },

    release(account: string): void {
      const entry = entryOf(account);
      if (entry) entry.jobs--;
    },

    /** Returns the milliseconds of worker time that have not refilled yet. */
    usedBy: (account: string): number => entryOf(account)?.usedMs ?? 0,

    useOf(account: string, { computeSecondsPerMinute }: ComputeBounds): ComputeUse {
      const { usedMs = 0, jobs = 0 } = entryOf(account) ?? {};
      return { computeSecondsLeft: computeSecondsPerMinute - usedMs / 1000, jobsInFlight: jobs };
    },
  };
}
