import type { CustomLimits } from "../accounts/model.ts";
import type { Bounds } from "./plans.ts";

/** Returns the bounds of an account: its custom figures, and its plan's for the rest. */
export function effectiveBounds(bounds: Bounds, custom: CustomLimits | undefined): Bounds {
  return {
    storageBytes: custom?.storageBytes ?? bounds.storageBytes,
    documents: custom?.documents ?? bounds.documents,
    computeSecondsPerMinute: custom?.computeSecondsPerMinute ?? bounds.computeSecondsPerMinute,
    jobsInFlight: custom?.jobsInFlight ?? bounds.jobsInFlight,
    streams: custom?.streams ?? bounds.streams,
  };
}
