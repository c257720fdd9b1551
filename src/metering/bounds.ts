import type { CustomLimits } from "../accounts/model.ts";
import type { Bounds, Tier } from "./plans.ts";

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

/** Returns the bounds of an account: its custom figures, and its plan's for the rest. */
export function effectiveBounds(
  { name, bounds }: Pick<Tier, "name" | "bounds">,
  custom: CustomLimits | undefined,
): AccountBounds {
  return {
    planName: name,
    storageBytes: custom?.storageBytes ?? bounds.storageBytes,
    documents: custom?.documents ?? bounds.documents,
    computeSecondsPerMinute: custom?.computeSecondsPerMinute ?? bounds.computeSecondsPerMinute,
    jobsInFlight: custom?.jobsInFlight ?? bounds.jobsInFlight,
    streams: custom?.streams ?? bounds.streams,
  };
}
