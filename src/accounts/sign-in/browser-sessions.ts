import type { Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { NoteUse } from "../credentials/last-use.ts";
import { hashSecret, newSecret, secretKind } from "../credentials/secrets.ts";
import {
  type Account,
  accounts,
  type BrowserSession,
  browserSessions,
  type Credential,
  credentials,
  scopesOf,
  type User,
  type UserReference,
  users,
} from "../model.ts";
import { oldestToGiveWay } from "../most.ts";

const LIFETIME_MS = 7 * 24 * 60 * 60_000;

/** Whose browser asks. */
export interface Visitor {
  address: string;
  userAgent: string;
}

/** A session that has just begun: the secret goes into the cookie and is kept nowhere here. */
export interface StartedSession {
  secret: string;
  /** Milliseconds since the epoch, as every time here. */
  expiresAt: number;
}

/** Who a browser is signed in as. */
export interface SignedIn {
  account: Account;
  user: User;
  /** What the user may do, and approve for a device. */
  scopes: readonly Scope[];
  session: BrowserSession;
}

/** A sign-in of a browser, for its owner to recognise. */
export type SessionView = Omit<BrowserSession, "secretHash">;

export interface BrowserSessions {
  /** Begins a session as part of a transaction. */
  start(
    tx: Transaction,
    user: UserReference,
    startedBy: BrowserSession["startedBy"],
    visitor: Visitor,
  ): Promise<StartedSession>;
  /** Who the cookie's session belongs to; undefined where it is unknown, ended or expired. */
  lookUp(secret: string): Promise<SignedIn | undefined>;
  /** Ends the cookie's session; one that is over stays so. */
  end(secret: string): Promise<void>;
  /** The sessions of a user, newest first. */
  list(accountId: string, userId: string): Promise<SessionView[]>;
  /** Ends one of a user's sessions. `Problem` `not_found`. */
  revoke(accountId: string, userId: string, sessionId: string): Promise<void>;
}

export function createBrowserSessions({
  store,
  clock,
  random,
  noteUse,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  noteUse: NoteUse;
}): BrowserSessions {
  return {
    async start(tx, { accountId, userId }, startedBy, { address, userAgent }) {
      const secret = newSecret("session", random);
      const secretHash = hashSecret(secret);
      const id = random.id("ses");
      const now = clock.now();
      const expiresAt = now + LIFETIME_MS;
      const before = await oldestToGiveWay(tx, browserSessions, accountId, userId);
      if (before) {
        await tx.delete(browserSessions, accountSpace(accountId), before.id);
        await tx.delete(credentials, GLOBAL, before.value.secretHash);
      }
      const session = { id, userId, secretHash, startedBy, address, userAgent: userAgent.slice(0, 256) };
      const times = { createdAt: now, lastUsedAt: now, expiresAt };
      await tx.insert(browserSessions, accountSpace(accountId), id, { ...session, ...times }, { expiresAt });
      const credential: Credential = {
        kind: "session",
        id,
        accountId,
        userId,
        // Pages act as the user; the session itself opens nothing of the API.
        scopes: [],
        issuedAt: now,
        expiresAt,
      };
      await tx.insert(credentials, GLOBAL, secretHash, credential, { expiresAt });
      return { secret, expiresAt };
    },
    async lookUp(secret) {
      if (secretKind(secret) !== "session") return undefined;
      const signedIn = await store.transact((tx) => look(tx, hashSecret(secret)));
      if (signedIn) noteUse(browserSessions, accountSpace(signedIn.account.id), signedIn.session.id);
      return signedIn;
    },
    async end(secret) {
      if (secretKind(secret) !== "session") return;
      await store.transact(async (tx) => {
        const credential = await tx.get(credentials, GLOBAL, hashSecret(secret));
        if (!credential) return;
        await tx.delete(credentials, GLOBAL, hashSecret(secret));
        await tx.delete(browserSessions, accountSpace(credential.accountId), credential.id);
      });
    },
    async list(accountId, userId) {
      const all = await store.transact((tx) =>
        tx.list(browserSessions, accountSpace(accountId), { order: "descending" }),
      );
      return all
        .map(({ value: { secretHash: _, ...view } }) => view)
        .filter((session) => session.userId === userId);
    },
    revoke: (accountId, userId, sessionId) =>
      store.transact(async (tx) => {
        const space = accountSpace(accountId);
        const session = await tx.get(browserSessions, space, sessionId);
        if (session?.userId !== userId) throw new Problem("not_found", "This sign-in has ended already.");
        await tx.delete(browserSessions, space, sessionId);
        await tx.delete(credentials, GLOBAL, session.secretHash);
      }),
  };

  async function look(tx: Transaction, secretHash: string): Promise<SignedIn | undefined> {
    const credential = await tx.get(credentials, GLOBAL, secretHash);
    if (!credential) return undefined;
    const space = accountSpace(credential.accountId);
    const session = await tx.get(browserSessions, space, credential.id);
    const user = await tx.get(users, space, credential.userId);
    const account = await tx.get(accounts, GLOBAL, credential.accountId);
    if (!session || !user || !account) return undefined;
    return { account, user, scopes: scopesOf(user), session };
  }
}
