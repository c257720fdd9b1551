import { usageBatches, usageEventIds } from "./older-usage-ids.ts";
import { signingKeys } from "./signing-keys.ts";
import { usageIdBuckets, usageIdSpreads } from "./usage-ids.ts";

export const meteringCollections = [
  signingKeys,
  usageIdSpreads,
  usageIdBuckets,
  usageEventIds,
  usageBatches,
] as const;
