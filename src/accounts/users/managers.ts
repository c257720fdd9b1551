import type { Actor } from "../../audit/model.ts";
import type { Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, type Transaction } from "../../store/store.ts";
import { type User, users } from "../model.ts";
import { activeUser } from "../people.ts";
import { includes, type Role } from "../roles.ts";

/** The user who acts on an account. */
export type Manager = Actor & Pick<Caller, "accountId" | "userId">;

/** Returns a user. `Problem` `not_found`. */
export async function getUser(tx: Transaction, accountId: string, userId: string): Promise<User> {
  const user = await tx.get(users, accountSpace(accountId), userId);
  if (user) return user;
  throw new Problem("not_found", `There is no user ${userId} in this account.`);
}

/** Returns the user that a credential acts for. `Problem` `forbidden` if they were removed or suspended meanwhile. */
export async function actingUser(
  tx: Transaction,
  { accountId, userId }: Pick<Manager, "accountId" | "userId">,
): Promise<User> {
  const manager = await activeUser(tx, accountId, userId);
  if (manager) return manager;
  throw new Problem("forbidden", "The user that this credential acts for was removed or suspended.");
}

/** Returns a user that the manager may manage. `what` is a verb phrase for the error. `Problem` `forbidden`. */
export async function managed(tx: Transaction, by: Manager, userId: string, what: string): Promise<User> {
  const user = await getUser(tx, by.accountId, userId);
  checkReach(await actingUser(tx, by), user.role, `${what} ${withArticle(user.role)}`);
  return user;
}

/** Throws `Problem` `forbidden` if the manager is no admin, or if `role` is above their own. */
export function checkReach(manager: User, role: Role, what: string): void {
  if (includes(manager.role, "admin") && includes(manager.role, role)) return;
  const needed = role === "owner" ? "an owner" : "an admin or owner";
  throw new Problem(
    "forbidden",
    `Only ${needed} of the account may ${what}; you are ${withArticle(manager.role)}.`,
  );
}

/** Returns the role with its article: `an owner`. */
export function withArticle(role: Role): string {
  return role === "admin" || role === "owner" ? `an ${role}` : `a ${role}`;
}
