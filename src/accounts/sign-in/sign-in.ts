import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store } from "../../store/store.ts";
import { endSessions } from "../credentials/revocation.ts";
import { accounts, emailKey, userEmails, users } from "../model.ts";
import type { BrowserSessions, SessionView, SignedIn, StartedSession, Visitor } from "./browser-sessions.ts";
import type { FailureBudget } from "./failure-budget.ts";
import { checkNewPassword, type Passwords } from "./passwords.ts";
import type { SignInLinks } from "./sign-in-links.ts";

export type { SessionView, SignedIn, StartedSession, Visitor } from "./browser-sessions.ts";

export interface SignIn {
  /** `undefined`: address or password is wrong, whichever. `Problem` `rate_limited` after too many of them. */
  withPassword(
    credentials: { email: string; password: string },
    visitor: Visitor,
  ): Promise<StartedSession | undefined>;
  /** Whose link it is, without using it up; `undefined` where it is unknown, used or expired. */
  peekLink(secret: string): Promise<{ email: string; accountName: string; expiresAt: number } | undefined>;
  /** Uses the link up: of several at once, one gets the session. */
  consumeLink(secret: string, visitor: Visitor): Promise<StartedSession | undefined>;
  /** Who the cookie's session belongs to; `undefined` where it is unknown, ended or expired. */
  lookUp(sessionSecret: string): Promise<SignedIn | undefined>;
  /** Ends the session; one that is over stays so. */
  end(sessionSecret: string): Promise<void>;
  /**
   * Sets the user's password and ends the user's other browser sessions. A session that a password
   * began must give that password again. `Problem` `invalid_request` with the fault, `forbidden` where
   * the current password is wrong, `rate_limited`.
   */
  setPassword(
    signedIn: SignedIn,
    passwords: { password: string; currentPassword?: string | undefined },
  ): Promise<void>;
  /** The browser sessions of a user, newest first. */
  sessionsOf(accountId: string, userId: string): Promise<SessionView[]>;
  /** Ends one of them. `Problem` `not_found`. */
  endSession(accountId: string, userId: string, sessionId: string): Promise<void>;
}

/**
 * @param failures of passwords.
 * @param subjectOf what an address is counted by.
 */
export function createSignIn({
  store,
  sessions,
  links,
  passwords,
  failures,
  subjectOf,
}: {
  store: Store;
  sessions: BrowserSessions;
  links: SignInLinks;
  passwords: Passwords;
  failures: FailureBudget;
  subjectOf: (address: string) => string;
}): SignIn {
  return {
    withPassword({ email, password }, visitor) {
      const key = emailKey(email);
      const address = subjectOf(visitor.address);
      // Of a user at an address: who guesses elsewhere locks nobody out.
      return failures.allow({ id: `email/${key}/${address}`, address }, async () => {
        const user = await store.transact(async (tx) => {
          const found = await tx.get(userEmails, GLOBAL, key);
          return found && tx.get(users, accountSpace(found.accountId), found.userId);
        });
        const right = await passwords.verify(address, password, user?.passwordHash);
        if (!right || !user) return undefined;
        return store.transact(async (tx) => {
          const still = await tx.get(users, accountSpace(user.accountId), user.id);
          // Deleted, or the password changed, while this one was verified.
          if (still?.passwordHash !== user.passwordHash) return undefined;
          return sessions.start(tx, { accountId: user.accountId, userId: user.id }, "password", visitor);
        });
      });
    },
    peekLink: (secret) =>
      store.transact(async (tx) => {
        const link = await links.peek(tx, secret);
        const user = link && (await tx.get(users, accountSpace(link.accountId), link.userId));
        const account = link && (await tx.get(accounts, GLOBAL, link.accountId));
        return user && account && { email: user.email, accountName: account.name, expiresAt: link.expiresAt };
      }),
    consumeLink: (secret, visitor) =>
      store.transact(async (tx) => {
        const link = await links.consume(tx, secret);
        const user = link && (await tx.get(users, accountSpace(link.accountId), link.userId));
        return user && sessions.start(tx, link, "link", visitor);
      }),
    lookUp: sessions.lookUp,
    end: sessions.end,
    async setPassword({ user, session }, { password, currentPassword }) {
      checkNewPassword(password);
      const subject = `user/${user.id}`;
      if (user.passwordHash !== undefined && session.startedBy === "password") {
        const proven = await failures.allow({ id: `session/${session.id}` }, async () =>
          (await passwords.verify(subject, currentPassword ?? "", user.passwordHash)) ? true : undefined,
        );
        if (!proven) throw new Problem("forbidden", "The current password is wrong.");
      }
      const passwordHash = await passwords.hash(subject, password);
      await store.transact(async (tx) => {
        const space = accountSpace(user.accountId);
        const still = await tx.get(users, space, user.id);
        if (!still) throw new Problem("not_found", "This user was deleted.");
        await tx.put(users, space, user.id, { ...still, passwordHash });
        await endSessions(tx, user.accountId, user.id, session.id);
      });
    },
    sessionsOf: sessions.list,
    endSession: sessions.revoke,
  };
}
