import type { AuditTrail } from "../../audit/trail.ts";
import { Problem } from "../../contract/problem.ts";
import type { Claims, Provider } from "../../providers/provider.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { hashSecret } from "../credentials/secrets.ts";
import { join } from "../memberships.ts";
import { identityKey, identityOwners, type Person, people, type User } from "../model.ts";
import { activeUser, createPerson, personByEmail } from "../people.ts";
import { Email } from "../users/contract.ts";
import { createHourly } from "./hourly.ts";
import { addIdentity, createIdentities, type Identities } from "./identities.ts";
import { type Newcomers, signedUp } from "./newcomers.ts";
import { createProviderAttempts } from "./provider-attempts.ts";
import { type BeginSession, lastUser } from "./sessions/begin-session.ts";
import { actorOf, type SignedIn, type StartedSession, type Visitor } from "./sessions/signed-in.ts";
import type { SignInLinks } from "./sign-in-links.ts";
import { checkMayAddAWay, type WaysOffered } from "./ways.ts";

const MAX_OF_ADDRESS = 100;

/** The purpose of a visit to a provider. */
export interface Errand {
  /** The local path to continue at. */
  next: string;
  /** The secret of the invitation that is being accepted, if any. */
  link?: string | undefined;
  /** The signed-in person to connect the identity with, instead of signing in. */
  connects?: SignedIn | undefined;
}

export interface ProviderSignIn {
  providers: readonly Pick<Provider, "name" | "title">[];
  /**
   * Returns the provider's URL to send the browser to. The attempt is bound to `cookie`, the value of the browser's
   * cookie. `Problem` `not_found`, `rate_limited`, `forbidden` to connect one long after signing in; rejects
   * with `ProviderFault`.
   */
  begin(name: string, errand: Errand, cookie: string, visitor: Visitor): Promise<URL>;
  /**
   * Handles the return from a provider: signs in, or connects the identity; `started` is then absent. `Problem`
   * `invalid_state` if this browser did not begin the attempt, `forbidden` if nobody invited the person, `conflict` if
   * the address or the identity is another person's; rejects with `ProviderFault`.
   */
  finish(
    name: string,
    callback: URL,
    cookie: string,
    visitor: Visitor,
    signedIn: SignedIn | undefined,
  ): Promise<{ next: string; started?: StartedSession }>;
  disconnect: Identities["disconnect"];
}

