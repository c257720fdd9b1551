import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import { cachedFor } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { refuseIfFull } from "../account-limits.ts";
import { endAllSoFar, endBeyond } from "../credentials/revocation.ts";
import { insertUser, leave } from "../memberships.ts";
import { accounts, type User, type UserReference, users } from "../model.ts";
import type { PageOf } from "../page.ts";
import { personOf, targetOf } from "../people.ts";
import { includes, type Role, scopesOf } from "../roles.ts";
import { requireOpen } from "../shut.ts";
import { letters } from "../sign-in/letters.ts";
import type { LinkMail } from "../sign-in/link-mail.ts";
import { INVITATION_MS, type SignInLinks } from "../sign-in/sign-in-links.ts";
import { sinceAfter } from "../suspension.ts";
import { actingUser, checkReach, getUser, type Manager, managed, withArticle } from "./managers.ts";
import { searchUsers, type UserQuestion } from "./search.ts";
import { statusOf } from "./status.ts";

const MAX_INVITED_SHOWN = 50;

export interface UserChange {
  role?: Role | undefined;
  /** True ends the user's credentials and prevents new sign-ins; false lifts the suspension. */
  suspended?: boolean | undefined;
}

/** An invited user, and the link to pass on to them; absent if it was mailed. */
export interface Invited {
  user: User;
  signInLink?: string;
}

/** The users of an account. `Problem` `forbidden` for roles above the manager's own, `not_found` for unknown users. */
export interface Users {
  get(accountId: string, userId: string): Promise<User>;
  list(accountId: string, asked: UserQuestion): Promise<PageOf<User>>;
  /** Returns the first users whose invitation is pending. The result may be some seconds old. */
  invited(accountId: string): Promise<PageOf<User>>;
  /** Invites a person, with a link for seven days. `Problem` `conflict` if the account has a user with the address. */
  invite(by: Manager, invitation: { email: string; role: Role }): Promise<Invited>;
  /** Replaces the link by a new one for seven days. `Problem` `conflict` if the invitation was accepted. */
  renewInvitation(by: Manager, userId: string): Promise<Invited>;
  /** Changes a user. Ends keys and devices that exceed the new role. `Problem` `conflict` for the last owner. */
  update(by: Manager, userId: string, change: UserChange): Promise<User>;
  /**
   * Makes a one-time sign-in link for a user who has lost access. Returns undefined if it was mailed to them. Otherwise
   * `Problem` `conflict` for a person with other accounts, which it would open, too, and for the instance's owner.
   * `Problem` `conflict` also if the invitation is still pending.
   */
  createSignInLink(by: Manager, userId: string): Promise<string | undefined>;
  /** Makes another user an owner and the caller an admin. `Problem` `conflict` unless that user is active. */
  transfer(by: Manager, userId: string): Promise<{ owner: User; you: User }>;
  /** Removes a user, or the caller, with all tokens, keys and sessions. `Problem` `conflict` for the last owner. */
  remove(by: Manager, userId: string): Promise<void>;
}

