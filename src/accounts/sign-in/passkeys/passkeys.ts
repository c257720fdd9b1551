import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { AuditTrail } from "../../../audit/trail.ts";
import { Problem } from "../../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../../store/store.ts";
import type { Clock } from "../../../system/clock.ts";
import { MINUTE_MS } from "../../../system/durations.ts";
import type { Random } from "../../../system/random.ts";
import { hashSecret } from "../../credentials/secrets.ts";
import { type Passkey, type Person, passkeyOwners, people, type User } from "../../model.ts";
import { targetOf } from "../../people.ts";
import { createHourly } from "../hourly.ts";
import { type PasskeyChallenge, passkeyChallenges } from "../model.ts";
import { type Newcomers, signedUp } from "../newcomers.ts";
import { type BeginSession, lastUser } from "../sessions/begin-session.ts";
import { checkStillSignedIn } from "../sessions/browser-sessions.ts";
import { actorOf, type SignedIn, type StartedSession, type Visitor } from "../sessions/signed-in.ts";
import { checkMayAddAWay, keepAWayIn, type WaysOffered } from "../ways.ts";
import { ALGORITHMS, passkeyFrom } from "./new-passkey.ts";

const LIFETIME_MS = 5 * MINUTE_MS;
const MAX_PASSKEYS = 10;
const MAX_CHALLENGES_OF_ADDRESS = 200;

/** Options for a browser's authenticator, as `PublicKeyCredential.parse…OptionsFromJSON` takes them. */
export type Options = object;

export interface Passkeys {
  /** Returns options to sign in with any passkey of this site. `Problem` `rate_limited`. */
  ask(cookie: string, visitor: Visitor): Promise<Options>;
  /** Returns options to register a passkey, for a signed-in or a new person. `Problem` `rate_limited`, `forbidden`. */
  askForNew(cookie: string, visitor: Visitor, whom: SignedIn | { name: string }): Promise<Options>;
  /** Signs in with an authenticator's answer. `Problem` `forbidden` for an invalid answer, without the reason. */
  signIn(answer: AuthenticationResponseJSON, cookie: string, visitor: Visitor): Promise<StartedSession>;
  /** Creates an account for a new person. `Problem` `forbidden`, `rate_limited`. */
  signUp(answer: RegistrationResponseJSON, cookie: string, visitor: Visitor): Promise<StartedSession>;
  /** Adds a passkey, soon after signing in. `Problem` `forbidden`, `conflict` if the person has ten. */
  add(
    signedIn: SignedIn,
    passkey: { answer: RegistrationResponseJSON; name: string },
    cookie: string,
    visitor: Visitor,
  ): Promise<void>;
  /** Removes a passkey. `Problem` `not_found`, and `conflict` if it is the person's last way to sign in. */
  remove(signedIn: SignedIn, passkeyId: string, visitor: Visitor): Promise<void>;
}

