import {
  accounts,
  apiKeys,
  browserSessions,
  projects,
  tokenFamilies,
  users,
} from "../../../accounts/model.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../../store/store.ts";
import type { Dimension } from "../groups.ts";
import type { Origin } from "../origins.ts";

/**
 * Returns the display name of a group's member: the name of an account, project or key, the client of a sign-in, the
 * e-mail address of a user. Undefined if it was deleted or has none.
 */
export async function nameOf(
  tx: Transaction,
  dimension: Dimension,
  { accountId, projectId, keyId, userId }: Origin,
): Promise<string | undefined> {
  const space = accountSpace(accountId);
  switch (dimension) {
    case "account":
      return (await tx.get(accounts, GLOBAL, accountId))?.name;
    case "project":
      return projectId === "" ? undefined : (await tx.get(projects, space, projectId))?.name;
    case "user":
      return userId === "" ? undefined : (await tx.get(users, space, userId))?.email;
    case "key": {
      if (keyId === "") return undefined;
      const [key, family, session] = await Promise.all([
        tx.get(apiKeys, space, keyId),
        tx.get(tokenFamilies, space, keyId),
        tx.has(browserSessions, space, keyId),
      ]);
      return key?.name ?? family?.clientName ?? family?.clientId ?? (session ? "browser" : undefined);
    }
    case "tool":
      return undefined;
  }
}

/** Returns a name as pages show it: that of a sign-in says whose it is, since all sign-ins of a client have one name. */
export async function shownNameOf(
  tx: Transaction,
  dimension: Dimension,
  origin: Origin,
): Promise<string | undefined> {
  const name = await nameOf(tx, dimension, origin);
  if (name === undefined || dimension !== "key" || origin.keyId.startsWith("key_")) return name;
  const email = await nameOf(tx, "user", origin);
  return email === undefined ? name : `${name} of ${email}`;
}
