import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { join } from "../memberships.ts";
import { accounts, type Person, type User } from "../model.ts";
import { activeUser, createPerson, personByEmail, personOf } from "../people.ts";
import { endsByProof, proveAddress } from "./first-proof.ts";
import type { SignInLink, UserLink } from "./model.ts";
import { type Newcomers, signedUp } from "./newcomers.ts";
import { type BeginSession, lastUser } from "./sessions/begin-session.ts";
import { checkStillSignedIn } from "./sessions/browser-sessions.ts";
import { actorOf, type SignedIn, type StartedSession, type Visitor } from "./sessions/signed-in.ts";
import type { SignInLinks } from "./sign-in-links.ts";

/** What a one-time link would do, for the page that asks for confirmation. */
export interface LinkView {
  email: string;
  expiresAt: number;
  /** The account's name, if the link is for one account. */
  accountName?: string;
  /** Present if using the link joins the account. */
  invites?: {
    /** Whether the address belongs to a person, who must sign in first and then joins as themselves. */
    known: boolean;
    /** Whether who is signed in belongs to the account already, and so cannot join it. */
    isMember: boolean;
  };
  /** Whether using the link creates an account. */
  signsUp?: boolean;
  /** Whether using it proves the address for the first time, which ends everything set up before. */
  ends?: boolean;
}

/** Sign-in with a one-time link. */
export interface LinkSignIn {
  /** Returns what a link would do, without using it up; undefined if it is unknown, used, expired or invalid. */
  peekLink(secret: string, signedIn?: SignedIn): Promise<LinkView | undefined>;
  /**
   * Uses up a link. Of several concurrent calls, only one gets the session. An invitation makes the signed-in person,
   * or a new one, a user of the account. `Problem` `conflict` if the invited address is known and nobody is signed in,
   * or if the signed-in person is in the account already. A link for an address signs its owner in, or signs a new
   * person up if the rules allow it: `Problem` `rate_limited` after too many sign-ups.
   */
  consumeLink(secret: string, visitor: Visitor, signedIn?: SignedIn): Promise<StartedSession | undefined>;
}

export function createLinkSignIn({
  store,
  audit,
  clock,
  random,
  beginSession,
  links,
  newcomers,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  beginSession: BeginSession;
  links: SignInLinks;
  newcomers: Newcomers;
}): LinkSignIn {
  return {
    peekLink: (secret, signedIn) =>
      store.transact(async (tx) => {
        const link = await links.peek(tx, secret);
        const { user, person } = await whoComes(tx, link);
        if (!link || !(user || signsUp(link, person))) return undefined;
        const { expiresAt } = link;
        const ends =
          person && proves(link) && signedIn?.person.id !== person.id && (await endsByProof(tx, person));
        if ("email" in link) {
          return { email: link.email, expiresAt, ...(!user && { signsUp: true }), ...(ends && { ends }) };
        }
        const account = await tx.get(accounts, GLOBAL, link.accountId);
        if (!user || !account) return undefined;
        const view = { email: user.email, accountName: account.name, expiresAt, ...(ends && { ends }) };
        if (person) return view;
        const known = (await personByEmail(tx, user.email)) !== undefined;
        const isMember = signedIn?.person.memberships.some(({ accountId }) => accountId === account.id);
        return { ...view, invites: { known, isMember: isMember === true } };
      }),
    async consumeLink(secret, visitor, signedIn) {
      const seen = await store.transact(async (tx) => {
        const link = await links.peek(tx, secret);
        return { link, ...(await whoComes(tx, link)) };
      });
      if (!seen.link) return undefined;
      if (signsUp(seen.link, seen.person)) await newcomers.count(visitor.address);
      return audit.transact(actorOf(visitor, seen.user), async (tx, note) => {
        const link = await links.consume(tx, secret);
        const { user, person } = await whoComes(tx, link);
        if (!link) return undefined;
        if (signsUp(link, person)) {
          const made = await newcomers.welcome(tx, { email: link.email });
          return beginSession(tx, note, made.user, "link", visitor, signedUp(made.account));
        }
        if (!user) return undefined;
        if (!person) {
          const joined = await accept(tx, user, signedIn, proves(link));
          // For somebody who is signed in, an invitation is no new proof of identity: their session continues.
          const continues = joined.personId === signedIn?.person.id ? signedIn : undefined;
          const more = { action: "user.joined", after: { by: "link" }, continues };
          return beginSession(tx, note, joined, continues?.session.startedBy ?? "link", visitor, more);
        }
        if (!proves(link)) return beginSession(tx, note, user, "link", visitor);
        const proof = { now: clock.now(), signedInAs: signedIn?.person.id };
        const { ended } = await proveAddress(tx, person, proof);
        const more = ended ? { after: { endedWhatWasSetBefore: true } } : {};
        return beginSession(tx, note, user, "link", visitor, more);
      });
    },
  };

  /** Whether using a link creates an account. */
  function signsUp(link: SignInLink, person: Person | undefined): link is SignInLink & { email: string } {
    return "email" in link && person === undefined && newcomers.admits(link.email);
  }

  /** Accepts an invitation, as the person who is signed in or as a new one. Returns the account's user. */
  async function accept(
    tx: Transaction,
    user: User,
    signedIn: SignedIn | undefined,
    proven: boolean,
  ): Promise<User> {
    if (signedIn) await checkStillSignedIn(tx, signedIn);
    const here = signedIn && (await personOf(tx, signedIn.user));
    if (!here && (await personByEmail(tx, user.email))) {
      throw new Problem("conflict", `Sign in as ${user.email} first, then open the link again.`);
    }
    const known = { email: user.email, ...(proven && { emailProvenAt: clock.now() }) };
    const joined = await join(tx, here ?? (await createPerson(tx, { clock, random }, known)), user);
    return joined.user;
  }
}

/** Whether using a link proves an address, since the link was only mailed to it. */
function proves(link: SignInLink): boolean {
  return "email" in link || link.mailed === true;
}

/** Returns who a link signs in: a user without a person was invited; neither means a new person or a dead link. */
async function whoComes(
  tx: Transaction,
  link: SignInLink | undefined,
): Promise<{ user?: User | undefined; person?: Person | undefined }> {
  if (!link) return {};
  if ("email" in link) {
    const person = await personByEmail(tx, link.email);
    return { person, user: person && (await lastUser(tx, person)) };
  }
  const { accountId, userId, onlyHere }: UserLink = link;
  const user = await activeUser(tx, accountId, userId);
  const person = user && (await personOf(tx, user));
  return onlyHere && person && person.memberships.length > 1 ? {} : { user, person };
}
