import { configured } from "./configuration.ts";
import { signingKeys } from "./signing-keys.ts";
import { COUNTERS as BY_ORIGIN } from "./usage/breakdown.ts";
import { COUNTERS } from "./usage/counters.ts";
import { usageIdBuckets, usageIdSpreads } from "./usage/ids.ts";
import { usageBatches, usageEventIds } from "./usage/older-ids.ts";
import { usageToolNames } from "./usage/tool-names.ts";

export const meteringCollections = [
  configured,
  signingKeys,
  usageIdSpreads,
  usageIdBuckets,
  usageEventIds,
  usageBatches,
  usageToolNames,
] as const;

/** Names of the counters in the spaces of accounts and projects. */
export const meteringCounters: readonly string[] = [...Object.values(COUNTERS), ...Object.values(BY_ORIGIN)];
