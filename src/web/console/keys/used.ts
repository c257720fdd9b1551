import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import { Problem } from "../../../contract/problem.ts";
import type { UsageGroup } from "../../../metering/usage/reports/report-contract.ts";

/** A key, device or browser that used something. */
export interface KeyUsed extends UsageGroup {
  /** Where it is a key that there still is. */
  isKey: boolean;
  isSuspended: boolean;
}

/** What groups by key are of, and whether it can be stopped. */
export function keysUsed(
  apiKeys: Pick<ApiKeys, "get">,
  accountId: string,
  groups: readonly UsageGroup[],
): Promise<KeyUsed[]> {
  return Promise.all(
    groups.map(async (group) => {
      const id = group.key?.startsWith("key_") ? group.key : undefined;
      const key = id === undefined ? undefined : await apiKeys.get(accountId, id).catch(noKey);
      return { ...group, isKey: key !== undefined, isSuspended: key?.suspendedAt !== undefined };
    }),
  );
}

/** It was revoked meanwhile. */
function noKey(error: unknown): undefined {
  if (error instanceof Problem) return undefined;
  throw error;
}
