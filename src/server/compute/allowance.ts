import { Problem } from "../../contract/problem.ts";
import type { Bounds } from "../../metering/plans.ts";
import type { Clock } from "../../system/clock.ts";

export type ComputeBounds = Pick<Bounds, "computeSecondsPerMinute" | "jobsInFlight">;

/** What an account has left of this process's threads. */
export interface ComputeUse {
  /** Below zero where the last job took more than was left. */
  computeSecondsLeft: number;
  jobsInFlight: number;
}

interface Entry {
  usedMs: number;
  /** Monotonic. */
  at: number;
  refillPerMs: number;
  jobs: number;
}

const MINUTE_MS = 60_000;
/** Once there are more, those that have used nothing lately are forgotten. */
const MAX_ENTRIES = 10_000;

/**
 * How much accounts may compute: a job is paid for when it is over, since nobody knows before what it
 * costs, and the next one waits until that is made up for. Of this process alone, as its threads are.
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

  /** Throws `rate_limited` where nothing is left of the compute seconds. */
  function requireSeconds(account: string, { computeSecondsPerMinute }: ComputeBounds): void {
    const entry = entryOf(account);
    const overMs = (entry?.usedMs ?? 0) - computeSecondsPerMinute * 1000;
    if (!entry || overMs < 0) return;
    // Until there is something worth beginning with.
    const seconds = Math.max(1, Math.ceil((overMs + 1) / entry.refillPerMs / 1000));
    throw refused(
      "compute",
      `The ${computeSecondsPerMinute} compute seconds a minute of this account are used up. Try again in ${seconds} s, or send less at once.`,
      seconds,
    );
  }

  return {
    requireSeconds,

    /** Takes a place for a job, which `release` gives back. Throws `rate_limited` where none is left. */
    admit(account: string, bounds: ComputeBounds): void {
      requireSeconds(account, bounds);
      const entry = getOrCreate(account, bounds);
      if (entry.jobs >= bounds.jobsInFlight) {
        throw refused(
          "jobs",
          `${bounds.jobsInFlight} requests of this account compute or wait for it already. Wait for one of them.`,
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

    /** Milliseconds of threads that are not made up for yet. */
    usedBy: (account: string): number => entryOf(account)?.usedMs ?? 0,

    useOf(account: string, { computeSecondsPerMinute }: ComputeBounds): ComputeUse {
      const { usedMs = 0, jobs = 0 } = entryOf(account) ?? {};
      return { computeSecondsLeft: computeSecondsPerMinute - usedMs / 1000, jobsInFlight: jobs };
    },
  };
}

function refused(window: "compute" | "jobs", detail: string, seconds: number): Problem {
  return new Problem("rate_limited", detail, {
    headers: { "Retry-After": String(seconds) },
    members: { window, retryAfterSeconds: seconds },
  });
}
