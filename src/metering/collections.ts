import { configured } from "./configuration.ts";
import { rsaSigningKeys, signingKeys } from "./signing-keys/key-ring.ts";
import { ACCOUNT_MONTHS } from "./usage/account-months.ts";
import { PROJECT_COUNTERS } from "./usage/counters.ts";
import { usageIdBuckets, usageIdSpreads } from "./usage/ids.ts";
import { usageBatches, usageEventIds } from "./usage/older-ids.ts";
import { ORIGIN_COUNTERS } from "./usage/origins.ts";
import { usageToolNames } from "./usage/tool-names.ts";

export const meteringCollections = [
  configured,
  signingKeys,
  rsaSigningKeys,
  usageIdSpreads,
  usageIdBuckets,
  usageEventIds,
  usageBatches,
  usageToolNames,
] as const;

/** Names of the counters in the spaces of accounts and projects. */
export const meteringCounters: readonly string[] = [
  ...Object.values(PROJECT_COUNTERS),
  ...Object.values(ORIGIN_COUNTERS),
  ACCOUNT_MONTHS,
];
