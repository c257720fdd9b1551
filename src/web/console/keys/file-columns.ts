import type { KnownKey } from "../../../accounts/credentials/key-search.ts";
import { iso } from "../../../system/clock.ts";
import { type FileColumns, isoOrNone } from "../frame/files.ts";

/** The columns of the keys file, without secrets. */
export const KEY_COLUMNS: FileColumns<KnownKey> = {
  key: ({ id }) => id,
  keyName: ({ name }) => name,
  prefix: ({ prefix }) => prefix,
  scopes: ({ scopes }) => scopes.join(" "),
  project: ({ projectId }) => projectId,
  createdBy: ({ createdBy }) => createdBy,
  createdAt: ({ createdAt }) => iso(createdAt),
  lastUsedAt: ({ lastUsedAt }) => isoOrNone(lastUsedAt),
  expiresAt: ({ expiresAt }) => isoOrNone(expiresAt),
  suspendedAt: ({ suspendedAt }) => isoOrNone(suspendedAt),
};
