import type { User } from "../model.ts";

/** Where a user stands in an account, in the order of a user's life. */
export const USER_STATUSES = ["invited", "active", "suspended"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export function statusOf({ personId, suspendedAt }: User): UserStatus {
  if (suspendedAt !== undefined) return "suspended";
  return personId === undefined ? "invited" : "active";
}
