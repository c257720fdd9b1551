import { type AuditTrail, type Change, SERVER } from "../../../audit/trail.ts";
import { Problem } from "../../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../../store/store.ts";
import type { Clock } from "../../../system/clock.ts";
import { defined } from "../../../system/defined.ts";
import { DAY_MS } from "../../../system/durations.ts";
import type { Random } from "../../../system/random.ts";
import { countSignIn, endSignIn } from "../../account-limits.ts";
import type { NoteUse } from "../../credentials/last-use.ts";
import { hashSecret, newSecret, secretKind } from "../../credentials/secrets.ts";
import {
  accounts,
  type BrowserSession,
  browserSessions,
  type Credential,
  credentials,
  type UserReference,
  users,
} from "../../model.ts";
import { personOf } from "../../people.ts";
import { scopesOf } from "../../roles.ts";
import type { Manager } from "../../users/managers.ts";
import { noteEnd, seenBy } from "./impersonated.ts";
import type { SignedIn, StartedSession, Visitor } from "./signed-in.ts";

const LIFETIME_MS = 7 * DAY_MS;

/** A sign-in of a browser, for its owner to recognise. */
export type SessionView = Omit<BrowserSession, "secretHash">;

export interface BrowserSessions {
  /** Begins a session as part of a transaction. The caller notes the sign-in in the audit log. */
  start(
    tx: Transaction,
    user: UserReference,
    startedBy: BrowserSession["startedBy"],
    visitor: Pick<Visitor, "address" | "userAgent">,
    /**
     * The sign-in that it continues, if nobody signed in anew: its start and end are kept, and its secret stops working,
     * so that one sign-in never becomes two. `Problem` `conflict` if it has ended.
     */
    continues?: Pick<SignedIn, "account" | "session">,
  ): Promise<StartedSession>;
  /** Starts a session of the same user that continues their sign-in, as part of a transaction. */
  replace(
    tx: Transaction,
    signedIn: Pick<SignedIn, "account" | "session">,
    visitor: Visitor,
    impersonates?: BrowserSession["impersonates"],
  ): Promise<StartedSession>;
  /** Returns who the cookie's session belongs to; undefined if it is unknown, ended or expired. */
  lookUp(secret: string): Promise<SignedIn | undefined>;
  /** Ends the cookie's session, if it exists. With `visitor`, notes the sign-out in the audit log. */
  end(secret: string, visitor?: Visitor): Promise<void>;
  /** Lists the sessions of a user, newest first. */
  list(accountId: string, userId: string): Promise<SessionView[]>;
  /** Ends one of a user's sessions. `Problem` `not_found`. */
  revoke(by: Manager, sessionId: string): Promise<void>;
}

