import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { endSessions } from "../credentials/revocation.ts";
import { type Account, accounts, emailKey, type Person, people, type User } from "../model.ts";
import { activeUser, personByEmail, personOf, targetOf } from "../people.ts";
import type { FailureBudget, Guesser } from "./failure-budget.ts";
import { createLinkSignIn, type LinkSignIn } from "./link-sign-in.ts";
import type { Newcomers } from "./newcomers.ts";
import { checkNewPassword, type Passwords } from "./passwords.ts";
import { createBeginSession, lastUser } from "./sessions/begin-session.ts";
import { type BrowserSessions, checkStillSignedIn, type SessionView } from "./sessions/browser-sessions.ts";
import { createImpersonation, type Impersonation } from "./sessions/impersonation.ts";
import { actorOf, type SignedIn, type StartedSession, type Visitor } from "./sessions/signed-in.ts";
import type { SignInLinks } from "./sign-in-links.ts";
import { checkMayAddAWay, PROVEN_MS, type WaysOffered } from "./ways.ts";

export type { LinkView } from "./link-sign-in.ts";
export type { SessionView } from "./sessions/browser-sessions.ts";
export type { SignedIn, StartedSession, Visitor } from "./sessions/signed-in.ts";

export interface SignIn extends LinkSignIn, Impersonation {
  /** Signs in. Returns undefined if the address or the password is wrong. `Problem` `rate_limited`. */
  withPassword(
    credentials: { email: string; password: string },
    visitor: Visitor,
  ): Promise<StartedSession | undefined>;
  /**
   * Starts a session in another account of the same person, which continues the current one. `Problem` `not_found` if
   * they have no active user there, `conflict` if the current session has ended.
   */
  switchAccount(signedIn: SignedIn, accountId: string, visitor: Visitor): Promise<StartedSession>;
  /** Lists the accounts that a person may sign in to, most recently used first. */
  accountsOf(person: Person): Promise<{ account: Account; user: User }[]>;
  /** Returns who the cookie's session belongs to; undefined if it is unknown, ended or expired. */
  lookUp(sessionSecret: string): Promise<SignedIn | undefined>;
  end: BrowserSessions["end"];
  /** Whether a new password needs the current one: unless they have just signed in by other means, or have none. */
  mustRepeatPassword(signedIn: SignedIn): boolean;
  /**
   * Sets the person's password and ends their other browser sessions. See `mustRepeatPassword`. `Problem` `invalid_request` for an unsuitable password, `conflict` without an e-mail address,
   * `forbidden` if the current password is wrong, `rate_limited`.
   */
  setPassword(
    signedIn: SignedIn,
    passwords: { password: string; currentPassword?: string | undefined },
    visitor: Visitor,
  ): Promise<void>;
  /** Lists the browser sessions of a user, newest first. */
  sessionsOf(accountId: string, userId: string): Promise<SessionView[]>;
  /** Ends one of the caller's own sessions. `Problem` `not_found`. */
  endSession: BrowserSessions["revoke"];
}

/**
 * @param failures the budget of wrong passwords.
 * @param subjectOf maps an IP address to the subject that it is counted by.
 */
