import { endedKeysCollections } from "./credentials/ended-keys.ts";
import { removedClients } from "./devices/removed-clients.ts";
import {
  accounts,
  accountUses,
  apiKeys,
  browserSessions,
  closedAccounts,
  credentials,
  identityOwners,
  instances,
  notedExports,
  passkeyOwners,
  people,
  personEmails,
  projects,
  signInCounts,
  tokenFamilies,
  userEmails,
  users,
} from "./model.ts";
import { planSteps } from "./next-plan.ts";
import { signInCollections } from "./sign-in/model.ts";

export const accountsCollections = [
  instances,
  accounts,
  accountUses,
  signInCounts,
  closedAccounts,
  planSteps,
  notedExports,
  people,
  personEmails,
  passkeyOwners,
  identityOwners,
  credentials,
  ...signInCollections,
  userEmails,
  users,
  projects,
  apiKeys,
  tokenFamilies,
  removedClients,
  browserSessions,
  ...endedKeysCollections,
] as const;
