import type { User } from "../../../accounts/model.ts";
import { statusOf } from "../../../accounts/users/status.ts";
import { iso } from "../../../system/clock.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";

/** The columns of the people file. */
export const PEOPLE_COLUMNS: FileColumns<User> = {
  user: ({ id }) => id,
  email: ({ email }) => email,
  role: ({ role }) => role,
  state: statusOf,
  createdAt: ({ createdAt }) => iso(createdAt),
  suspendedAt: ({ suspendedAt }) => isoOrNone(suspendedAt),
  invitationEndsAt: ({ invitation }) => isoOrNone(invitation?.expiresAt),
};
