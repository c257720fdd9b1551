import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { Problem } from "../../../contract/problem.ts";
import type { UsageGroup } from "../../../metering/usage/reports/report-contract.ts";

/** A key, device or browser that used something. */
export interface KeyUsed extends UsageGroup {
  /** Set for an API key that still exists. */
  knownKey: KnownKey | undefined;
}

/** Adds to usage groups by key the key as it is now. */
export function keysUsed(
  apiKeys: Pick<ApiKeys, "get">,
  accountId: string,
  groups: readonly UsageGroup[],
): Promise<KeyUsed[]> {
  return Promise.all(
    groups.map(async (group) => {
      const id = group.key?.startsWith("key_") ? group.key : undefined;
      return {
        ...group,
        knownKey: id === undefined ? undefined : await apiKeys.get(accountId, id).catch(noKey),
      };
    }),
  );
}

/** Handles the error of a key that has been revoked. */
function noKey(error: unknown): undefined {
  if (error instanceof Problem) return undefined;
  throw error;
}
