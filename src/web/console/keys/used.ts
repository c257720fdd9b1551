import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import { Problem } from "../../../contract/problem.ts";
import type { UsageGroup } from "../../../metering/usage/reports/report-contract.ts";

/** A key, device or browser that used something. */
export interface KeyUsed extends UsageGroup {
  /** Whether it is an API key that still exists. */
  isKey: boolean;
  isSuspended: boolean;
}

/** Adds to usage groups by key whether the key exists and whether it is suspended. */
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

/** Handles the error of a key that has been revoked. */
function noKey(error: unknown): undefined {
  if (error instanceof Problem) return undefined;
  throw error;
}
