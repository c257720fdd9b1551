import { type Account, accounts } from "../../accounts/model.ts";
import { nameOfPlan } from "../../accounts/plan.ts";
import { type Caller, runsServer } from "../../contract/caller.ts";
import type { Output } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type WindowState } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { meteringContract } from "../contract.ts";
import { type Bounds, type Catalogue, tierOf } from "../plans.ts";
import { boundsIn } from "./bounds.ts";
import { accountWindows } from "./rate-limit.ts";
import type { MonthlyUses, UseLimits } from "./use-limits.ts";

export type BoundsReport = Output<typeof meteringContract.showBounds>;

/** An account's use of the compute workers. */
export interface ComputeUse {
  /** Seconds left of those allowed per minute; may be a fraction, and negative if the last job took more than was left. */
  computeSecondsLeft: number;
  /** Requests that are computing or queued for it. */
  jobsInFlight: number;
}

export interface BoundsPorts {
  store: Store;
  catalogue: Pick<Catalogue, "tiers">;
  computeUse: (accountId: string, bounds: Bounds) => ComputeUse;
  /** Returns the number of event streams that a credential has open. */
  openStreams: (credentialId: string) => number;
  useLimits: Pick<UseLimits, "all">;
}

/** The state of one of the account's rate-limit windows. */
export interface WindowLeft {
  name: "minute" | "hour" | "day";
  /** Requests that the plan allows per window. */
  limit: number;
  /** The most tokens it holds: more than `limit` if short bursts are allowed. */
  capacity: number;
  remaining: number;
  /** When it is full again, in milliseconds since the epoch. */
  resetAt: number;
}

/** Returns the account's windows without consuming anything. */
export async function windowsLeft(
  store: Pick<Store, "admit">,
  { tiers }: Pick<Catalogue, "tiers">,
  { id, plan, limits }: Account,
): Promise<WindowLeft[]> {
  const windows = accountWindows(id, tierOf({ tiers }, plan).limits, limits);
  const verdict = await store.admit(windows.map((window) => ({ ...window, cost: 0 })));
  return windows.map(({ name, limit, capacity }, index) => {
    const { remaining, resetAt } = verdict.windows[index] as WindowState;
    return { name: name as WindowLeft["name"], limit, capacity, remaining: Math.floor(remaining), resetAt };
  });
}

/** Returns every bound of the caller's account, and how much of it is used. */
export async function boundsReport(
  { store, catalogue, computeUse, openStreams, useLimits }: BoundsPorts,
  { accountId, credential }: Pick<Caller, "accountId" | "credential">,
): Promise<BoundsReport> {
  const [account, uses] = await store.transact(
    async (tx) => [await tx.get(accounts, GLOBAL, accountId), await useLimits.all(tx, accountId)] as const,
  );
  if (!account) throw new Problem("invalid_token", "The credential's account is gone. Sign in again.");
  const bounds = boundsIn(catalogue)(account);
  const [stored, windows] = await Promise.all([
    store.storageOf(accountId),
    windowsLeft(store, catalogue, account),
  ]);
  const { computeSecondsLeft, jobsInFlight } = computeUse(accountId, bounds);
  const computed = Math.max(0, bounds.computeSecondsPerMinute - computeSecondsLeft);
  const used = {
    storageBytes: stored.bytes,
    documents: stored.documents,
    computeSecondsPerMinute: Math.round(computed * 10) / 10,
    jobsInFlight,
    streams: openStreams(credential.id),
  };
  const { canGrow, describe } = store.headroom;
  return {
    plan: account.plan,
    planName: nameOfPlan(catalogue.tiers, account.plan),
    bounds: Object.fromEntries(
      BOUNDS.map((name) => [name, { limit: bounds[name], used: used[name] }]),
    ) as BoundsReport["bounds"],
    windows: windows.map(({ resetAt, ...window }) => ({ ...window, resetAt: iso(resetAt) })),
    uses: uses.map(shownUses),
    server: {
      takesMore: canGrow(),
      // The figure covers all accounts, so it is only for operators.
      ...(runsServer(credential) && describe() && { memory: memoryOf(describe()) }),
    },
  };
}

export function shownUses({ resetAt, ...uses }: MonthlyUses) {
  return { ...uses, resetAt: iso(resetAt) };
}

const BOUNDS = ["storageBytes", "documents", "computeSecondsPerMinute", "jobsInFlight", "streams"] as const;

function memoryOf(described: ReturnType<Store["headroom"]["describe"]>) {
  const { usedBytes = 0, limitBytes = 0 } = described ?? {};
  return { usedBytes, limitBytes };
}
