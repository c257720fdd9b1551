import { writeFileSync } from "node:fs";
import { join } from "node:path";
import catalogue from "../../../src/metering/catalogue.json" with { type: "json" };

/** Writes a catalogue whose windows are counted but never used up to a file in `directory`. */
export function unlimitedPlans(directory: string): string {
  const requests = 1e9;
  const limits = {
    requestsPerMinute: requests,
    requestsPerHour: requests,
    requestsPerDay: requests,
    burst: requests,
  };
  const plans = {
    ...catalogue,
    tiers: catalogue.tiers.map((tier) => ({ ...tier, limits })),
    endpoints: Object.fromEntries(
      Object.entries({ ...catalogue.endpoints, "observability.report": { requests, windowSeconds: 60 } }).map(
        ([name, limit]) => [name, { ...limit, requests }],
      ),
    ),
    anonymous: { requestsPerMinute: requests },
  };
  const file = join(directory, "plans.json");
  writeFileSync(file, JSON.stringify(plans));
  return file;
}