export function createSignIn({
  store,
  audit,
  clock,
  random,
  sessions,
  links,
  newcomers,
  passwords,
  failures,
  offered,
  subjectOf,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  sessions: BrowserSessions;
  links: SignInLinks;
  newcomers: Newcomers;
  passwords: Passwords;
  failures: FailureBudget;
  offered: WaysOffered;
  subjectOf: (address: string) => string;
}): SignIn {
  const beginSession = createBeginSession(sessions);
  const linkSignIn = createLinkSignIn({ store, audit, clock, random, beginSession, links, newcomers });
  return {
    withPassword({ email, password }, visitor) {
      const guesser = guesserOf(email, visitor);
      return failures.allow(guesser, async () => {
        const [person, user] = await store.transact((tx) => lookUp(tx, email));
        const right = await passwords.verify(guesser.address, password, person?.passwordHash);
        if (!right || !user) {
          const target = { kind: "user", id: user?.id ?? "unknown", name: email.slice(0, 254) };
          const attempt = { action: "session.started", target, accountId: user?.accountId ?? null };
          await audit.refused(actorOf(visitor), attempt);
          return undefined;
        }
        return audit.transact(actorOf(visitor, user), async (tx, note) => {
          const [still, userNow] = await lookUp(tx, email);
          // The user was removed, or the password changed, during verification.
          if (!userNow || still?.passwordHash !== person?.passwordHash) return undefined;
          return beginSession(tx, note, userNow, "password", visitor);
        });
      });
    },
    ...linkSignIn,
    ...createImpersonation({ audit, clock, sessions }),
    switchAccount: (signedIn, accountId, visitor) =>
      audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        const person = await personOf(tx, signedIn.user);
        const membership = person?.memberships.find((other) => other.accountId === accountId);
        const user = membership && (await activeUser(tx, accountId, membership.userId));
        if (!user) throw new Problem("not_found", "You have no such account, or may not come in there.");
        return beginSession(tx, note, user, signedIn.session.startedBy, visitor, {
          after: { by: "switch" },
          continues: signedIn,
        });
      }),
    accountsOf: (person) =>
      store.transact(async (tx) => {
        const found: { account: Account; user: User }[] = [];
        for (const { accountId, userId } of person.memberships) {
          const user = await activeUser(tx, accountId, userId);
          const account = await tx.get(accounts, GLOBAL, accountId);
          if (user && account) found.push({ account, user });
        }
        return found;
      }),
    lookUp: sessions.lookUp,
    end: sessions.end,
    mustRepeatPassword,
    async setPassword(signedIn, { password, currentPassword }, visitor) {
      const { user, person, session } = signedIn;
      checkNewPassword(password);
      if (person.email === undefined) {
        throw new Problem("conflict", "A password needs an address to sign in with, and you have none here.");
      }
      const subject = `person/${person.id}`;
      if (person.passwordHash === undefined) checkMayAddAWay(signedIn, offered, clock.now());
      if (mustRepeatPassword(signedIn)) {
        // With those of signing in: a session can be had anew without a password, by switching accounts.
        const proven = await failures.allow(guesserOf(person.email, visitor), async () =>
          (await passwords.verify(subject, currentPassword ?? "", person.passwordHash)) ? true : undefined,
        );
        if (!proven) throw new Problem("forbidden", "The current password is wrong.");
      }
      const passwordHash = await passwords.hash(subject, password);
      await audit.transact(actorOf(visitor, user), async (tx, note) => {
        const still = await tx.get(people, GLOBAL, person.id);
        if (!still) throw new Problem("not_found", "This user was removed.");
        await checkStillSignedIn(tx, signedIn);
        await tx.put(people, GLOBAL, person.id, { ...still, passwordHash });
        for (const { accountId, userId } of still.memberships) {
          await endSessions(tx, accountId, userId, session.id);
        }
        note({ action: "person.password_set", target: targetOf(user) });
      });
    },
    sessionsOf: sessions.list,
    endSession: sessions.revoke,
  };

  /** Otherwise whoever steals a session would take over its person, days after they came by a link. */
  function mustRepeatPassword({ person, session }: SignedIn): boolean {
    const isProven = session.startedBy !== "password" && clock.now() - session.createdAt <= PROVEN_MS;
    return person.passwordHash !== undefined && !isProven;
  }

  /** Returns whom wrong passwords are counted by: with the address, so that guesses from elsewhere lock nobody out. */
  function guesserOf(email: string, visitor: Visitor): Required<Guesser> {
    const address = subjectOf(visitor.address);
    return { id: `email/${emailKey(email)}/${address}`, address };
  }

  /** Returns the person with an e-mail address, and the user that they sign in as. */
  async function lookUp(tx: Transaction, email: string): Promise<[Person?, User?]> {
    const person = await personByEmail(tx, email);
    return person ? [person, await lastUser(tx, person)] : [];
  }
}
