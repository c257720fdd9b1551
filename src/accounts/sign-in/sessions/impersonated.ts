import type { Change, Note } from "../../../audit/trail.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../../store/store.ts";
import { iso } from "../../../system/clock.ts";
import { accounts, type BrowserSession, type User, type UserReference, users } from "../../model.ts";
import { activeUser, personOf, targetOf } from "../../people.ts";
import { scopesOf } from "../../roles.ts";
import type { SignedIn } from "./signed-in.ts";

/** Returns what an operator sees as another user; undefined if they may not impersonate them, or no longer may. */
export async function seenBy(
  tx: Transaction,
  operator: User,
  { accountId, userId }: UserReference,
): Promise<Omit<SignedIn, "session" | "operator"> | undefined> {
  if (!operator.operator || operator.suspendedAt !== undefined) return undefined;
  const account = await tx.get(accounts, GLOBAL, accountId);
  if (!account || account.suspendedAt !== undefined || account.deleteAt !== undefined) return undefined;
  const user = await activeUser(tx, accountId, userId);
  const person = user && (await personOf(tx, user));
  if (!person) return undefined;
  for (const membership of person.memberships) {
    const other = await tx.get(users, accountSpace(membership.accountId), membership.userId);
    if (other?.operator) return undefined;
  }
  return { account, user, person, scopes: scopesOf(user) };
}

/** Notes the end of an impersonation, as part of the transaction that ends it. */
export async function noteEnd(
  tx: Transaction,
  note: Note,
  { accountId, userId, endsAt }: NonNullable<BrowserSession["impersonates"]>,
  operator: Pick<User, "accountId">,
): Promise<void> {
  const user = await tx.get(users, accountSpace(accountId), userId);
  noteBoth(note, operator, {
    action: "user.impersonation_ended",
    target: user ? targetOf(user) : { kind: "user", id: userId },
    before: { until: iso(endsAt) },
    of: { accountId },
  });
}

/** Notes a change in the audit logs of both accounts: the impersonated user's and the operator's. */
export function noteBoth(
  note: Note,
  operator: Pick<User, "accountId">,
  { of, ...change }: Change & { of: Pick<User, "accountId"> },
): void {
  for (const accountId of new Set([of.accountId, operator.accountId])) note({ ...change, accountId });
}
