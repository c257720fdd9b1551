import type { AuditTrail, Change, Note } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { type Clock, iso } from "../../system/clock.ts";
import { accounts, type BrowserSession, type User, type UserReference, users } from "../model.ts";
import { activeUser, personOf, targetOf } from "../people.ts";
import { scopesOf } from "../roles.ts";
import type { BrowserSessions, SignedIn, StartedSession, Visitor } from "./browser-sessions.ts";
import { actorOf } from "./come-in.ts";

/** An operator looks as somebody else for so long at most. */
const IMPERSONATION_MS = 60 * 60_000;

/** Operators who sign in as somebody else, to see what they see (docs/decisions/0028). */
export interface Impersonation {
  /**
   * Another secret for an operator's sign-in, with which they see what a user sees, and change nothing. `Problem`
   * `not_found` for who is no operator, and where nobody can be looked as.
   */
  impersonate(signedIn: SignedIn, whom: UserReference, visitor: Visitor): Promise<StartedSession>;
  /** Another secret, with which they are themselves again. `Problem` `conflict` where they are already. */
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

/** What an operator is shown of somebody else; undefined where they may not look, or may no more. */
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

/** Notes that an operator is themselves again, as part of the transaction that ends it. */
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

/** In the log of who was looked as, and in that of who looked. */
function noteBoth(
  note: Note,
  operator: Pick<User, "accountId">,
  { of, ...change }: Change & { of: Pick<User, "accountId"> },
): void {
  for (const accountId of new Set([of.accountId, operator.accountId])) note({ ...change, accountId });
}