export function createUsers({
  store,
  audit,
  clock,
  random,
  links,
  linkMail,
  onRemoved = async () => {},
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  links: SignInLinks;
  /** Absent if no mail server is configured. */
  linkMail?: LinkMail | undefined;
  /** Deletes what other parts keep of a user. */
  onRemoved?: (tx: Transaction, user: UserReference) => Promise<void>;
}): Users {
  // Cached, because it reads all users of the account, and an open console page asks every few seconds.
  const keptInvited = cachedFor<PageOf<User>>(clock, { forMs: 5_000, most: 200 });

  /** Issues an invitation link for seven days. A shut account does not mail anything to strangers. */
  async function inviteAs(tx: Transaction, user: User, by: User) {
    const account = await tx.get(accounts, GLOBAL, user.accountId);
    if (account) requireOpen(account);
    const reference = { accountId: user.accountId, userId: user.id };
    const options = { lifetimeMs: INVITATION_MS, mailed: linkMail !== undefined };
    const { url, secretHash, expiresAt } = await links.issue(tx, reference, options);
    return {
      letter: letters.invitation(user.email, url, { account: account?.name ?? "", by: by.email }),
      signInLink: url,
      invited: { ...user, invitation: { by: by.id, secretHash, expiresAt } },
    };
  }

  /** Mails the invitation, or else returns the link to the inviter. */
  function handedOut({ invited, letter, signInLink }: Awaited<ReturnType<typeof inviteAs>>): Invited {
    if (!linkMail) return { user: invited, signInLink };
    linkMail.send(letter);
    return { user: invited };
  }

  return {
    get: (accountId, userId) => store.transact((tx) => getUser(tx, accountId, userId)),
    list: (accountId, asked) => searchUsers(store, accountId, asked),
    invited: (accountId) =>
      keptInvited(accountId, () =>
        searchUsers(store, accountId, { status: "invited", limit: MAX_INVITED_SHOWN }),
      ),
    async invite(by, { email, role }) {
      await linkMail?.admit(by.accountId, email);
      const made = await audit.transact(by, async (tx, note) => {
        const { accountId } = by;
        const manager = await actingUser(tx, by);
        checkReach(manager, role, `invite ${withArticle(role)}`);
        await refuseIfFull(tx, users, accountId, FULL);
        const user: User = { id: random.id("usr"), accountId, email, role, createdAt: clock.now() };
        const invitation = await inviteAs(tx, user, manager);
        await insertUser(tx, invitation.invited);
        note({ action: "user.invited", target: targetOf(user), after: { email, role } });
        return invitation;
      });
      return handedOut(made);
    },
    async renewInvitation(by, userId) {
      const { email } = await store.transact((tx) => managed(tx, by, userId, "renew the invitation of"));
      await linkMail?.admit(by.accountId, email);
      const made = await audit.transact(by, async (tx, note) => {
        const before = await managed(tx, by, userId, "renew the invitation of");
        if (before.personId !== undefined) {
          throw new Problem("conflict", `${before.email} has come already. Make a sign-in link instead.`);
        }
        if (before.invitation) await links.withdraw(tx, before.invitation.secretHash);
        const invitation = await inviteAs(tx, before, await actingUser(tx, by));
        await tx.put(users, accountSpace(by.accountId), userId, invitation.invited);
        note({
          action: "user.invitation_renewed",
          target: targetOf(before),
          before: { expiresAt: before.invitation?.expiresAt },
          after: { expiresAt: invitation.invited.invitation?.expiresAt },
        });
        return invitation;
      });
      return handedOut(made);
    },
    update: (by, userId, { role, suspended }) =>
      audit.transact(by, async (tx, note) => {
        const { suspendedAt: suspendedBefore, ...before } = await managed(tx, by, userId, "change");
        const manager = await actingUser(tx, by);
        if (role !== undefined) checkReach(manager, role, `make somebody ${withArticle(role)}`);
        const suspendedAt = sinceAfter(suspendedBefore, suspended, clock.now());
        const after: User = { ...before, ...defined({ role, suspendedAt }) };
        if (before.operator && after.suspendedAt !== undefined) throw ownerOfInstance("suspended");
        if (before.operator && after.role !== "owner") throw ownerOfInstance("given another role");
        if (after.role !== "owner" || after.suspendedAt !== undefined) await keepAnOwner(tx, before);
        await tx.put(users, accountSpace(by.accountId), userId, after);
        if (suspended && suspendedBefore === undefined)
          await endAllSoFar(tx, { accountId: by.accountId, userId }, clock.now());
        else if (!includes(after.role, before.role))
          await endBeyond(tx, by.accountId, userId, scopesOf(after), clock.now());
        note({
          action: "user.updated",
          target: targetOf(after),
          before: { role: before.role, suspended: suspendedBefore !== undefined },
          after: { role: after.role, suspended: suspendedAt !== undefined },
        });
        return after;
      }),
    async createSignInLink(by, userId) {
      const before = await store.transact((tx) => managed(tx, by, userId, "help"));
      const mail = before.personId === undefined ? undefined : linkMail;
      await mail?.admit(by.accountId, before.email);
      const { url, to } = await audit.transact(by, async (tx, note) => {
        const user = await managed(tx, by, userId, "help");
        const person = await personOf(tx, user);
        if (!person)
          throw new Problem(
            "conflict",
            `${user.email} has not accepted the invitation yet. Renew it instead.`,
          );
        // A person without an address may have joined with one that was never proven, so no mail goes there.
        const to = mail && person.email === user.email ? user.email : undefined;
        if (to === undefined && person.memberships.length > 1) {
          throw new Problem(
            "conflict",
            `${user.email} has other accounts, which the link would open, too. Ask the operator of this server.`,
          );
        }
        if (to === undefined && user.operator) {
          throw ownerOfInstance("given a link by their account: tool accounts link makes one");
        }
        const reference = { accountId: by.accountId, userId };
        const { url } = await links.issue(tx, reference, {
          mailed: to !== undefined,
          onlyHere: to === undefined,
        });
        note({ action: "user.sign_in_link_made", target: targetOf(user) });
        return { url, to };
      });
      if (to === undefined) return url;
      mail?.send(letters.reset(to, url));
      return undefined;
    },
    transfer: (by, userId) =>
      audit.transact(by, async (tx, note) => {
        const before = await actingUser(tx, by);
        const other = await getUser(tx, by.accountId, userId);
        checkReach(before, "owner", "hand an account over");
        if (before.operator) throw ownerOfInstance("given another role");
        if (other.id === before.id) throw new Problem("conflict", "You own it already.");
        if (statusOf(other) !== "active") {
          throw new Problem("conflict", `${other.email} is ${statusOf(other)} and cannot own the account.`);
        }
        const owner: User = { ...other, role: "owner" };
        const you: User = { ...before, role: "admin" };
        await tx.put(users, accountSpace(by.accountId), owner.id, owner);
        await tx.put(users, accountSpace(by.accountId), you.id, you);
        note({
          action: "account.transferred",
          target: targetOf(owner),
          before: { owner: before.email },
          after: { owner: owner.email },
        });
        return { owner, you };
      }),
    remove: (by, userId) =>
      audit.transact(by, async (tx, note) => {
        const own = by.userId === userId;
        const user = own ? await getUser(tx, by.accountId, userId) : await managed(tx, by, userId, "remove");
        if (user.operator) throw ownerOfInstance("removed");
        await keepAnOwner(tx, user);
        if (user.invitation) await links.withdraw(tx, user.invitation.secretHash);
        await leave(tx, user, clock.now());
        await onRemoved(tx, { accountId: by.accountId, userId });
        const action = own
          ? "user.left"
          : user.personId === undefined
            ? "user.invitation_withdrawn"
            : "user.removed";
        note({ action, target: targetOf(user), before: { email: user.email, role: user.role } });
      }),
  };
}

const FULL = { what: "users", remedy: "Remove those who have left." };

/** Throws `Problem` `conflict` if the account would be left without an active owner. */
async function keepAnOwner(tx: Transaction, leaving: User): Promise<void> {
  if (leaving.role !== "owner") return;
  const all = await tx.list(users, accountSpace(leaving.accountId));
  const others = all.filter(
    ({ id, value }) =>
      id !== leaving.id &&
      value.role === "owner" &&
      value.suspendedAt === undefined &&
      value.personId !== undefined,
  );
  if (others.length > 0) return;
  throw new Problem(
    "conflict",
    `${leaving.email} is the last owner of this account. Make somebody else an owner first.`,
  );
}

function ownerOfInstance(what: string): Problem {
  return new Problem("conflict", `The owner of this instance cannot be ${what}.`);
}
