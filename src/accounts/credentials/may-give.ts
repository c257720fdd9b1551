import { allows, type Caller, type Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Transaction } from "../../store/store.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import type { ApiKey, User } from "../model.ts";
import { includes, scopesOf } from "../roles.ts";
import { actingUser, type Manager } from "../users/managers.ts";
import { type Binding, beyond } from "./binding.ts";

/** The user who makes or changes a key, and the credential by which they do. */
export type KeyMaker = Manager & Pick<Caller, "credential">;

const BEYOND: Record<keyof Binding, string> = {
  projectId: "the same project",
  tools: "tools among those that it is bound to itself",
  addresses: "addresses among those that it is bound to itself",
};

/** Throws `insufficient_scope` or `forbidden` if a key may do more than the credential that makes or changes it. */
export function checkMayGive(
  credential: Caller["credential"],
  key: Pick<ApiKey, "scopes" | keyof Binding>,
): void {
  const scope = lacking(credential.scopes, key.scopes);
  if (scope) {
    throw insufficientScope(
      scope,
      `A key may not exceed the credential that makes or changes it, which lacks the scope "${scope}".`,
    );
  }
  const further = beyond(credential, key);
  if (!further) return;
  throw new Problem(
    "forbidden",
    `A key that is bound makes and changes keys alone that are bound to ${BEYOND[further]}.`,
  );
}

/**
 * Checks a change to a key against privilege escalation: neither the old nor the new key may exceed the caller's
 * credential, and the key must not act for a user above the caller, nor exceed the scopes of its user.
 */
export async function checkMayChange(
  tx: Transaction,
  by: KeyMaker,
  before: ApiKey,
  after: ApiKey,
): Promise<void> {
  checkMayGive(by.credential, before);
  checkMayGive(by.credential, after);
  const holder = await actingUser(tx, { accountId: by.accountId, userId: before.userId });
  const manager = await actingUser(tx, by);
  if (!includes(manager.role, holder.role)) {
    throw new Problem(
      "forbidden",
      `This key acts for ${holder.email}, who is ${holder.role} of the account.`,
    );
  }
  checkScopesOf(holder, after.scopes);
}

/** Throws `forbidden` if a user was removed or suspended meanwhile, or lacks one of the scopes. */
export async function checkHolder(
  tx: Transaction,
  who: Pick<KeyMaker, "accountId" | "userId">,
  scopes: readonly Scope[],
): Promise<void> {
  checkScopesOf(await actingUser(tx, who), scopes);
}

function checkScopesOf(holder: User, scopes: readonly Scope[]): void {
  const scope = lacking(scopesOf(holder), scopes);
  if (!scope) return;
  throw new Problem("forbidden", `This key acts for ${holder.email}, who lacks the scope "${scope}".`);
}

function lacking(held: readonly Scope[], asked: readonly Scope[]): Scope | undefined {
  return asked.find((scope) => !allows(held, scope));
}
