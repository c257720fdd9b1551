import type { Accounts } from "../../../accounts/accounts.ts";
import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import type { Exports } from "../../../accounts/export/exports.ts";
import type { Users } from "../../../accounts/users/users.ts";
import type { AuditLog } from "../../../audit/log.ts";
import type { AccountDirectory } from "../../../metering/account-figures.ts";
import type { Catalogue } from "../../../metering/plans.ts";
import type { UsageViews } from "../../../metering/usage/reports/usage-views.ts";
import type { StorageUse } from "../../../store/storage-use.ts";

/** The dependencies of the pages about all accounts. */
export interface AccountsPorts {
  directory: AccountDirectory;
  accounts: Pick<Accounts, "get" | "update" | "create">;
  apiKeys: Pick<ApiKeys, "get" | "update" | "revoke">;
  users: Pick<Users, "list">;
  usage: UsageViews;
  log: AuditLog;
  plans: Catalogue["tiers"];
  storageOf(accountId: string): Promise<StorageUse>;
  exports: Pick<Exports, "account" | "person">;
  /** Returns the ids of the accounts that the person with an e-mail address belongs to. */
  accountsOf(email: string): Promise<string[]>;
}

export const PATH = "/server/accounts";
