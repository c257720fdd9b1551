import type { Account } from "../../accounts/model.ts";
import { type Bounds, type Catalogue, tierOf } from "../plans.ts";

export interface AccountBounds extends Bounds {
  /** What people call the account's plan, for messages. */
  planName: string;
}

/** Returns ` (plan Free)`, for messages about an account's limits. */
export function ofPlan(planName: string | undefined): string {
  return planName === undefined ? "" : ` (plan ${planName})`;
}

/** Returns what people may do about a plan that is too small, to the end of the sentence. */
export function largerPlan(upgradeUrl: string | undefined): string {
  // Without a full stop, which terminals would take for a part of the address.
  return upgradeUrl === undefined
    ? "ask the operator of this server for a larger plan."
    : `get a larger plan: ${upgradeUrl}`;
}

/** Returns a function that tells the bounds of an account: its custom figures, and its plan's for the rest. */
export const boundsIn =
  (catalogue: Pick<Catalogue, "tiers">) =>
  ({ plan, limits }: Pick<Account, "plan" | "limits">): AccountBounds => {
    const { name, bounds } = tierOf(catalogue, plan);
    return {
      planName: name,
      storageBytes: limits?.storageBytes ?? bounds.storageBytes,
      documents: limits?.documents ?? bounds.documents,
      computeSecondsPerMinute: limits?.computeSecondsPerMinute ?? bounds.computeSecondsPerMinute,
      jobsInFlight: limits?.jobsInFlight ?? bounds.jobsInFlight,
      streams: limits?.streams ?? bounds.streams,
    };
  };
