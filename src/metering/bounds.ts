import type { CustomLimits } from "../accounts/model.ts";
import type { Bounds } from "./plans.ts";

/** What an account may hold and occupy: its own figures in place of its plan's. */
export function effectiveBounds(bounds: Bounds, custom: CustomLimits | undefined): Bounds {
  return {
    storageBytes: custom?.storageBytes ?? bounds.storageBytes,
    documents: custom?.documents ?? bounds.documents,
    computeSecondsPerMinute: custom?.computeSecondsPerMinute ?? bounds.computeSecondsPerMinute,
    jobsInFlight: custom?.jobsInFlight ?? bounds.jobsInFlight,
    streams: custom?.streams ?? bounds.streams,
  };
}