/** @param pagesUrl the public URL of the pages. Passkeys are bound to its host. */
export function createPasskeys({
  store,
  audit,
  clock,
  random,
  beginSession,
  newcomers,
  offered,
  subjectOf,
  pagesUrl,
  serviceName,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  beginSession: BeginSession;
  newcomers: Newcomers;
  offered: WaysOffered;
  subjectOf: (address: string) => string;
  pagesUrl: () => string;
  /** What people know the service by, and look the passkey up by. */
  serviceName: string;
}): Passkeys {
  const hourly = createHourly({ store, clock, purpose: "passkey" });
  const expected = () => ({
    expectedOrigin: new URL(pagesUrl()).origin,
    expectedRPID: new URL(pagesUrl()).hostname,
  });

  /** Makes a one-time challenge, valid for five minutes, in this browser and for this purpose only. */
  async function challenge(cookie: string, visitor: Visitor, purpose: PasskeyChallenge["purpose"]) {
    await hourly.takeOrRefuse(
      { [subjectOf(visitor.address)]: MAX_CHALLENGES_OF_ADDRESS },
      "Too many passkeys were asked for from your address within an hour.",
    );
    const chance = random.bytes(32);
    const kept: PasskeyChallenge = { browser: hashSecret(cookie), purpose };
    const expiresAt = clock.now() + LIFETIME_MS;
    const id = hashSecret(chance.toString("base64url"));
    await store.transact((tx) => tx.insert(passkeyChallenges, GLOBAL, id, kept, { expiresAt }));
    // Copied, because `random.bytes` may return a slice of a larger buffer.
    return new Uint8Array(chance);
  }

  /** Takes the challenge of an answer, so that it cannot be used again. */
  async function taken(answer: { response: { clientDataJSON: string } }, cookie: string) {
    const asked = challengeIn(answer);
    const id = hashSecret(asked);
    const found = await store.transact(async (tx) => {
      const kept = await tx.get(passkeyChallenges, GLOBAL, id);
      if (kept?.browser !== hashSecret(cookie)) return undefined;
      await tx.delete(passkeyChallenges, GLOBAL, id);
      return kept;
    });
    if (!found) throw refused();
    return { expectedChallenge: asked, purpose: found.purpose };
  }

  async function registered(answer: RegistrationResponseJSON, expectedChallenge: string): Promise<Passkey> {
    const found = await passkeyFrom(answer, { expectedChallenge, ...expected() }).catch(orRefused);
    if (!found) throw refused();
    return { ...found, name: "Passkey", createdAt: clock.now() };
  }

  return {
    async ask(cookie, visitor) {
      const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
      return generateAuthenticationOptions({
        rpID: expected().expectedRPID,
        challenge: await challenge(cookie, visitor, { kind: "sign-in" }),
        userVerification: "preferred",
        timeout: LIFETIME_MS,
      });
    },
    async askForNew(cookie, visitor, whom) {
      const known = "person" in whom;
      if (known) checkMayAddAWay(whom, offered, clock.now());
      if (!known && !newcomers.admits(undefined)) {
        throw new Problem("forbidden", "Nobody signs up here with a passkey alone.");
      }
      const personId = known ? whom.person.id : random.id("per");
      const name = known ? whom.user.email : whom.name;
      const { generateRegistrationOptions } = await import("@simplewebauthn/server");
      return generateRegistrationOptions({
        rpName: serviceName,
        rpID: expected().expectedRPID,
        userID: new TextEncoder().encode(personId),
        userName: name,
        userDisplayName: name,
        challenge: await challenge(
          cookie,
          visitor,
          known ? { kind: "add", personId } : { kind: "sign-up", personId, name },
        ),
        attestationType: "none",
        timeout: LIFETIME_MS,
        excludeCredentials: known ? (whom.person.passkeys ?? []).map(({ id }) => ({ id })) : [],
        authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },
    async signIn(answer, cookie, visitor) {
      const { expectedChallenge, purpose } = await taken(answer, cookie);
      const seen = await store.transact((tx) => owned(tx, answer.id));
      if (purpose.kind !== "sign-in" || !seen) throw await refusedAs(visitor);
      const { userHandle } = answer.response;
      // Whoever answers writes it as they like; null is what some scripts write for none.
      if (userHandle != null && Buffer.from(String(userHandle), "base64url").toString() !== seen.person.id) {
        throw await refusedAs(visitor, seen.user);
      }
      const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
      const { id, publicKey, counter } = seen.passkey;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge,
        ...expected(),
        requireUserVerification: false,
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter },
      }).catch(async () => Promise.reject(await refusedAs(visitor, seen.user)));
      if (!verified) throw await refusedAs(visitor, seen.user);
      return audit.transact(actorOf(visitor, seen.user), async (tx, note) => {
        const now = await owned(tx, answer.id);
        const { newCounter } = authenticationInfo;
        // The passkey was removed meanwhile, or a clone with its own counter has used it.
        if (!now || (newCounter > 0 && newCounter <= now.passkey.counter)) throw refused();
        const used = { ...now.passkey, counter: newCounter, lastUsedAt: clock.now() };
        await tx.put(people, GLOBAL, now.person.id, withPasskey(now.person, used));
        return beginSession(tx, note, now.user, "passkey", visitor, { after: { passkey: used.name } });
      });
    },
    async signUp(answer, cookie, visitor) {
      const { expectedChallenge, purpose } = await taken(answer, cookie);
      if (purpose.kind !== "sign-up" || !newcomers.admits(undefined)) throw refused();
      const passkey = await registered(answer, expectedChallenge);
      await newcomers.count(visitor.address);
      return audit.transact(actorOf(visitor), async (tx, note) => {
        const { personId: id, name } = purpose;
        const { person, user, account } = await newcomers.welcome(tx, { id, name });
        await give(tx, person, passkey);
        return beginSession(tx, note, user, "passkey", visitor, signedUp(account));
      });
    },
    async add(signedIn, { answer, name }, cookie, visitor) {
      checkMayAddAWay(signedIn, offered, clock.now());
      const { id } = signedIn.person;
      const { expectedChallenge, purpose } = await taken(answer, cookie);
      if (purpose.kind !== "add" || purpose.personId !== id) throw refused();
      const passkey = { ...(await registered(answer, expectedChallenge)), name };
      await audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        const person = await tx.get(people, GLOBAL, id);
        if (!person) throw new Problem("not_found", "Your account was removed meanwhile.");
        await checkStillSignedIn(tx, signedIn);
        if ((person.passkeys ?? []).length >= MAX_PASSKEYS) {
          throw new Problem(
            "conflict",
            `You have ${MAX_PASSKEYS} passkeys, the most there may be. Remove one first.`,
          );
        }
        await give(tx, person, passkey);
        note({ action: "person.passkey_added", target: targetOf(signedIn.user), after: { passkey: name } });
      });
    },
    remove: (signedIn, passkeyId, visitor) =>
      audit.transact(actorOf(visitor, signedIn.user), async (tx, note) => {
        const { id } = signedIn.person;
        await checkStillSignedIn(tx, signedIn);
        const person = await tx.get(people, GLOBAL, id);
        const gone = person?.passkeys?.find((passkey) => passkey.id === passkeyId);
        if (!person || !gone) throw new Problem("not_found", "There is no such passkey any more.");
        const left = { ...person, passkeys: person.passkeys?.filter((passkey) => passkey !== gone) ?? [] };
        keepAWayIn(left, offered);
        await tx.delete(passkeyOwners, GLOBAL, passkeyId);
        await tx.put(people, GLOBAL, id, left);
        note({
          action: "person.passkey_removed",
          target: targetOf(signedIn.user),
          before: { passkey: gone.name },
        });
      }),
  };

  /** Notes a failed attempt in the audit log. The returned problem does not reveal the reason. */
  async function refusedAs(visitor: Visitor, user?: User): Promise<Problem> {
    const target = { kind: "user", id: user?.id ?? "unknown", name: user?.email };
    const attempt = { action: "session.started", target, accountId: user?.accountId ?? null };
    await audit.refused(actorOf(visitor), attempt);
    return refused();
  }
}