export function createProviderSignIn({
  store,
  audit,
  clock,
  random,
  providers,
  beginSession,
  links,
  newcomers,
  offered,
  subjectOf,
  baseUrl,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  providers: readonly Provider[];
  beginSession: BeginSession;
  links: SignInLinks;
  newcomers: Newcomers;
  offered: WaysOffered;
  subjectOf: (address: string) => string;
  /** The URL of the pages, without a trailing slash. */
  baseUrl: () => string;
}): ProviderSignIn {
  const hourly = createHourly({ store, clock, purpose: "provider" });
  const attempts = createProviderAttempts({ store, clock, random, baseUrl });
  const identities = createIdentities({ audit, clock, offered });

  function provider(name: string): Provider {
    const found = providers.find((each) => each.name === name);
    if (found) return found;
    throw new Problem("not_found", `Nobody signs in here with "${name.slice(0, 32)}".`);
  }

  return {
    providers,
    async begin(name, { next, link, connects }, cookie, visitor) {
      const { begin } = provider(name);
      if (connects) checkMayAddAWay(connects, offered, clock.now());
      await hourly.takeOrRefuse(
        { [subjectOf(visitor.address)]: MAX_OF_ADDRESS },
        "Too many sign-ins were begun from your address within an hour.",
      );
      const { state, attempt } = attempts.start(name, cookie);
      const url = await begin(attempt);
      await attempts.keep(state, {
        provider: name,
        browser: hashSecret(cookie),
        next,
        ...(link !== undefined && { linkHash: hashSecret(link) }),
        ...(connects && { connects: connects.person.id }),
      });
      return url;
    },
    async finish(name, callback, cookie, visitor, signedIn) {
      const { title, finish } = provider(name);
      const state = callback.searchParams.get("state") ?? "";
      const { next, linkHash, connects } = await attempts.take(name, state, cookie);
      const claims = inOrder(await finish(callback, attempts.of(name, state, cookie)));
      if (connects !== undefined) {
        if (signedIn?.person.id !== connects) {
          throw new Problem(
            "invalid_state",
            "You are not signed in any more as who began this. Begin again.",
          );
        }
        await identities.connect(name, title, claims, signedIn, visitor);
        return { next };
      }
      return { next, started: await enter(name, title, claims, linkHash, visitor) };
    },
    disconnect: identities.disconnect,
  };

  /** Signs in the person with the identity, or a new one. A matching address alone never signs anybody in. */
  async function enter(
    name: string,
    title: string,
    claims: Claims,
    linkHash: string | undefined,
    visitor: Visitor,
  ): Promise<StartedSession> {
    const seen = await store.transact((tx) => look(tx, claims, linkHash));
    if (seen.kind === "new") await newcomers.count(visitor.address);
    return audit.transact(actorOf(visitor, seen.user), async (tx, note) => {
      const found = await look(tx, claims, linkHash);
      const by = { after: { provider: name } };
      switch (found.kind) {
        case "known":
          return beginSession(tx, note, found.user, "provider", visitor, by);
        case "invited": {
          if (linkHash !== undefined) await links.withdraw(tx, linkHash);
          const { user } = await join(tx, found.person ?? (await newPerson(tx, name, claims)), found.user);
          return beginSession(tx, note, user, "provider", visitor, { ...by, action: "user.joined" });
        }
        case "new": {
          const { person, user, account } = await newcomers.welcome(tx, knownOf(claims));
          await addIdentity(tx, person, name, claims, clock.now());
          const { action, after } = signedUp(account);
          const more = { action, after: { ...by.after, ...after } };
          return beginSession(tx, note, user, "provider", visitor, more);
        }
        case "suspended":
          throw new Problem(
            "forbidden",
            "You may not come in: you are suspended. Ask an admin of your account.",
          );
        case "address":
          throw new Problem(
            "conflict",
            `${claims.verifiedEmail} is known here. Sign in as you usually do, then connect ${title} under Security.`,
          );
        default:
          throw new Problem(
            "forbidden",
            `You have no account here by ${title}, and nobody has invited you. Where you have one, sign in as you usually do and connect ${title} under Security; otherwise ask for an invitation.`,
          );
      }
    });
  }

  async function newPerson(tx: Transaction, name: string, claims: Claims): Promise<Person> {
    const known = proven(knownOf(claims), clock.now());
    return addIdentity(tx, await createPerson(tx, { clock, random }, known), name, claims, clock.now());
  }

  /** Returns the user that a link invites, unless it was used, or they are suspended. */
  async function invitedBy(tx: Transaction, linkHash: string | undefined): Promise<User | undefined> {
    const link = linkHash === undefined ? undefined : await links.find(tx, linkHash);
    if (!link || "email" in link) return undefined;
    const user = await activeUser(tx, link.accountId, link.userId);
    return user?.personId === undefined ? user : undefined;
  }

  async function look(
    tx: Transaction,
    claims: Claims,
    linkHash: string | undefined,
  ): Promise<
    | { kind: "known" | "invited"; user: User; person?: Person | undefined }
    | { kind: "new" | "address" | "suspended" | "stranger"; user?: undefined }
  > {
    const owner = await tx.get(identityOwners, GLOBAL, identityKey(claims));
    const person = owner && (await tx.get(people, GLOBAL, owner.personId));
    const invited = await invitedBy(tx, linkHash);
    if (person) {
      const isMember = person.memberships.some(({ accountId }) => accountId === invited?.accountId);
      if (invited && !isMember) return { kind: "invited", user: invited, person };
      const user = await lastUser(tx, person);
      return user ? { kind: "known", user } : { kind: "suspended" };
    }
    const { verifiedEmail } = claims;
    if (verifiedEmail !== undefined && (await personByEmail(tx, verifiedEmail))) return { kind: "address" };
    if (invited) return { kind: "invited", user: invited };
    return newcomers.admits(verifiedEmail) ? { kind: "new" } : { kind: "stranger" };
  }
}

/** Drops a malformed e-mail address from the claims. */
function inOrder({ verifiedEmail, ...claims }: Claims): Claims {
  const email = Email.safeParse(verifiedEmail);
  return { ...claims, ...(email.success && { verifiedEmail: email.data }) };
}

function knownOf({ verifiedEmail, name }: Claims): Pick<Person, "email" | "name"> {
  return {
    ...defined({ email: verifiedEmail }),
    name: name ?? (verifiedEmail ? verifiedEmail.slice(0, verifiedEmail.lastIndexOf("@")) : "Somebody"),
  };
}

/** Marks the address as proven, since the provider has verified it. */
function proven(known: Pick<Person, "email" | "name">, now: number) {
  return { ...known, ...(known.email !== undefined && { emailProvenAt: now }) };
}
