import type { AuditTrail } from "../../../audit/trail.ts";
import { Problem } from "../../../contract/problem.ts";
import { type Clock, iso } from "../../../system/clock.ts";
import { HOUR_MS } from "../../../system/durations.ts";
import type { UserReference } from "../../model.ts";
import { activeUser, targetOf } from "../../people.ts";
import type { BrowserSessions } from "./browser-sessions.ts";
import { noteBoth, noteEnd, seenBy } from "./impersonated.ts";
import { actorOf, type SignedIn, type StartedSession, type Visitor } from "./signed-in.ts";

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
