import { signingKeys } from "./signing-keys.ts";
import { usageBatches, usageEventIds } from "./usage-batch.ts";

export const meteringCollections = [signingKeys, usageEventIds, usageBatches] as const;