export function createBrowserSessions({
  store,
  audit,
  clock,
  random,
  noteUse,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  noteUse: NoteUse;
}): BrowserSessions {
  const sessions: BrowserSessions = {
    start: (tx, user, startedBy, visitor, continues) => begin(tx, user, startedBy, visitor, { continues }),
    replace(tx, { account, session }, visitor, impersonates) {
      const user = { accountId: account.id, userId: session.userId };
      return begin(tx, user, session.startedBy, visitor, { continues: { account, session }, impersonates });
    },
    async lookUp(secret) {
      if (secretKind(secret) !== "session") return undefined;
      const signedIn = await store.transact((tx) => look(tx, hashSecret(secret)));
      if (!signedIn) return undefined;
      const { account, session } = signedIn.operator ?? signedIn;
      noteUse(browserSessions, accountSpace(account.id), session.id);
      return signedIn;
    },
    async end(secret, visitor) {
      if (secretKind(secret) !== "session") return;
      const secretHash = hashSecret(secret);
      const held = await store.transact((tx) => tx.get(credentials, GLOBAL, secretHash));
      if (!held) return;
      const { accountId, userId, id } = held;
      await audit.transact({ ...(visitor ?? SERVER), accountId, userId }, async (tx, note) => {
        const session = await tx.get(browserSessions, accountSpace(accountId), id);
        await tx.delete(credentials, GLOBAL, secretHash);
        // The session was ended meanwhile.
        if (!session) return;
        await endSignIn(tx, browserSessions, accountId, id);
        if (session.impersonates) await noteEnd(tx, note, session.impersonates, { accountId });
        if (visitor) note(endOf(session));
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
    revoke: (by, sessionId) =>
      audit.transact(by, async (tx, note) => {
        const space = accountSpace(by.accountId);
        const session = await tx.get(browserSessions, space, sessionId);
        if (session?.userId !== by.userId) throw new Problem("not_found", "This sign-in has ended already.");
        await endSignIn(tx, browserSessions, by.accountId, sessionId);
        await tx.delete(credentials, GLOBAL, session.secretHash);
        if (session.impersonates) await noteEnd(tx, note, session.impersonates, by);
        note(endOf(session));
      }),
  };
  return sessions;

  async function begin(
    tx: Transaction,
    { accountId, userId }: UserReference,
    startedBy: BrowserSession["startedBy"],
    { address, userAgent }: Pick<Visitor, "address" | "userAgent">,
    more: {
      continues?: Pick<SignedIn, "account" | "session"> | undefined;
      impersonates?: BrowserSession["impersonates"];
    },
  ): Promise<StartedSession> {
    const secret = newSecret("session", random);
    const secretHash = hashSecret(secret);
    const id = random.id("ses");
    const now = clock.now();
    if (more.continues) await conclude(tx, more.continues);
    const { createdAt, expiresAt } = more.continues?.session ?? {
      createdAt: now,
      expiresAt: now + LIFETIME_MS,
    };
    const before = await countSignIn(tx, browserSessions, { accountId, userId }, now);
    if (before) {
      await tx.delete(browserSessions, accountSpace(accountId), before.id);
      await tx.delete(credentials, GLOBAL, before.value.secretHash);
    }
    const session = {
      ...{ id, userId, secretHash, startedBy, address, userAgent: userAgent.slice(0, 256) },
      ...(more.impersonates && { impersonates: more.impersonates }),
    };
    const times = { createdAt, lastUsedAt: now, expiresAt };
    await tx.insert(browserSessions, accountSpace(accountId), id, { ...session, ...times }, { expiresAt });
    const credential: Credential = {
      kind: "session",
      id,
      accountId,
      userId,
      // The pages act as the user. The session itself grants no access to the API.
      scopes: [],
      issuedAt: now,
      expiresAt,
    };
    await tx.insert(credentials, GLOBAL, secretHash, credential, { expiresAt });
    return { secret, expiresAt, ...defined({ ended: before?.id }) };
  }

  async function look(tx: Transaction, secretHash: string): Promise<SignedIn | undefined> {
    const credential = await tx.get(credentials, GLOBAL, secretHash);
    if (!credential) return undefined;
    const space = accountSpace(credential.accountId);
    const session = await tx.get(browserSessions, space, credential.id);
    const user = await tx.get(users, space, credential.userId);
    const account = await tx.get(accounts, GLOBAL, credential.accountId);
    const person = user && (await personOf(tx, user));
    if (!session || !person || !account) return undefined;
    const own: SignedIn = { account, user, person, scopes: scopesOf(user), session };
    const { impersonates } = session;
    if (!impersonates || impersonates.endsAt <= clock.now()) return own;
    const seen = await seenBy(tx, user, impersonates);
    return seen ? { ...seen, session, operator: own } : own;
  }
}

/** Ends a session that another one continues. `Problem` `conflict` if it has ended. */
async function conclude(
  tx: Transaction,
  { account, session }: Pick<SignedIn, "account" | "session">,
): Promise<void> {
  await checkStillSignedIn(tx, { account, session });
  await endSignIn(tx, browserSessions, account.id, session.id);
  await tx.delete(credentials, GLOBAL, session.secretHash);
}

/** Throws `Problem` `conflict` if a session has ended between its lookup and this transaction. */
export async function checkStillSignedIn(
  tx: Transaction,
  { account, session }: Pick<SignedIn, "account" | "session">,
): Promise<void> {
  if (await tx.has(browserSessions, accountSpace(account.id), session.id)) return;
  throw new Problem("conflict", "This sign-in has ended. Reload the page.");
}

function endOf({ id, address, userAgent, startedBy }: BrowserSession): Change {
  const target = { kind: "session", id };
  return { action: "session.ended", target, before: { by: startedBy, address, userAgent } };
}
