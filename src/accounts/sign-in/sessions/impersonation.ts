import type { AuditTrail, Change, Note } from "../../../audit/trail.ts";
import { Problem } from "../../../contract/problem.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../../store/store.ts";
import { type Clock, iso } from "../../../system/clock.ts";
import { HOUR_MS } from "../../../system/durations.ts";
import { accounts, type BrowserSession, type User, type UserReference, users } from "../../model.ts";
import { activeUser, personOf, targetOf } from "../../people.ts";
import { scopesOf } from "../../roles.ts";
import { actorOf } from "./begin-session.ts";
import type { BrowserSessions, SignedIn, StartedSession, Visitor } from "./browser-sessions.ts";

/** The longest time that an operator impersonates somebody. */
const IMPERSONATION_MS = HOUR_MS;

/** Lets operators see the pages as another user sees them (docs/decisions/0028). */
export interface Impersonation {
  /**
   * Replaces an operator's session with one that shows what a user sees, read-only. `Problem` `not_found` if the caller
   * is no operator, impersonates somebody already, or may not impersonate this user.
   */
  impersonate(signedIn: SignedIn, whom: UserReference, visitor: Visitor): Promise<StartedSession>;
  /** Replaces the session with one of the operator's own. `Problem` `conflict` if nobody is impersonated. */
  endImpersonation(signedIn: SignedIn, visitor: Visitor): Promise<StartedSession>;
}

export function createImpersonation({
  audit,
  clock,
  sessions,
}: {
  audit: AuditTrail;
  clock: Pick<Clock, "now">;
  sessions: Pick<BrowserSessions, "replace">;
}): Impersonation {
  return {
    impersonate: (signedIn, whom, visitor) =>
      audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        const operator = await activeUser(tx, signedIn.account.id, signedIn.user.id);
        const isThemselves = signedIn.session.impersonates === undefined;
        const seen = operator && isThemselves && (await seenBy(tx, operator, whom));
        if (!seen) throw new Problem("not_found", "There is nobody here whom you could sign in as.");
        const { expiresAt } = signedIn.session;
        const endsAt = Math.min(clock.now() + IMPERSONATION_MS, expiresAt);
        const impersonates = { accountId: seen.account.id, userId: seen.user.id, endsAt };
        noteBoth(note, operator, {
          action: "user.impersonation_started",
          target: targetOf(seen.user),
          after: { until: iso(endsAt) },
          of: seen.user,
        });
        return sessions.replace(tx, signedIn, visitor, impersonates);
      }),
    endImpersonation(signedIn, visitor) {
      const own = signedIn.operator ?? signedIn;
      return audit.transact(actorOf(visitor, own.user), async (tx, note) => {
        const { impersonates } = own.session;
        if (!impersonates) throw new Problem("conflict", "You are signed in as yourself.");
        const started = await sessions.replace(tx, own, visitor);
        await noteEnd(tx, note, impersonates, own.user);
        return started;
      });
    },
  };
}

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
function noteBoth(
  note: Note,
  operator: Pick<User, "accountId">,
  { of, ...change }: Change & { of: Pick<User, "accountId"> },
): void {
  for (const accountId of new Set([of.accountId, operator.accountId])) note({ ...change, accountId });
}