/** Returns a passkey with its owner and the user that they sign in as. */
async function owned(
  tx: Transaction,
  passkeyId: string,
): Promise<{ person: Person; passkey: Passkey; user: User } | undefined> {
  const owner = await tx.get(passkeyOwners, GLOBAL, passkeyId);
  const person = owner && (await tx.get(people, GLOBAL, owner.personId));
  const passkey = person?.passkeys?.find(({ id }) => id === passkeyId);
  const user = person && (await lastUser(tx, person));
  return person && passkey && user && { person, passkey, user };
}

/** Stores a new passkey. Rejects an id that exists already, since authenticators must generate unique ids. */
async function give(tx: Transaction, person: Person, passkey: Passkey): Promise<void> {
  if (await tx.has(passkeyOwners, GLOBAL, passkey.id)) throw refused();
  await tx.insert(passkeyOwners, GLOBAL, passkey.id, { personId: person.id });
  const passkeys = [...(person.passkeys ?? []), passkey];
  await tx.put(people, GLOBAL, person.id, { ...person, passkeys });
}

function withPasskey(person: Person, changed: Passkey): Person {
  const passkeys = (person.passkeys ?? []).map((one) => (one.id === changed.id ? changed : one));
  return { ...person, passkeys };
}

/** Returns the challenge in `clientDataJSON` (Web Authentication Level 3 §5.8.1). The library verifies it later. */
function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    return String(challenge);
  } catch {
    throw refused();
  }
}

function orRefused(cause: unknown): never {
  throw Object.assign(refused(), { cause });
}

function refused(): Problem {
  return new Problem(
    "forbidden",
    "This passkey does not let you in: it is not known here, or took longer than five minutes. Try again, or sign in another way.",
  );
}
