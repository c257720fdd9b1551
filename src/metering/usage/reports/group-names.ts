import {
  accounts,
  apiKeys,
  browserSessions,
  projects,
  tokenFamilies,
  users,
} from "../../../accounts/model.ts";
import { lastNameOf } from "../../../audit/last-name.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../../store/store.ts";
import type { Dimension } from "../groups.ts";
import type { Origin } from "../origins.ts";

/** The id of the operator's key that is set where a server starts, and never stored. */
const OWNER_KEY = "owner";

export interface Named {
  /** Undefined if there is none. */
  name?: string | undefined;
  /** Whether it is a key, sign-in or user that is there no more. Its name is then the one in the audit log. */
  isGone?: true;
}

/**
 * Returns the display name of a group's member: the name of an account, project or key, the client of a sign-in, the
 * e-mail address of a user.
 */
export async function nameOf(
  tx: Transaction,
  dimension: Dimension,
  { accountId, projectId, keyId, userId }: Origin,
): Promise<Named> {
  const space = accountSpace(accountId);
  switch (dimension) {
    case "account":
      return { name: (await tx.get(accounts, GLOBAL, accountId))?.name };
    case "project":
      return projectId === "" ? {} : { name: (await tx.get(projects, space, projectId))?.name };
    case "user": {
      if (userId === "") return {};
      const user = await tx.get(users, space, userId);
      return user ? { name: user.email } : gone(tx, accountId, userId);
    }
    case "key": {
      if (keyId === "") return {};
      if (keyId === OWNER_KEY) return { name: "TOOL_OWNER_API_KEY" };
      const [key, family, session] = await Promise.all([
        tx.get(apiKeys, space, keyId),
        tx.get(tokenFamilies, space, keyId),
        tx.has(browserSessions, space, keyId),
      ]);
      const name = key?.name ?? family?.clientName ?? family?.clientId ?? (session ? "browser" : undefined);
      return name === undefined ? gone(tx, accountId, keyId) : { name };
    }
    case "tool":
      return {};
  }
}

async function gone(tx: Transaction, accountId: string, id: string): Promise<Named> {
  return { name: await lastNameOf(tx, accountId, id), isGone: true };
}

/** Returns a name as pages show it: that of a sign-in says whose it is, since all sign-ins of a client have one name. */
export async function shownNameOf(tx: Transaction, dimension: Dimension, origin: Origin): Promise<Named> {
  const named = await nameOf(tx, dimension, origin);
  if (named.name === undefined || dimension !== "key" || origin.keyId.startsWith("key_")) return named;
  const user = await nameOf(tx, "user", origin);
  return user.name === undefined ? named : { ...named, name: `${named.name} of ${user.name}` };
}
