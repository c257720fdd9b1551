import { configured } from "./configuration.ts";
import { signingKeys } from "./signing-keys.ts";
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
